// SPDX-License-Identifier: MIT
#include "sim/test_problem.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> allocations{0};

} // namespace

// Not inlined: the compiler would see free() meet memory from operator new, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size != 0 ? size : 1))
        return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size != 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace opscape::test {
namespace {

TEST(Simulator, AllocatesNothingAfterTheFirstRunOfAPolicy) {
    Random random(4);
    const Problem problem = makeTestProblem(randomGraph(random, 300), {.devices = 4, .latencyNs = 50});
    // First everything on one device, then random placements: from no transfer at all to a great many.
    std::vector<Plan> plans;
    for (const QueuePolicy policy : {QueuePolicy::Fifo, QueuePolicy::Priority, QueuePolicy::Order}) {
        plans.push_back(placed(std::vector<std::size_t>(300, 0), policy, std::vector<std::int64_t>(300)));
        for (std::size_t i = 0; i < 300; ++i)
            plans.back().priority[problem.graph->topologicalOrder()[i].index()] = -static_cast<std::int64_t>(i);
    }
    for (int i = 0; i < 12; ++i)
        plans.push_back(randomPlan(problem, random, false));
    Simulator simulator(problem);
    Schedule schedule;
    std::size_t before = 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (i == 3)
            before = allocations;
        ASSERT_TRUE(simulator.run(plans[i], Detail::Makespan, schedule));
    }
    EXPECT_EQ(allocations - before, 0U);
}

} // namespace
} // namespace opscape::test
