// SPDX-License-Identifier: MIT
#include <opscape/base/run_context.h>

#include <gtest/gtest.h>

#include <ctime>
#include <thread>

namespace opscape {
namespace {

using std::chrono::milliseconds;

class RunPauseTest : public testing::Test {
protected:
    RunPauseTest() {
        context.stop = source.get_token();
        context.pause = std::make_shared<RunPause>();
    }
    std::stop_source source;
    RunContext context;
};

TEST_F(RunPauseTest, HoldsWhoeverLooksUntilItIsOver) {
    context.pause->set(true);
    std::atomic<int> looks = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] {
            EXPECT_FALSE(context.stopRequested());
            ++looks;
        });
    std::this_thread::sleep_for(milliseconds(50));
    EXPECT_EQ(looks, 0);
    context.pause->set(false);
    threads.clear();
    EXPECT_EQ(looks, 3);
    EXPECT_FALSE(context.stopRequested()) << "looks go through again";
}

TEST_F(RunPauseTest, AStopIsHeardMeanwhile) {
    context.pause->set(true);
    std::jthread stopper([this] {
        std::this_thread::sleep_for(milliseconds(30));
        source.request_stop();
    });
    EXPECT_TRUE(context.stopRequested());
    EXPECT_TRUE(context.pause->isSet());
}

TEST_F(RunPauseTest, TheClockStandsStillAndGoesOnFromThere) {
    const auto before = context.now();
    context.pause->set(true);
    context.pause->set(true); // twice is once
    const auto held = context.now();
    std::this_thread::sleep_for(milliseconds(60));
    EXPECT_LT(context.now() - held, milliseconds(30));
    EXPECT_GE(context.pause->lost(), milliseconds(60));
    context.pause->set(false);
    const auto lost = context.pause->lost();
    std::this_thread::sleep_for(milliseconds(20));
    EXPECT_EQ(context.pause->lost(), lost);
    EXPECT_GE(context.now() - before, milliseconds(20));
    EXPECT_EQ(std::chrono::steady_clock::now() - context.now() >= milliseconds(60), true);
}

TEST_F(RunPauseTest, WaitingTakesNoProcessorTime) {
    context.pause->set(true);
    double used = 1;
    std::jthread waits([&] {
        const auto read = [] {
            timespec now{};
            ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
            return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
        };
        const double begin = read();
        std::ignore = context.stopRequested();
        used = read() - begin;
    });
    std::this_thread::sleep_for(milliseconds(200));
    context.pause->set(false);
    waits.join();
    EXPECT_LT(used, .02);
}

TEST(RunContextTest, WithoutAPauseTheClockIsSteady) {
    const RunContext context;
    const auto before = std::chrono::steady_clock::now();
    const auto now = context.now();
    EXPECT_LE(before, now);
    EXPECT_LE(now, std::chrono::steady_clock::now());
    EXPECT_FALSE(context.stopRequested());
}

} // namespace
} // namespace opscape
