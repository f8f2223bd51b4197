// SPDX-License-Identifier: MIT
#include "bench/thread_scaling.h"

#include <opscape/sim/simulator.h>

#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace opscape::bench {
namespace {

/// A simulator that has run once, so that it is plans that are timed, not how a simulator is made.
struct Worker {
    const Plan& plan;
    Simulator simulator;
    Schedule schedule;
    explicit Worker(const Case& c) : plan(c.plan), simulator(c.problem) { run(1); }
    void run(int plans) {
        for (int i = 0; i < plans; ++i)
            (void)simulator.run(plan, Detail::Makespan, schedule);
    }
};

void spin(std::int64_t steps) {
    std::uint64_t state = 1;
    for (std::int64_t i = 0; i < steps; ++i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        asm volatile("" : "+r"(state));
    }
}

double onTwoThreads(const std::function<void(int)>& half) {
    return seconds([&] {
        std::thread other(half, 1);
        half(0);
        other.join();
    });
}

void sendByte(int fd) {
    const char byte = 0;
    if (::write(fd, &byte, 1) != 1)
        orExit<int>(fail("the other process is gone"));
}

void receiveByte(int fd) {
    char byte = 0;
    if (::read(fd, &byte, 1) != 1)
        orExit<int>(fail("the other process is gone"));
}

/// The other process makes its simulator, says so, waits until it is told to go on, and says when it is done.
double onTwoProcesses(const Case& c, Worker& here, int plans) {
    int down[2], up[2];
    if (::pipe(down) != 0 || ::pipe(up) != 0)
        orExit<int>(fail("no pipe for the second process"));
    const pid_t child = ::fork();
    if (child < 0)
        orExit<int>(fail("no second process"));
    ::close(child == 0 ? down[1] : down[0]);
    ::close(child == 0 ? up[0] : up[1]);
    if (child == 0) {
        Worker there(c);
        sendByte(up[1]);
        receiveByte(down[0]);
        there.run(plans);
        sendByte(up[1]);
        std::_Exit(0);
    }
    receiveByte(up[0]);
    const double time = seconds([&] {
        sendByte(down[1]);
        here.run(plans);
        receiveByte(up[0]);
    });
    ::waitpid(child, nullptr, 0);
    ::close(down[1]);
    ::close(up[0]);
    return time;
}

} // namespace

ThreadScaling threadScaling(const Case& c, int rounds) {
    constexpr int kPlans = 16;
    constexpr std::int64_t kSteps = 60'000'000;
    Worker workers[] = {Worker(c), Worker(c)};
    std::vector<double> threads, processor, processes, registers;
    for (int i = 0; i < rounds; ++i) {
        double one = 0, two = 0;
        const double oneProcessor = processorSeconds([&] { one = seconds([&] { workers[0].run(kPlans); }); });
        const double twoProcessor =
            processorSeconds([&] { two = onTwoThreads([&](int which) { workers[which].run(kPlans / 2); }); });
        threads.push_back(one / two);
        processor.push_back(2 * oneProcessor / twoProcessor);
        processes.push_back(seconds([&] { workers[0].run(kPlans); }) / onTwoProcesses(c, workers[0], kPlans / 2));
        registers.push_back(seconds([] { spin(kSteps); }) / onTwoThreads([](int) { spin(kSteps / 2); }));
    }
    return {median(threads), median(processor), median(processes), median(registers)};
}

} // namespace opscape::bench
