// SPDX-License-Identifier: MIT
#include <opscape/base/guarded_call.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <thread>

namespace opscape {
namespace {

using namespace std::chrono_literals;

std::string problemOf(const Result<std::string>& answer) { return answer ? "none" : answer.error().message; }

TEST(GuardedCall, GivesBackWhatTheWorkReturned) {
    const std::string large(5'000'000, 'x'); // far more than a pipe holds
    EXPECT_EQ(guardedCall([&] { return large; }, 60s), large);
    EXPECT_EQ(guardedCall([] { return std::string(); }, 60s), "");
}

TEST(GuardedCall, WhatTheWorkChangesIsNotSeenOutside) {
    int value = 1;
    EXPECT_EQ(guardedCall([&] { return std::to_string(++value); }, 60s), "2");
    EXPECT_EQ(value, 1);
}

TEST(GuardedCall, ACrashAnExceptionAndAHangAreReported) {
    EXPECT_EQ(problemOf(guardedCall(
                  []() -> std::string {
                      ::raise(SIGFPE);
                      return {};
                  },
                  60s)),
              fmt::format("it stopped with signal {}", SIGFPE));
    EXPECT_EQ(problemOf(guardedCall([]() -> std::string { throw std::runtime_error("no"); }, 60s)),
              "it stopped with code 3");
    EXPECT_EQ(problemOf(guardedCall(
                  []() -> std::string {
                      for (;;)
                          ::pause();
                  },
                  200ms)),
              "it took more than 0.2 s");
}

TEST(GuardedCall, AStopEndsTheWorkWhereverItIs) {
    std::stop_source wish;
    const auto forever = []() -> std::string {
        for (;;)
            ::pause();
    };
    std::jthread stopper([&] {
        std::this_thread::sleep_for(50ms);
        wish.request_stop();
    });
    EXPECT_EQ(problemOf(guardedCall(forever, 60s, wish.get_token())), "it was told to stop");
    EXPECT_EQ(problemOf(guardedCall(forever, 60s, wish.get_token())), "it was told to stop") << "before it began";
}

} // namespace
} // namespace opscape
