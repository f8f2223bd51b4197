// SPDX-License-Identifier: MIT
// The independent check: on random placed and ordered graphs SimGrid must give every start and end that we give.
#include "sim/simgrid_peer.h"
#include "sim/test_problem.h"

#include <gtest/gtest.h>

namespace opscape::test {
namespace {

/// Figures that make every transfer time a whole number of nanoseconds, so that both sides can agree to the last one.
Problem wholeNumberProblem(Random& random, std::uint32_t ops, LinkModel model, std::int64_t scale) {
    ClusterShape shape = randomShape(random);
    shape.devices = static_cast<int>(2 + random.below(7));
    shape.model = model;
    shape.bytesPerNs = 1;
    shape.blockingSend = false;
    shape.latencyNs *= scale;
    return makeTestProblem(randomGraph(random, ops, false, scale), shape);
}

Plan randomPlan(Random& random, const Problem& problem) {
    Plan plan;
    plan.policy =
        static_cast<QueuePolicy>(random.below(2)); // FIFO or priorities; both end up as an order in the schedule
    for (std::size_t i = 0; i < problem.graph->opCount(); ++i) {
        plan.device.emplace_back(random.below(static_cast<std::uint32_t>(problem.cluster->deviceCount())));
        plan.priority.push_back(random.below(1000));
    }
    if (plan.policy == QueuePolicy::Fifo)
        plan.priority.clear();
    return plan;
}

void expectAgreement(LinkModel model, double relative, std::uint64_t seed) {
    Random random(seed);
    for (const std::uint32_t ops : {10u, 30u, 100u, 300u, 1000u}) {
        for (int repeat = 0; repeat < 6; ++repeat) {
            const Problem problem = wholeNumberProblem(random, ops, model, relative > 0 ? 1'000'000 : 1);
            const Plan plan = randomPlan(random, problem);
            const Schedule ours = simulated(problem, plan);
            const PeerTimes peer = runSimGrid(problem, plan, ours);
            ASSERT_EQ(peer.error, "");
            const double tolerance = relative > 0 ? relative * static_cast<double>(ours.makespanNs) : 1e-3;
            for (std::size_t i = 0; i < ours.ops.size(); ++i) {
                ASSERT_NEAR(static_cast<double>(ours.ops[i].startNs), peer.opStartNs[i], tolerance)
                    << "start of op " << i << " of " << ops << ", repeat " << repeat;
                ASSERT_NEAR(static_cast<double>(ours.ops[i].endNs), peer.opEndNs[i], tolerance)
                    << "end of op " << i << " of " << ops << ", repeat " << repeat;
            }
            for (std::size_t t = 0; t < ours.transfers.size(); ++t) {
                ASSERT_NEAR(static_cast<double>(ours.transfers[t].endNs), peer.transferEndNs[t], tolerance)
                    << "end of transfer " << t << " of " << ops << " ops, repeat " << repeat;
            }
        }
    }
}

TEST(SimGrid, GivesTheSameStartsAndEndsWithoutContention) { expectAgreement(LinkModel::None, 0, 1); }
TEST(SimGrid, GivesTheSameStartsAndEndsOnFifoChannels) { expectAgreement(LinkModel::Fifo, 0, 2); }

/// Shared rates are reals: a nanosecond at the end of a transfer is the difference, so the steps are made long.
TEST(SimGrid, GivesTheSameStartsAndEndsOnFairChannelsToABillionth) { expectAgreement(LinkModel::Fair, 1e-9, 3); }

} // namespace
} // namespace opscape::test
