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
        {"optimize", g, "--optimizer", "scatter", "--seed", "18446744073709551616"},
        {"compare", g, "--optimizers", "scatter", "--seed", "99999999999999999999999"},
        {"optimize", g, "--optimizer", "scatter", "--link-model", "magic"},
        {"optimize", g, "--optimizer", "scatter", "--objective", "speed"},
        {"compare", g, "--optimizers", "scatter", "--objective", "speed"},
        {"optimize", g, "--optimizer", "scatter", "--scheduler", "lifo"},
        {"optimize", g, "--optimizer", "scatter", "--fuser", "all"},
        {"compare", g},
        {"compare", g, "--optimizers", "scatter,unheard-of"},
        {"compare", "--optimizers", "scatter"},
        {"compare", g, "--runs", "1,2"},
        {"compare", "--runs", "0"},
        {"compare", g, "--optimizers", "scatter", "--reuse", "--seed", "2"},
        {"compare", g, "--optimizers", "scatter", "--report", in("report.txt")},
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
        {"runs", "show", "99999999999999999999"},
        {"render", "--run", "0", "-o", in("x.png")},
        {"runs", "export", "1"},
        {"runs", "plan", "1"},
        {"runs", "tag", "1"},
        {"runs", "tag", "1", "--tag", " , "},
        {"runs", "note", "1"},
        {"runs", "pin"},
        {"runs", "delete"},
        {"runs", "list", "step<"},
        {"runs", "list", "--sort", "beauty"},
        {"runs", "again", "1", "--seed", "-1"},
    };
    for (const auto& arguments : wrong) {
        SCOPED_TRACE(testing::PrintToString(arguments));
        expectRefused(run(arguments), 2);
    }
    EXPECT_FALSE(std::filesystem::exists(database()));
}

TEST_F(CliTest, AnUnknownCommandIsAnsweredWithTheOnesThereAre) {
    const std::string there =
        "the commands are info, import-times, tasks, clusters, zoo, optimize, simulate, compare, render, "
        "convert, runs, bench, train, models; see opscape-cli --help.\n";
    EXPECT_EQ(run({"frobnicate"}).err, "opscape-cli: there is no command \"frobnicate\"; " + there);
    EXPECT_EQ(run({"frobnicate", "--hard"}).err, "opscape-cli: there is no command \"frobnicate\"; " + there);
    EXPECT_EQ(run({}).err, "opscape-cli: no command is given; " + there);
    EXPECT_EQ(run({"--frobnicate"}).err, "opscape-cli: there is no option \"--frobnicate\"; " + there);
    EXPECT_EQ(
        run({"runs", "frobnicate"}).err,
        "opscape-cli: there is no command \"frobnicate\"; the commands are list, show, plan, curve, again, tag, "
        "untag, note, pin, unpin, delete, bring-back, purge, export, import, pause, resume, stop; see opscape-cli "
        "runs --help.\n");
}

TEST_F(CliTest, NumbersThatAreTooLargeOrNoRunAreSaidToBeSo) {
    EXPECT_EQ(run({"optimize", graph(), "--optimizer", "scatter", "--seed", "18446744073709551616"}).err,
              "opscape-cli: --seed: \"18446744073709551616\" is too large; the largest is 18446744073709551615; see "
              "opscape-cli optimize --help.\n");
    EXPECT_EQ(run({"render", "--run", "0", "-o", in("x.png")}).err,
              "opscape-cli: --run: \"0\" is not the number of a run; they count from 1, see runs list; see opscape-cli "
              "render --help.\n");
    EXPECT_EQ(json({"optimize", graph(), "--optimizer", "scatter", "--seed", "18446744073709551615"})["seed"],
              18446744073709551615U);
}

TEST_F(CliTest, FoldersAreNeverMade) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"render", graph(), "-o", in("new/x.png")},
          {"optimize", graph(), "--optimizer", "scatter", "-o", in("new/x.json")},
          {"bench", "baselines", "--workloads", "rnnlm2", "--presets", "small", "--methods", "scatter", "-o",
           in("new/x.csv")}})
        EXPECT_THAT(run(arguments).err, HasSubstr("in a folder that exists."));
    EXPECT_FALSE(std::filesystem::exists(in("new")));
}

