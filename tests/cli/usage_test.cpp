// SPDX-License-Identifier: MIT
// What the program says when it is not told what to do, or cannot do it.
#include "cli_fixture.h"

namespace opscape::test {
namespace {

using testing::HasSubstr;

TEST_F(CliTest, SaysItsVersionAndHowToUseIt) {
    EXPECT_EQ(run({"--version"}).out, "opscape-cli " OPSCAPE_VERSION "\n");
    const ProgramEnd help = run({"--help"});
    EXPECT_EQ(help.status, 0);
    for (const char* name :
         {"info", "tasks", "clusters", "optimize", "simulate", "compare", "render", "runs", "--json", "--db"})
        EXPECT_THAT(help.out, HasSubstr(name));
    EXPECT_THAT(run({"optimize", "--help"}).out, HasSubstr("--optimizer"));
    EXPECT_EQ(run({"optimize", "--help"}).status, 0);
}

TEST_F(CliTest, WrongUsageIsStatusTwoAndOneSentence) {
    const std::string g = graph();
    const std::vector<std::vector<std::string>> wrong{
        {},
        {"dance"},
        {"info"},
        {"info", g, "more"},
        {"info", g, "--find", "type:"},
        {"info", g, "--find", "colour:red"},
        {"info", g, "--find", "device:0"},
        {"info", g, "--cluster", "p100x2"},
        {"info", g, "--plan", "plan.json"},
        {"--no-such-option", "tasks"},
        {"optimize", g},
        {"optimize", g, "--optimizer", "unheard-of"},
        {"optimize", g, "--optimizer", "waits", "--set", "every=often"},
        {"optimize", g, "--optimizer", "waits", "--set", "every"},
        {"optimize", g, "--optimizer", "waits", "--set", "unheard-of=1"},
        {"optimize", g, "--optimizer", "scatter", "--seed", "-1"},
        {"optimize", g, "--optimizer", "scatter", "--seed", "many"},
        {"optimize", g, "--optimizer", "scatter", "--link-model", "magic"},
        {"optimize", g, "--optimizer", "scatter", "--objective", "speed"},
        {"compare", g, "--optimizers", "scatter", "--objective", "speed"},
        {"optimize", g, "--optimizer", "scatter", "--scheduler", "lifo"},
        {"optimize", g, "--optimizer", "scatter", "--fuser", "all"},
        {"simulate", g},
        {"compare", g},
        {"compare", g, "--optimizers", "scatter,unheard-of"},
        {"render", g},
        {"render", "-o", in("x.png")},
        {"render", g, "--what", "gantt", "-o", in("x.png")},
        {"render", g, "--what", "tea", "-o", in("x.png")},
        {"render", g, "--size", "100", "-o", in("x.png")},
        {"render", g, "--size", "100x", "-o", in("x.png")},
        {"render", g, "--size", "1x1", "-o", in("x.png")},
        {"render", g, "--size", "100x99999", "-o", in("x.png")},
        {"render", g, "--run", "1", "--plan", in("p.json"), "-o", in("x.png")},
        {"render", "--run", "1", "--cluster", "p100x2", "-o", in("x.png")},
        {"runs", "dance"},
        {"runs", "show"},
        {"runs", "show", "0"},
        {"runs", "show", "first"},
        {"runs", "export", "1"},
    };
    for (const auto& arguments : wrong) {
        SCOPED_TRACE(testing::PrintToString(arguments));
        expectRefused(run(arguments), 2);
    }
    EXPECT_FALSE(std::filesystem::exists(database()));
}

TEST_F(CliTest, AnUnknownCommandIsAnsweredWithTheOnesThereAre) {
    const std::string there = "the commands are info, tasks, clusters, zoo, optimize, simulate, compare, render, runs, "
                              "bench; see opscape-cli "
                              "--help.\n";
    EXPECT_EQ(run({"frobnicate"}).err, "opscape-cli: there is no command \"frobnicate\"; " + there);
    EXPECT_EQ(run({"frobnicate", "--hard"}).err, "opscape-cli: there is no command \"frobnicate\"; " + there);
    EXPECT_EQ(run({}).err, "opscape-cli: no command is given; " + there);
    EXPECT_EQ(run({"--frobnicate"}).err, "opscape-cli: there is no option \"--frobnicate\"; " + there);
    EXPECT_EQ(run({"runs", "frobnicate"}).err,
              "opscape-cli: there is no command \"frobnicate\"; the commands are list, show, export, curve, delete; "
              "see opscape-cli runs --help.\n");
}

TEST_F(CliTest, AnUnknownOptimizerIsAnsweredWithTheOnesThereAre) {
    const std::string said = run({"optimize", graph(), "--optimizer", "unheard-of"}).err;
    EXPECT_THAT(said, HasSubstr("unheard-of"));
    EXPECT_THAT(said, HasSubstr("scatter"));
}

TEST_F(CliTest, WhatCannotBeDoneIsStatusOneAndOneSentence) {
    const std::string g = graph();
    ASSERT_TRUE(writeFile(in("garbage.onnx"), "These are not the ops you are looking for."));
    ASSERT_TRUE(writeFile(in("plan.json"), R"({"opscape_plan": 1, "ops": {"nobody": {"device": "gpu:0"}}})"));
    ASSERT_EQ(run({"optimize", g, "--optimizer", "scatter"}).status, 0);
    const std::vector<std::vector<std::string>> impossible{
        {"info", in("missing.onnx")},
        {"info", in("garbage.onnx")},
        {"info", in("")},
        {"optimize", g, "--optimizer", "scatter", "--cluster", "unheard-of"},
        {"optimize", g, "--optimizer", "scatter", "--cluster", g},
        {"optimize", g, "--optimizer", "fails"},
        {"optimize", g, "--optimizer", "fails", "--set", "throw=true"},
        {"simulate", g, "--plan", in("missing.json")},
        {"simulate", g, "--plan", in("plan.json")},
        {"simulate", g, "--plan", g},
        {"optimize", g, "--optimizer", "scatter", "-o", in("no/such/folder/plan.json")},
        {"runs", "show", "99"},
        {"runs", "export", "99", "-o", in("x.json")},
        {"runs", "export", "1", "-o", in("no/such/folder/x.json")},
        {"runs", "delete", "99"},
        {"--db", in("garbage.onnx"), "runs"},
        {"render", in("missing.onnx"), "-o", in("x.png")},
        {"render", "--run", "99", "-o", in("x.png")},
        {"render", g, "--size", "30000x30000", "-o", in("x.png")},
    };
    for (const auto& arguments : impossible) {
        SCOPED_TRACE(testing::PrintToString(arguments));
        expectRefused(run(arguments), 1);
    }
}

TEST_F(CliTest, OutputThatCannotBeWrittenIsAnError) {
    Program program(command({"clusters"}), "/dev/full");
    const ProgramEnd end = program.wait();
    EXPECT_EQ(end.status, 1);
    EXPECT_THAT(end.err, HasSubstr("cannot be written"));
}

} // namespace
} // namespace opscape::test
