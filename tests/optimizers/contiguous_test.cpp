// SPDX-License-Identifier: MIT
// The dynamic program against all contiguous splits of small random graphs, tried one by one.
#include "contract/plugins.h"

#include <opscape/sim/pipeline.h>

namespace opscape::test {
namespace {

constexpr std::int64_t kNone = -1;

/// Up to 8 layers with weights, some of them shared; in training each has a backward op beside it that reads its
/// output, and a loose one that no forward op stands for.
std::shared_ptr<const Graph> layers(Random& random, bool isTraining) {
    TinyGraph graph;
    const std::uint32_t count = 3 + random.below(isTraining ? 4 : 6);
    std::vector<OpId> forward, backward(count);
    std::vector<std::vector<std::uint32_t>> readers(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::vector<OpId> reads;
        for (std::uint32_t j = 0; j < i; ++j) {
            if (random.below(3) == 0) {
                reads.push_back(forward[j]);
                readers[j].push_back(i);
            }
        }
        forward.push_back(graph.op(fmt::format("f{}", i), 1 + random.below(50), reads, random.below(30)));
        graph.weight(fmt::format("w{}", i), 10 + random.below(90), {forward[i]});
    }
    graph.weight("shared", 40, {forward[0], forward[1], forward[count - 1]});
    for (std::uint32_t i = count; isTraining && i-- > 0;) {
        std::vector<OpId> reads{forward[i]};
        for (const std::uint32_t reader : readers[i])
            reads.push_back(backward[reader]);
        backward[i] = graph.op(fmt::format("b{}", i), 1 + random.below(50), reads, random.below(30));
        graph.edit(backward[i]).phase = Phase::Backward;
        graph.edit(forward[i]).colocation = graph.edit(backward[i]).colocation = fmt::format("layer {}", i);
    }
    if (isTraining) {
        const OpId loose = graph.op("loose", 1 + random.below(50), {backward[count - 1], forward[0]}, 5);
        graph.edit(loose).phase = Phase::Backward;
    }
    return graph.build();
}

/// Whether stages, one per op, only grow along the forward ops. A loose backward op is no reader's producer here and
/// so comes after its backward producer in the mirror image: not after it.
bool isContiguous(const Graph& graph, const Plan& plan) {
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const bool isForward = graph.op(OpId(i)).phase == Phase::Forward;
        for (const OpId to : graph.successors(OpId(i))) {
            const auto before = plan.device[i], after = plan.device[to.index()];
            if (isForward && graph.op(to).phase == Phase::Forward && before > after)
                return false;
            if (!isForward && graph.op(to).name == "loose" && after > before)
                return false;
        }
    }
    return true;
}

/// The least period of all contiguous splits that fit; kNone when none does.
std::int64_t leastPeriodNs(const Problem& problem) {
    const Graph& graph = *problem.graph;
    const auto devices = problem.cluster->deviceCount();
    std::int64_t best = kNone;
    Plan plan = Plan::allOn(DeviceId(0), graph.opCount());
    for (;;) {
        if (isContiguous(graph, plan)) {
            const PipelineReport report = pipelineReport(problem, plan);
            if (report.feasible && (best == kNone || report.periodNs < best))
                best = report.periodNs;
        }
        std::size_t op = 0; // the next split: leaders of colocation groups count up, the others follow
        for (; op < graph.opCount(); ++op) {
            if (colocationLeader(graph, OpId(op)) != OpId(op))
                continue;
            const std::size_t next = (plan.device[op].index() + 1) % devices;
            plan.device[op] = DeviceId(next);
            if (next != 0)
                break;
        }
        if (op == graph.opCount())
            return best;
        for (std::size_t i = 0; i < graph.opCount(); ++i)
            plan.device[i] = plan.device[colocationLeader(graph, OpId(i)).index()];
    }
}

void expectTheLeastPeriod(bool isTraining) {
    Random random(isTraining ? 5 : 4);
    int fitting = 0, tight = 0;
    for (int round = 0; round < 200; ++round) {
        SCOPED_TRACE(round);
        ClusterShape shape;
        shape.devices = 2 + static_cast<int>(random.below(2));
        shape.memoryBytes = random.below(2) == 0 ? 0 : 100 + random.below(150);
        const Problem problem = makeTestProblem(layers(random, isTraining), shape);
        const std::int64_t least = leastPeriodNs(problem);
        const auto plan = solved("contiguous", problem);
        ASSERT_EQ(plan.has_value(), least != kNone) << (plan ? "" : plan.error().message);
        if (!plan) {
            ++tight;
            EXPECT_EQ(plan.error().message, "no contiguous split fits the memory of the devices.");
            continue;
        }
        ++fitting;
        const PipelineReport report = pipelineReport(problem, *plan);
        EXPECT_TRUE(report.feasible);
        EXPECT_EQ(report.periodNs, least);
    }
    EXPECT_GT(fitting, 20);
    EXPECT_GT(tight, 3);
}

TEST(Contiguous, FindsTheLeastPeriodOfAllContiguousSplits) { expectTheLeastPeriod(false); }

TEST(Contiguous, SplitsATrainingStepAlongItsForwardOps) { expectTheLeastPeriod(true); }

} // namespace
} // namespace opscape::test