TEST_F(CliTest, NamesCannotTalkToTheTerminalAndJsonKeepsThemAsTheyAre) {
    const std::string name = "a\x1b[31m\u202eb\nc";
    GraphBuilder builder("evil\x1b]0;title\x07");
    Op op;
    op.name = name;
    op.type = "Add\x9b";
    builder.addOutput(builder.addOp(std::move(op)), Tensor{"t", TensorKind::Activation, DType::F32, true, {2}, -1});
    Diagnostics diagnostics;
    ASSERT_TRUE(writeGraph(*std::move(builder).build(diagnostics), in("evil.json")));
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"info", in("evil.json")},
                                                      {"info", in("evil.json"), "--find", "time>=0"},
                                                      {"optimize", in("evil.json"), "--optimizer", "scatter"},
                                                      {"compare", in("evil.json"), "--optimizers", "scatter,fails"},
                                                      {"runs"},
                                                      {"runs", "show", "1"},
                                                      {"info", "no\x1b[31m.json"}}) {
        SCOPED_TRACE(testing::PrintToString(arguments));
        const ProgramEnd end = run(arguments);
        for (const char* control : {"\x1b", "\x07", "\u202e", "\x9b"})
            EXPECT_THAT(end.out + end.err, testing::Not(HasSubstr(control)));
    }
    EXPECT_THAT(run({"info", in("evil.json"), "--find", "b"}).out, HasSubstr("a\\u001B[31m\\u202Eb\\nc"));
    EXPECT_EQ(json({"info", in("evil.json"), "--find", "b"})["matches"][0]["name"], name);
}

TEST_F(CliTest, OneIsOneAndNotSeveral) {
    GraphBuilder builder("lone");
    Op op;
    op.name = "only";
    op.type = "Add";
    builder.addOutput(builder.addOp(std::move(op)), Tensor{"t", TensorKind::Activation, DType::F32, true, {2}, -1});
    Diagnostics diagnostics;
    ASSERT_TRUE(writeGraph(*std::move(builder).build(diagnostics), in("lone.json")));
    EXPECT_THAT(run({"optimize", in("lone.json"), "--optimizer", "scatter"}).out, HasSubstr("lone, 1 op, 0 edges"));
    EXPECT_THAT(run({"compare", in("lone.json"), "--optimizers", "scatter"}).out, HasSubstr("lone, 1 op, 0 edges"));
    EXPECT_THAT(run({"info", in("lone.json"), "--find", "only"}).out, HasSubstr("1 of 1 op fits."));
    EXPECT_THAT(run({"info", in("lone.json")}).out, HasSubstr("1 node, 0 edges; 0 nodes became"));
}

TEST_F(CliTest, WhatTheParserRefusesIsSaidInOneClearSentence) {
    const auto said = [&](std::vector<std::string> arguments) {
        const ProgramEnd end = run(arguments);
        expectRefused(end, 2);
        return end.err.substr(13, end.err.find("; see") - 13);
    };
    EXPECT_EQ(said({"info", graph(), "--find"}), "--find needs a value");
    EXPECT_EQ(said({"optimize", graph(), "--optimizer", "scatter", "--seed"}), "--seed needs a value");
    EXPECT_EQ(said({"info", graph(), "more"}), "\"more\" is one word too many");
    EXPECT_EQ(said({"clusters", "--cluster", "p100x4"}), "there is no option \"--cluster\" here");
    EXPECT_EQ(said({"render", graph(), "-o", "x.png", "--theme", "pink"}), "--theme: \"pink\" is none of light, dark");
    EXPECT_EQ(said({"bench", "table1", "-o", "x.csv", "--budget", "x"}),
              "--budget: \"x\" is not a number from 0.01 to 86400");
    EXPECT_EQ(said({"bench", "table1", "-o", "x.csv", "--seeds", "0"}),
              "--seeds: \"0\" is not a number from 1 to 1000");
}

TEST_F(CliTest, TheHelpTellsTheExitStatuses) {
    for (const char* said : {"0 done", "1 it could not be done", "2 wrong usage", "3 stopped"})
        EXPECT_THAT(run({"--help"}).out, HasSubstr(said));
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
        {"simulate", g},
        {"simulate", g, "--plan", in("missing.json")},
        {"simulate", g, "--plan", in("plan.json")},
        {"simulate", g, "--plan", g},
        {"optimize", g, "--optimizer", "scatter", "-o", in("no/such/folder/plan.json")},
        {"runs", "show", "99"},
        {"render", g, "-o", in("no/such/folder/x.png")},
        {"zoo", "write", "rnnlm2", "-o", in("no/such/folder/x.json")},
        {"bench", "baselines", "--workloads", "rnnlm2", "--presets", "small", "--methods", "scatter", "-o",
         in("no/such/folder/x.csv")},
        {"runs", "plan", "99", "-o", in("x.json")},
        {"runs", "plan", "1", "-o", in("no/such/folder/x.json")},
        {"runs", "export", "1", "99", "-o", in("x.opscape-runs")},
        {"runs", "export", "1", "-o", in("no/such/folder/x.opscape-runs")},
        {"runs", "import", in("garbage.onnx")},
        {"runs", "import", in("missing.opscape-runs")},
        {"runs", "tag", "1", "99", "--tag", "x"},
        {"runs", "note", "99", "x"},
        {"runs", "pin", "99"},
        {"runs", "delete", "99"},
        {"runs", "bring-back", "99"},
        {"runs", "again", "99"},
        {"runs", "again", "1", "--set", "unheard-of=1"},
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
