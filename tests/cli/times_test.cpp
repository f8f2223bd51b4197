// SPDX-License-Identifier: MIT
// Measured times on the command line.
#include "cli_fixture.h"

#include <opscape/base/paths.h>
#include <opscape/io/format.h>

#include <gmock/gmock.h>

namespace opscape::test {
namespace {

using testing::HasSubstr;

TEST_F(CliTest, ImportedTimesAreInTheGraphThatIsWritten) {
    ASSERT_TRUE(writeFile(in("times.csv"), "op,device,time_us\nbody/in,gpu,3\nbody/in,gpu,5\ngone,gpu,1\n"));
    const auto said = json({"import-times", graph(), in("times.csv"), "-o", in("timed.json")});
    EXPECT_EQ(said["said"],
              "1 op got a time from 2 measurements, 3 ops got none, 1 measured name is no op of the graph.");
    EXPECT_FALSE(said["problems"].empty());
    const auto file = readGraph(std::filesystem::path(in("timed.json")));
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_EQ(file->graph.op(file->graph.findOp("body/in")).timeNs, (TimesByKind{{"gpu", 4000}}));
    EXPECT_THAT(run({"import-times", graph(), in("times.csv"), "-o", in("timed.json")}).out,
                testing::AllOf(HasSubstr("1 op got a time"), HasSubstr("gone")));
}

TEST_F(CliTest, TimesThatFitNothingAreRefused) {
    ASSERT_TRUE(writeFile(in("times.csv"), "op,device,time_us\ngone,gpu,3\n"));
    expectRefused(run({"import-times", graph(), in("times.csv"), "-o", in("timed.json")}), 1);
    EXPECT_FALSE(std::filesystem::exists(in("timed.json")));
    expectRefused(run({"import-times", graph(), in("none.csv"), "-o", in("timed.json")}), 1);
    expectRefused(run({"import-times", graph(), in("times.csv"), "-o", in("no/folder/timed.json")}), 1);
}

} // namespace
} // namespace opscape::test
