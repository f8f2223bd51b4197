// SPDX-License-Identifier: MIT
// The layout must survive whatever the helper program does: scripts stand in for helpers that crash, hang and lie.
#include "layout_graphs.h"

#include <opscape/layout/arrangement.h>
#include <opscape/layout/dot_process.h>

#include <sys/wait.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace opscape {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHelper = OPSCAPE_BINARY_DIR "/bin/opscape-layout";

/// K(3,3) with a twist: it cannot be drawn without crossings, so dot is asked.
BoxProblem tangled() {
    BoxProblem problem;
    for (int i = 0; i < 6; ++i)
        problem.boxes.push_back({80, 30});
    for (int a = 0; a < 3; ++a) {
        for (int b = 3; b < 6; ++b)
            problem.edges.push_back({a, b});
    }
    return problem;
}

class DotProcessTest : public testing::Test {
protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / ("opscape-dot-" + std::to_string(::getpid()));
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }

    std::string script(const std::string& body) {
        const fs::path path = m_folder / "helper.sh";
        std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
        fs::permissions(path, fs::perms::owner_all);
        return path.string();
    }

    /// Nothing is improved, and nothing else happens.
    void expectFallsBack(const std::string& helper) {
        DotProcess dot(helper);
        const BoxProblem problem = tangled();
        const Arrangement own = arrange(problem);
        ASSERT_GT(own.crossings(), 0) << "dot would not be asked";
        for (int i = 0; i < 3; ++i) {
            dot.renewBudget();
            EXPECT_FALSE(improved(problem, own, dot, {}).has_value());
        }
    }

    fs::path m_folder;
};

TEST_F(DotProcessTest, AHealthyHelperAnswersAgainAndAgainTheSame) {
    DotProcess dot(kHelper);
    const auto first = dot.layout(tangled());
    ASSERT_TRUE(first.has_value());
    ASSERT_EQ(first->corners.size(), 6U);
    ASSERT_EQ(first->paths.size(), 9U);
    EXPECT_LT(first->corners[0].y, first->corners[3].y) << "y runs downwards";
    for (int i = 0; i < 20; ++i) {
        const auto again = dot.layout(tangled());
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(again->corners, first->corners);
        EXPECT_EQ(again->paths, first->paths);
    }
    EXPECT_EQ(dot.failures(), 0);
}

TEST_F(DotProcessTest, AMissingHelperFallsBack) { expectFallsBack((m_folder / "none").string()); }

TEST_F(DotProcessTest, AHelperThatEndsAtOnceFallsBack) { expectFallsBack(script("exit 3")); }

TEST_F(DotProcessTest, AHelperKilledWhileItWorksFallsBack) {
    expectFallsBack(script("head -c 20 > /dev/null; kill -9 $$"));
}

TEST_F(DotProcessTest, AHelperThatAnswersHalfFallsBack) {
    expectFallsBack(script("head -c 20 > /dev/null; printf 'OPL2\\0\\0\\0\\0\\377\\0\\0\\0half'; exit 0"));
}

TEST_F(DotProcessTest, AHelperThatEchoesItsInputFallsBack) { expectFallsBack("/bin/cat"); }

TEST_F(DotProcessTest, AHelperThatHangsIsKilledAndAskedAgainNextTime) {
    DotProcess dot(script("exec sleep 600"));
    EXPECT_FALSE(dot.layout(tangled()).has_value());
    EXPECT_EQ(dot.failures(), 0) << "slow is not broken";
}

TEST_F(DotProcessTest, ABrokenHelperIsGivenUpAfterAFewTries) {
    const fs::path count = m_folder / "count";
    DotProcess dot(script("echo x >> " + count.string() + "; exit 1"));
    for (int i = 0; i < 50; ++i) {
        dot.renewBudget();
        EXPECT_FALSE(dot.layout(tangled()).has_value());
    }
    EXPECT_EQ(dot.failures(), DotProcess::kMostFailures);
    std::ifstream in(count);
    int starts = 0;
    for (std::string line; std::getline(in, line);)
        ++starts;
    EXPECT_LE(starts, DotProcess::kMostFailures);
}

TEST_F(DotProcessTest, AProblemTooLargeForDotIsNotAsked) {
    BoxProblem large;
    large.boxes.assign(1000, {10, 10});
    DotProcess dot("/nonexistent");
    EXPECT_FALSE(dot.layout(large).has_value());
    EXPECT_EQ(dot.failures(), 0);
}

TEST_F(DotProcessTest, AStopKillsTheHelperAtWorkAndIsNoTimeLost) {
    const fs::path count = m_folder / "count";
    DotProcess dot(script("echo x >> " + count.string() + "; exec sleep 600"));
    constexpr int kStops = 6; // as many time limits would be more than is lost to slow answers
    for (int i = 0; i < kStops; ++i) {
        std::stop_source stop;
        const std::jthread someone([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(60));
            stop.request_stop();
        });
        EXPECT_FALSE(dot.layout(tangled(), stop.get_token()).has_value());
        EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
    }
    EXPECT_EQ(dot.failures(), 0);
    std::ifstream in(count);
    int starts = 0;
    for (std::string line; std::getline(in, line);)
        ++starts;
    EXPECT_GE(starts, 3) << "it is asked again after a stop";
}

TEST_F(DotProcessTest, AGraphIsDrawnWithAnyOfTheseHelpers) {
    const Graph graph = randomGraph(2, 100);
    const ScopeTree scopes(graph);
    const GraphScene own = GraphLayout().layout(graph, scopes, everyScope(scopes));
    GraphLayout layout(script("exit 1"));
    for (int round = 0; round < 2; ++round) {
        const GraphScene scene = layout.layout(graph, scopes, everyScope(scopes));
        ASSERT_EQ(own.nodes.size(), scene.nodes.size());
        for (std::size_t i = 0; i < own.nodes.size(); ++i)
            EXPECT_EQ(own.nodes[i].rect, scene.nodes[i].rect);
        EXPECT_FALSE(layout.improve());
    }
}

} // namespace
} // namespace opscape
