// SPDX-License-Identifier: MIT
#include "cli_fixture.h"

namespace opscape::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class CliRenderTest : public CliTest {
protected:
    /// Renders to a file and returns its bytes.
    [[nodiscard]] std::string render(std::vector<std::string> arguments, const char* name) const {
        arguments.insert(arguments.begin(), "render");
        arguments.insert(arguments.end(), {"-o", in(name)});
        const ProgramEnd end = run(arguments);
        EXPECT_EQ(end.status, 0);
        EXPECT_EQ(end.err, "");
        EXPECT_THAT(end.out, HasSubstr(in(name)));
        return readFile(in(name)).value_or("");
    }
    /// Width and height stand in the header of a PNG, the highest byte first.
    static std::pair<int, int> sizeOfPng(const std::string& bytes) {
        EXPECT_THAT(bytes, StartsWith("\x89PNG"));
        const auto number = [&bytes](std::size_t at) {
            int value = 0;
            for (std::size_t i = 0; i < 4; ++i)
                value = value * 256 + static_cast<unsigned char>(bytes.at(at + i));
            return value;
        };
        return {number(16), number(20)};
    }
};

TEST_F(CliRenderTest, DrawsAGraphInEveryFormatWithoutADisplay) {
    ::unsetenv("DISPLAY");
    ::unsetenv("QT_QPA_PLATFORM");
    EXPECT_GT(sizeOfPng(render({graph()}, "g.png")).second, 200);
    EXPECT_THAT(render({graph()}, "g.svg"), HasSubstr("<svg"));
    EXPECT_THAT(render({graph()}, "g.dot"), HasSubstr("digraph"));
    EXPECT_THAT(render({graph()}, "g.pdf"), StartsWith("%PDF"));
    ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
}

TEST_F(CliRenderTest, TakesTheSizeAndThemeItIsGiven) {
    EXPECT_EQ(sizeOfPng(render({graph(), "--size", "640x360"}, "g.png")), std::pair(640, 360));
    EXPECT_NE(render({graph(), "--theme", "dark"}, "dark.png"), render({graph()}, "light.png"));
}

TEST_F(CliRenderTest, ColoursStandForWhatIsAskedFor) {
    const std::string plain = render({graph()}, "plain.svg");
    const std::string memory = render({graph(), "--colour-by", "memory"}, "memory.svg");
    EXPECT_NE(memory, plain);
    EXPECT_THAT(memory, HasSubstr("Memory an op allocates"));
    EXPECT_THAT(render({graph(), "--colour-by", "type"}, "type.svg"), HasSubstr("Type of op"));
    const ProgramEnd end = run({"render", graph(), "--attribute", "no_such", "-o", in("x.svg")});
    EXPECT_EQ(end.status, 1);
    EXPECT_THAT(end.err, HasSubstr("no_such"));
}

TEST_F(CliRenderTest, SaysWhatThePictureCannotShow) {
    ASSERT_EQ(run({"optimize", graph(), "--optimizer", "scatter", "-o", in("plan.json")}).status, 0);
    const auto errorOf = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"render", graph(), "--plan", in("plan.json"), "-o", in("x.png")};
        words.insert(words.end(), more.begin(), more.end());
        const ProgramEnd end = run(words);
        EXPECT_EQ(end.status, 0) << end.err;
        return end.err;
    };
    const std::string cut = errorOf({"--what", "gantt", "--size", "300x100"});
    EXPECT_THAT(cut, testing::MatchesRegex("opscape-cli: --size: [0-9]+ of [0-9]+ lanes do not fit into 100 pixels; a "
                                           "height of [0-9]+ shows all.\n"));
    const std::string height = cut.substr(cut.find("height of ") + 10, 3);
    EXPECT_EQ(errorOf({"--what", "gantt", "--size", "300x" + height}), "");
    EXPECT_EQ(errorOf({"--what", "gantt"}), "");
    EXPECT_EQ(errorOf({"--colour-by", "priority"}),
              "opscape-cli: --colour-by priority: the plan has no priorities, so that the ops are of one colour.\n");
    EXPECT_EQ(errorOf({"--colour-by", "device"}), "");
    EXPECT_THAT(run({"render", graph(), "--colour-by", "fusion", "-o", in("x.png")}).err,
                HasSubstr("without --plan or --run there are no fused ops"));
}

TEST_F(CliRenderTest, DrawsAPlanAsScheduleOrOnTheGraph) {
    ASSERT_EQ(run({"optimize", graph(), "--optimizer", "scatter", "--seed", "3", "-o", in("plan.json")}).status, 0);
    const std::string gantt = render({graph(), "--plan", in("plan.json")}, "gantt.png");
    EXPECT_EQ(sizeOfPng(gantt).first, 1600);
    EXPECT_EQ(render({graph(), "--plan", in("plan.json"), "--what", "gantt"}, "again.png"), gantt);
    EXPECT_EQ(render({"--run", "1"}, "run.png"), gantt) << "a run is drawn as its plan is";
    EXPECT_EQ(render({graph(), "--run", "1"}, "run2.png"), gantt);
    EXPECT_EQ(store().list()->size(), 1u) << "drawing keeps no run";
    EXPECT_NE(render({"--run", "1", "--what", "gantt", "--colour-by", "type"}, "typed.png"), gantt);
    const std::string placed = render({graph(), "--plan", in("plan.json"), "--what", "graph"}, "placed.png");
    EXPECT_NE(placed, render({graph()}, "plain.png"));
    EXPECT_EQ(render({"--run", "1", "--what", "graph"}, "run3.png"), placed);
    const auto said = json({"render", "--run", "1", "-o", in("said.svg")});
    EXPECT_EQ(said["picture"], in("said.svg"));
    EXPECT_EQ(said["what"], "gantt");
    EXPECT_EQ(said["run"]["run_id"], 1);
}

TEST_F(CliRenderTest, WritesTheScheduleAsTableAndAsTrace) {
    ASSERT_EQ(run({"optimize", graph(), "--optimizer", "scatter", "--seed", "3"}).status, 0);
    EXPECT_THAT(render({"--run", "1"}, "schedule.csv"), StartsWith("kind,name,type,lane,start_ns"));
    const auto trace = nlohmann::json::parse(render({"--run", "1"}, "schedule.json"), nullptr, false);
    ASSERT_FALSE(trace.is_discarded());
    EXPECT_GT(trace["traceEvents"].size(), 4u);
    EXPECT_EQ(json({"render", "--run", "1", "-o", in("again.json")})["what"], "trace");
    expectRefused(run({"render", graph(), "-o", in("none.csv")}), 1);
    expectRefused(run({"render", "--run", "1", "--what", "graph", "-o", in("none.json")}), 2);
}

TEST_F(CliRenderTest, RefusesWhatItCannotDraw) {
    ASSERT_EQ(run({"optimize", graph(), "--optimizer", "scatter"}).status, 0);
    ASSERT_EQ(run({"optimize", graph(), "--optimizer", "fails"}).status, 1);
    const std::string other = writeSmallGraph(std::filesystem::path(graph()).parent_path(), "other").string();
    const std::vector<std::vector<std::string>> impossible{
        {"render", graph(), "-o", in("g.tea")},
        {"render", graph(), "-o", in("no/such/folder/g.png")},
        {"render", other, "--run", "1", "-o", in("g.png")},
        {"render", "--run", "2", "-o", in("g.png")},
    };
    for (const auto& arguments : impossible) {
        SCOPED_TRACE(testing::PrintToString(arguments));
        expectRefused(run(arguments), 1);
    }
}

} // namespace
} // namespace opscape::test
