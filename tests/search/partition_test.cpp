// SPDX-License-Identifier: MIT
// The least cut by METIS, on a graph that is large enough to be in the middle of when a stop comes.
#include "bench/unrolled_graph.h"

#include <opscape/search/partition.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <thread>

namespace opscape {
namespace {

Problem unrolled(std::uint32_t layers, std::uint32_t steps, std::uint32_t opsPerCell) {
    auto cluster = Cluster::load("p100x4");
    if (!cluster)
        throw std::runtime_error(cluster.error().message);
    Diagnostics diagnostics;
    return makeProblem(bench::UnrolledGraph::make(layers, steps, opsPerCell),
                       std::make_shared<const Cluster>(std::move(*cluster)), diagnostics);
}

TEST(Partition, CutsTheSameWayEachTimeIntoPartsOfMuchTheSameWork) {
    const Problem problem = unrolled(4, 10, 26);
    const std::vector<DeviceId> free(problem.graph->opCount());
    const auto cut = leastCutPlacement(problem, free, {.seed = 3});
    ASSERT_TRUE(cut) << cut.error().message;
    EXPECT_EQ(*cut, leastCutPlacement(problem, free, {.seed = 3}));
    std::vector<std::int64_t> ns(problem.cluster->deviceCount());
    std::int64_t all = 0;
    for (std::size_t op = 0; op < cut->size(); ++op) {
        ns[(*cut)[op].index()] += problem.opNs(OpId(op), (*cut)[op]);
        all += problem.opNs(OpId(op), (*cut)[op]);
    }
    for (const std::int64_t one : ns)
        EXPECT_NEAR(static_cast<double>(one), static_cast<double>(all) / 4, static_cast<double>(all) / 20);
}

TEST(Partition, AStopIsHeardWhileMetisRunsAndLeavesNoProcessBehind) {
    const Problem problem = unrolled(16, 66, 76);
    ASSERT_GE(problem.graph->opCount(), 80'000U);
    const std::vector<DeviceId> free(problem.graph->opCount());
    std::stop_source wish;
    std::jthread stopper([&] {
        // A child that has not ended means that METIS is at work.
        while (::waitid(P_ALL, 0, nullptr, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        wish.request_stop();
    });
    const auto cut = leastCutPlacement(problem, free, {}, wish.get_token());
    stopper.join();
    ASSERT_FALSE(cut) << "METIS came to its end in spite of the stop";
    EXPECT_EQ(cut.error().message, "METIS could not cut the graph: it was told to stop.");
    EXPECT_EQ(::waitid(P_ALL, 0, nullptr, WEXITED | WNOHANG | WNOWAIT), -1);
    EXPECT_EQ(errno, ECHILD);
}

} // namespace
} // namespace opscape
