// SPDX-License-Identifier: MIT
#include "cli_fixture.h"

#include <opscape/base/paths.h>
#include <opscape/io/format.h>

namespace opscape::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class CliConvertTest : public CliTest {};

TEST_F(CliConvertTest, WritesEveryFormatOfTheTableFromAPlan) {
    ASSERT_EQ(run({"optimize", graph(), "--optimizer", "scatter", "-o", in("plan.json")}).status, 0);
    for (const GraphFormat& format : graphFormats()) {
        if (format.write == nullptr)
            continue;
        const std::string id(format.id);
        const auto json =
            this->json({"convert", graph(), "--plan", in("plan.json"), "--format", id, "-o", in(id.c_str())});
        EXPECT_EQ(json["format"], id);
        EXPECT_EQ(json["ops"], 4);
        EXPECT_EQ(json["bytes"], readFile(in(id.c_str())).value_or("").size());
        if (format.read != nullptr) {
            EXPECT_EQ(this->json({"info", in(id.c_str())})["ops"], 4) << id;
        }
    }
}

TEST_F(CliConvertTest, TheExtensionChoosesTheFormatAndLossesAreSaid) {
    const ProgramEnd end = run({"convert", graph(), "-o", in("g.dot")});
    EXPECT_EQ(end.status, 0) << end.err;
    EXPECT_THAT(end.out, AllOf(HasSubstr(" as dot, 4 ops, 4 edges, "),
                               HasSubstr("Inputs, weights, constants and optimizer state that are not written (2)")));
    EXPECT_THAT(readFile(in("g.dot")).value_or(""), StartsWith("digraph \"small\" {"));
}

TEST_F(CliConvertTest, AClusterGivesTimesAndAnOptimizerDevices) {
    ASSERT_EQ(run({"convert", graph(), "-o", in("plain.csv")}).status, 0);
    ASSERT_EQ(run({"convert", graph(), "-o", in("timed.csv"), "--cluster", "p100x4"}).status, 0);
    ASSERT_EQ(run({"convert", graph(), "-o", in("placed.csv"), "--optimizer", "scatter"}).status, 0);
    EXPECT_THAT(readFile(in("plain.csv")).value_or(""), HasSubstr("\njoin,Add,forward,,,,"));
    EXPECT_THAT(readFile(in("timed.csv")).value_or(""), testing::Not(HasSubstr("\njoin,Add,forward,,,,")));
    EXPECT_THAT(readFile(in("placed.csv")).value_or(""), HasSubstr("\njoin,Add,forward,,gpu:"));
    ASSERT_EQ(this->run({"convert", "--run", "1", "-o", in("again.csv")}).status, 0);
    EXPECT_EQ(readFile(in("again.csv")).value_or("again"), readFile(in("placed.csv")).value_or("placed"));
}

TEST_F(CliConvertTest, RefusesWhatCannotBeWrittenInOneSentence) {
    expectRefused(run({"convert", graph(), "-o", in("g.png")}), 2);
    expectRefused(run({"convert", graph(), "-o", in("g.csv"), "--format", "csv-schedule"}), 1);
    expectRefused(run({"convert", graph(), "-o", in("g.csv"), "--format", "no-such"}), 2);
    expectRefused(run({"convert", "-o", in("g.csv")}), 2);
    expectRefused(run({"convert", graph(), "-o", in("g.csv"), "--optimizer", "no-such"}), 1);
    EXPECT_FALSE(std::filesystem::exists(in("g.csv")));
}

TEST_F(CliConvertTest, InfoTellsDepthAndParameters) {
    const auto json = this->json({"info", graph()});
    EXPECT_EQ(json["depth"], 3);
    EXPECT_EQ(json["parameters"], 256 * 256);
    EXPECT_EQ(json["parameter_bytes"], 4 * 256 * 256);
    EXPECT_EQ(json["scope_depth"], 1);
}

} // namespace
} // namespace opscape::test
