// SPDX-License-Identifier: MIT
// What a file says of a plan, on the command line.
#include "cli_fixture.h"
#include "support/scheduled_module.h"

#include <opscape/base/paths.h>

#include <gmock/gmock.h>

namespace opscape::test {
namespace {

using testing::HasSubstr;

class CliFilePlanTest : public CliTest {
protected:
    CliFilePlanTest() {
        // The optimizers of the product: one of them places what the file leaves open.
        ::unsetenv("OPSCAPE_PLUGINS");
        if (!writeFile(in("step.hlo"), kScheduledModule))
            throw std::runtime_error("no module");
    }
};

TEST_F(CliFilePlanTest, InfoTellsWhatTheFileSays) {
    const auto info = json({"info", in("step.hlo")});
    EXPECT_EQ(info["fused_groups"], 1);
    EXPECT_EQ(info["fused_ops"], 2);
    EXPECT_EQ(info["is_scheduled"], true);
    EXPECT_EQ(info["placed_ops"], 0);
    EXPECT_THAT(run({"info", in("step.hlo")}).out, HasSubstr("1 fused group of 2 ops; scheduled\n"));
    EXPECT_THAT(run({"info", graph()}).out, HasSubstr("no fused groups; not scheduled\n"));
}

TEST_F(CliFilePlanTest, SimulateTakesThePlanOfTheFileWhereNoneIsNamed) {
    const auto result = json({"simulate", in("step.hlo"), "--cluster", "p100x2"});
    EXPECT_EQ(result["optimizer"], "as in the file");
    EXPECT_EQ(result["notes"], "Fused and ordered as in the file, on one device.");
    const std::string id = std::to_string(result["run_id"].get<int>());
    const ProgramEnd shown = run({"runs", "show", id});
    EXPECT_THAT(shown.out, HasSubstr("as in the file\n"));
    EXPECT_THAT(shown.out, HasSubstr("for this fusion"));
    ASSERT_EQ(run({"runs", "plan", id, "-o", in("plan.json")}).status, 0);
    const auto given = json({"simulate", in("step.hlo"), "--cluster", "p100x2", "--plan", in("plan.json")});
    EXPECT_EQ(given["makespan_ns"], result["makespan_ns"]);
    EXPECT_TRUE(given["optimizer"].is_null());
}

TEST_F(CliFilePlanTest, SimulateSaysWhatIsMissing) {
    expectRefused(run({"simulate", graph()}), 1);
    EXPECT_THAT(run({"simulate", graph()}).err, HasSubstr("name one with --plan"));
    ASSERT_EQ(run({"convert", graph(), "--optimizer", "expert", "--cluster", "p100x8", "-o", in("placed.json")}).status,
              0);
    EXPECT_EQ(json({"simulate", in("placed.json"), "--cluster", "p100x8"})["notes"], "Placed as in the file.");
    std::string text = *readFile(in("placed.json"));
    text.replace(text.find("gpu:"), 5, "tpu:0");
    ASSERT_TRUE(writeFile(in("placed.json"), text));
    const ProgramEnd end = run({"simulate", in("placed.json")});
    expectRefused(end, 1);
    EXPECT_THAT(end.err, HasSubstr("body/in on tpu:0"));
}

TEST_F(CliFilePlanTest, ConvertSaysThatAPlanIsNoPartOfTheGraph) {
    const auto written = json({"convert", in("step.hlo"), "-o", in("step.json")});
    ASSERT_EQ(written["not_written"].size(), 1u);
    EXPECT_EQ(written["not_written"][0]["code"], "plan-of-file");
    EXPECT_EQ(written["not_written"][0]["examples"],
              (std::vector<std::string>{"1 fused group", "the order of the ops"}));
}

} // namespace
} // namespace opscape::test
