// SPDX-License-Identifier: MIT
// Every optimizer that says it keeps a checkpoint goes on from it: to the very plan of a run that was never stopped.
#include "contract/plugins.h"
#include "support/sentence.h"
#include "support/stop_after.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <map>

namespace opscape::test {
namespace {

/// Small, so that a training takes a moment; one that is not here takes its defaults.
const std::map<std::string, std::vector<std::string>> kSmall{
    {"go", {"hidden=16", "samples=16", "share=0.7"}},
    {"hdp", {"lstm=16", "grouper=8", "groups=8", "batch=4", "rate=0.01"}}};

bool resumes(const OptimizerInfo& info) {
    const auto has = [&info](const char* name) {
        return std::ranges::count(info.options, name, &OptionSpec::name) > 0;
    };
    return has("checkpoint") && has("resume-from");
}

class EveryResume : public testing::Test {
protected:
    [[nodiscard]] Result<Plan> solve(const std::string& id, std::vector<std::string> set,
                                     const RunContext& context = {}) const {
        if (const auto at = kSmall.find(id); at != kSmall.end())
            set.insert(set.begin(), at->second.begin(), at->second.end());
        set.push_back(m_budget);
        return solved(id, m_problem, context, set);
    }
    static Problem someProblem(std::uint64_t seed) {
        Random random(seed);
        return makeTestProblem(randomGraph(random, 40, true), {.devices = 3, .latencyNs = 20});
    }
    template <class Test>
    void forEach(const Test& test) {
        int count = 0;
        for (const OptimizerInfo* info : plugins().optimizers()) {
            if (!resumes(*info))
                continue;
            SCOPED_TRACE(info->id);
            std::filesystem::remove(m_file);
            test(info->id);
            ++count;
        }
        EXPECT_GE(count, 2);
    }

    TemporaryFolder m_folder;
    std::string m_file = (m_folder / "training").string();
    Problem m_problem = someProblem(5);
    std::string m_budget = "simulations=300";
};

TEST_F(EveryResume, EndsAsIfItHadNeverBeenStopped) {
    forEach([this](const std::string& id) {
        for (const char* budget : {"simulations=300", "updates=12"}) {
            m_budget = budget;
            std::vector<CurvePoint> curve;
            RunContext wholeContext;
            wholeContext.curve = [&](const CurvePoint& point) { curve.push_back(point); };
            const auto whole = solve(id, {}, wholeContext);
            ASSERT_TRUE(whole) << whole.error().message;
            for (const int after : {1, 5}) {
                SCOPED_TRACE(fmt::format("{}, stopped after {} updates", budget, after));
                StopAfter stopped(after);
                ASSERT_TRUE(solve(id, {"checkpoint=" + m_file}, stopped.context));
                std::vector<CurvePoint> rest;
                std::optional<Resumed> told;
                RunContext again;
                again.curve = [&](const CurvePoint& point) { rest.push_back(point); };
                again.resumed = [&](const Resumed& resumed) { told = resumed; };
                const auto resumed = solve(id, {"resume-from=" + m_file, "checkpoint=" + m_file}, again);
                ASSERT_TRUE(resumed) << resumed.error().message;
                EXPECT_EQ(*resumed, *whole);
                ASSERT_TRUE(told);
                EXPECT_FALSE(told->onlyNetwork);
                ASSERT_FALSE(rest.empty());
                EXPECT_EQ(rest.front().update, told->updates + 1);
                EXPECT_EQ(rest.back().simulations, curve.back().simulations);
                EXPECT_EQ(rest.back().bestNs, curve.back().bestNs);
                EXPECT_EQ(rest.back().reward, curve.back().reward);
                EXPECT_EQ(rest.back().entropy, curve.back().entropy);
            }
        }
    });
}

TEST_F(EveryResume, TellsTheEndOfItsCurveAgainWhereItIsTheSameRun) {
    forEach([this](const std::string& id) {
        m_budget = "updates=6";
        ASSERT_TRUE(solve(id, {"checkpoint=" + m_file}));
        m_budget = "updates=9";
        std::vector<std::int64_t> updates;
        RunContext context;
        context.goesOn = true;
        context.curve = [&](const CurvePoint& point) { updates.push_back(point.update); };
        ASSERT_TRUE(solve(id, {"resume-from=" + m_file}, context));
        EXPECT_EQ(updates, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
    });
}

TEST_F(EveryResume, ABudgetThatIsSpentGivesTheBestPlanOfTheFile) {
    forEach([this](const std::string& id) {
        m_budget = "updates=6";
        const auto whole = solve(id, {"checkpoint=" + m_file});
        ASSERT_TRUE(whole);
        int updates = 0;
        RunContext context;
        context.curve = [&](const CurvePoint&) { ++updates; };
        const auto again = solve(id, {"resume-from=" + m_file}, context);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(*again, *whole);
        EXPECT_EQ(updates, 0);
    });
}

TEST_F(EveryResume, SaysInOneSentenceWhyAFileIsNoUse) {
    forEach([this](const std::string& id) {
        m_budget = "updates=3";
        ASSERT_TRUE(solve(id, {"checkpoint=" + m_file}));
        std::string damaged = readFile(m_file).value_or("");
        ASSERT_FALSE(damaged.empty());
        damaged[damaged.size() / 2] ^= 1;
        for (const std::string& bytes : {damaged, std::string("no training"), std::string()}) {
            ASSERT_TRUE(writeFile(m_file, bytes));
            const auto plan = solve(id, {"resume-from=" + m_file});
            ASSERT_FALSE(plan);
            EXPECT_THAT(plan.error().message, IsOneSentence());
        }
        const auto nowhere = solve(id, {"checkpoint=" + (m_folder / "no/such/folder/x").string()});
        ASSERT_FALSE(nowhere) << "better now than when much is lost";
        EXPECT_THAT(nowhere.error().message, IsOneSentence());
    });
}

TEST_F(EveryResume, HdpRefusesTheTrainingOfAnotherProblemOrOfOtherNetworks) {
    ASSERT_TRUE(solve("hdp", {"checkpoint=" + m_file}));
    const auto other = solve("hdp", {"resume-from=" + m_file, "lstm=24"});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, IsOneSentence());
    m_problem = someProblem(6);
    const auto elsewhere = solve("hdp", {"resume-from=" + m_file});
    ASSERT_FALSE(elsewhere);
    EXPECT_THAT(elsewhere.error().message, IsOneSentence());
}

} // namespace
} // namespace opscape::test
