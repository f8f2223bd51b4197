// SPDX-License-Identifier: MIT
// Tables of results as the command line makes them and reports on them.
#include "cli_fixture.h"

#include <opscape/base/paths.h>

namespace opscape::test {
namespace {

using testing::HasSubstr;

class CliBenchTest : public CliTest {
protected:
    CliBenchTest() { ::unsetenv("OPSCAPE_PLUGINS"); }

    [[nodiscard]] std::vector<std::string> bench(const char* study, std::vector<std::string> more) const {
        std::vector<std::string> words{"bench", study, "--preset", "small", "-o", in("table.csv")};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

TEST_F(CliBenchTest, SaysWhoWinsAndWhatIsMissing) {
    ASSERT_TRUE(writeFile(in("table.csv"),
                          "workload,preset,devices,optimizer,scheduler,fuser,seed,budget_s,step_time_ns,lower_bound_ns,"
                          "feasible,wall_s,simulations\n"
                          "rnnlm2,small,2,single,fifo,none,1,0,3000000,1000000,yes,0,0\n"
                          "rnnlm2,small,2,framework,fifo,elementwise,1,0,2000000,1000000,yes,0,0\n"));
    const auto report = bench("multitask", {"--workloads", "rnnlm2", "--methods", "single,framework", "--report"});
    const ProgramEnd end = run(report);
    EXPECT_EQ(end.status, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("3.00 ms"));
    EXPECT_THAT(end.out, HasSubstr("100.0%")) << "the gap to the bound";
    EXPECT_THAT(end.out, HasSubstr("Missing: 2 of 4 rows\n  single: 2 rows, on rnnlm2\n"));
    const auto facts = json(report);
    EXPECT_EQ(facts["rows"], 2);
    EXPECT_EQ(facts["missing"].size(), 2u);
    EXPECT_EQ(facts["missing"].at(0)["scheduler"], "rank");
}

TEST_F(CliBenchTest, MakesATableAndTheSameCommandDoesNothingMore) {
    const auto words = bench(
        "table1", {"--workloads", "rnnlm2", "--methods", "single,refine", "--budget", "0.05,0.1", "--seeds", "2"});
    const ProgramEnd first = run(words);
    EXPECT_EQ(first.status, 0) << first.err;
    EXPECT_THAT(first.out, HasSubstr("19 rows in "));
    EXPECT_THAT(first.out, testing::Not(HasSubstr("Missing")));
    const std::string table = *readFile(in("table.csv"));
    EXPECT_THAT(table, HasSubstr("\n# opscape-cli "));
    EXPECT_THAT(table, HasSubstr("\nrnnlm2,small,2,refine,own,none,2,0.1,"));
    EXPECT_THAT(*readFile(in("table_progress.csv")), HasSubstr("\nrnnlm2,small,refine,2,0.1,"));
    EXPECT_EQ(run(words).out, first.out);
    EXPECT_EQ(*readFile(in("table.csv")), table);
}

TEST_F(CliBenchTest, RefusesWhatIsNotThere) {
    expectRefused(run(bench("table1", {"--methods", "unheard-of"})), 2);
    expectRefused(run(bench("table1", {"--budget", "0"})), 2);
    expectRefused(run(bench("table1", {"--methods", "single", "--workloads", "resnet50"})), 1);
}

} // namespace
} // namespace opscape::test
