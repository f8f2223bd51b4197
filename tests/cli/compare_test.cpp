// SPDX-License-Identifier: MIT
// Comparing kept runs, taking what is kept, and the report.
#include "cli_fixture.h"

#include <opscape/base/paths.h>

namespace opscape::test {
namespace {

using testing::HasSubstr;

class CliCompare : public CliTest {
protected:
    CliCompare() {
        for (const char* seed : {"1", "2"}) {
            const ProgramEnd end =
                run({"optimize", graph(), "--cluster", "p100x2", "--optimizer", "scatter", "--seed", seed});
            EXPECT_EQ(end.status, 0) << end.err;
        }
    }
};

TEST_F(CliCompare, KeptRunsAreComparedWithoutTheirFile) {
    std::filesystem::remove(graph());
    const auto compared = json({"compare", "--runs", "1,2"});
    ASSERT_EQ(compared["runs"].size(), 2U);
    for (const auto& run : compared["runs"]) {
        const auto kept = store().get(run["run_id"].get<std::int64_t>());
        ASSERT_TRUE(kept.has_value());
        EXPECT_EQ(run["makespan_ns"], kept->result->makespanNs);
        EXPECT_EQ(run["bytes_moved"], kept->result->bytesMoved);
        EXPECT_EQ(run["devices"].size(), 2U);
        EXPECT_GE(run["cut_edges"], 0);
    }
    EXPECT_EQ(compared["runs"][0]["placed_elsewhere"], 0);
    EXPECT_EQ(store().list()->size(), 2U) << "nothing is run";
}

TEST_F(CliCompare, RunsOfDifferentGraphsAreRefused) {
    ASSERT_EQ(run({"optimize", OPSCAPE_SOURCE_DIR "/data/graphs/textbook_a.json", "--cluster", "p100x2", "--optimizer",
                   "scatter"})
                  .status,
              0);
    const ProgramEnd end = run({"compare", "--runs", "1,3"});
    expectRefused(end, 1);
    EXPECT_THAT(end.err, HasSubstr("different graphs"));
}

TEST_F(CliCompare, WhatIsKeptIsTakenAndOnlyTheRestIsRun) {
    const auto compared =
        json({"compare", graph(), "--cluster", "p100x2", "--optimizers", "scatter,learns", "--reuse"});
    EXPECT_EQ(compared["runs"][0]["run_id"], 2) << "the newest one of these options";
    EXPECT_EQ(compared["runs"][1]["run_id"], 3);
    EXPECT_GT(compared["runs"][1]["simulations"], 0);
    const auto again = json({"compare", graph(), "--cluster", "p100x2", "--optimizers", "scatter,learns", "--reuse"});
    EXPECT_EQ(again["runs"][1]["run_id"], 3);
    EXPECT_EQ(store().list()->size(), 3U);
}

TEST_F(CliCompare, TheReportSaysHowItWasMade) {
    const std::string file = in("report.html");
    const ProgramEnd end = run({"compare", "--runs", "1,2", "--report", file});
    ASSERT_EQ(end.status, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr(file + ": the report"));
    const std::string html = *readFile(file);
    EXPECT_THAT(html, HasSubstr("compare --runs 1,2 --report"));
    EXPECT_THAT(html, HasSubstr(store().get(1)->graphHash));
    EXPECT_THAT(html, HasSubstr(store().get(1)->clusterHash));
    const std::string pdf = in("report.pdf");
    ASSERT_EQ(run({"compare", "--runs", "1,2", "--report", pdf}).status, 0);
    EXPECT_TRUE(readFile(pdf)->starts_with("%PDF"));
}

} // namespace
} // namespace opscape::test
