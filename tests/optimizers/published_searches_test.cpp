// SPDX-License-Identifier: MIT
// The searches on the published placement problems, where a split need not be contiguous.
#include "optimizers/published_problems.h"

namespace opscape::test {
namespace {

using PublishedSearches = PublishedProblem;

TEST_F(PublishedSearches, AreNeverWorseThanTheirStart) {
    const std::map<std::string, std::string> budget{{"simulations", "2000"}};
    for (const char* name : {kBertInference, kBertTraining, kGnmtInference, kOperatorBertInference}) {
        Problem p = problem(name);
        p.start = *solved("contiguous", p);
        const double start = periodMs(p, *p.start);
        for (const char* optimizer : {"anneal", "refine", "portfolio"}) {
            SCOPED_TRACE(std::string(optimizer) + " on " + name);
            EXPECT_LE(periodMs(p, solved(optimizer, p,
                                         m_registry.optimizer(optimizer).value()->options.empty()
                                             ? std::map<std::string, std::string>()
                                             : budget)),
                      start);
        }
    }
}

TEST_F(PublishedSearches, FindAShorterPeriodThanAnyContiguousSplit) {
    Problem p = problem(kBertInference);
    const auto start = solved("contiguous", p);
    const double contiguous = periodMs(p, start);
    EXPECT_NEAR(contiguous, 17.7899, 5e-5);
    p.start = *start;
    const double found = periodMs(p, solved("refine", p, {{"simulations", "20000"}}));
    EXPECT_LT(found, contiguous);
    EXPECT_GE(found, 15.26) << "the proven bound";
}

/// The searches shorten what they are asked to.
TEST_F(PublishedSearches, MinimiseTheObjectiveOfTheProblem) {
    Problem p = problem(kBertInference);
    const auto pipelined = solved("refine", p, {{"simulations", "5000"}});
    p.objective = Objective::StepTime;
    const auto stepped = solved("refine", p, {{"simulations", "5000"}});
    ASSERT_TRUE(pipelined && stepped);
    EXPECT_LT(pipelineReport(p, *pipelined).periodNs, pipelineReport(p, *stepped).periodNs / 2);
    EXPECT_LE(simulate(p, *stepped)->makespanNs, simulate(p, *pipelined)->makespanNs);
}

} // namespace
} // namespace opscape::test
