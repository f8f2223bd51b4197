// SPDX-License-Identifier: MIT
#include "sim/trace_check.h"

#include <opscape/sim/bounds.h>
#include <opscape/sim/critical_path.h>

#include <thread>

namespace opscape::test {
namespace {

constexpr std::uint64_t kRounds = 400;

struct Case {
    Problem problem;
    Plan plan;
};

Case randomCase(std::uint64_t seed) {
    Random random(seed);
    auto graph = randomGraph(random, 1 + random.below(60), random.below(2) == 0);
    ClusterShape shape = randomShape(random);
    shape.memoryBytes = 4000;
    Problem problem = makeTestProblem(std::move(graph), shape);
    Plan plan = randomPlan(problem, random);
    return {std::move(problem), std::move(plan)};
}

bool same(const Schedule& a, const Schedule& b) {
    const auto ops = [](const OpRun& r) { return std::tuple(r.readyNs, r.startNs, r.endNs); };
    const auto transfers = [](const Transfer& t) {
        return std::tuple(t.tensor, t.producer, t.to, t.readyNs, t.startNs, t.endNs);
    };
    const auto memory = [](const MemoryStep& s) { return std::pair(s.timeNs, s.bytes); };
    const auto device = [&](const DeviceReport& x, const DeviceReport& y) {
        return x.peakBytes == y.peakBytes && x.peakNs == y.peakNs && x.alive == y.alive && x.busyNs == y.busyNs &&
               std::ranges::equal(x.memory, y.memory, {}, memory, memory);
    };
    return a.makespanNs == b.makespanNs && std::ranges::equal(a.ops, b.ops, {}, ops, ops) &&
           std::ranges::equal(a.transfers, b.transfers, {}, transfers, transfers) &&
           std::ranges::equal(a.devices, b.devices, device);
}

/// What the random cases have to have among them, by how many do.
class Coverage {
public:
    void count(const Case& c, const Schedule& schedule) {
        const Cluster& cluster = *c.problem.cluster;
        const bool isSent = std::ranges::any_of(schedule.transfers, [](const Transfer& t) { return t.tensor.valid(); });
        const auto several = [&](const Transfer& t) { return cluster.route(t.from, t.to).size() > 2; };
        const bool hasGroup = std::ranges::any_of(c.problem.graph->colocationGroups(),
                                                  [](const auto& group) { return group.size() > 1; });
        add("no contention", isSent && cluster.linkModel() == LinkModel::None);
        add("fifo", isSent && cluster.linkModel() == LinkModel::Fifo);
        add("fair", isSent && cluster.linkModel() == LinkModel::Fair);
        add("fair and blocking", isSent && cluster.linkModel() == LinkModel::Fair && cluster.blockingSend());
        add("blocking sends", isSent && cluster.blockingSend());
        add("a bus between ports", std::ranges::any_of(schedule.transfers, several));
        add("fused groups", !c.plan.fusionGroup.empty());
        add("colocation groups", hasGroup && cluster.deviceCount() > 1);
        add("control edges across devices", schedule.transfers.size() > 0 && !schedule.transfers.back().tensor.valid());
        add("a wait for a channel",
            std::ranges::any_of(schedule.transfers, [](const Transfer& t) { return t.startNs > t.readyNs; }));
        add("out of memory", !schedule.feasible);
        add("within memory", schedule.feasible);
    }
    void check() const {
        for (const auto& [what, cases] : m_cases)
            EXPECT_GE(cases, kRounds / 40) << "too few random cases have: " << what;
    }

private:
    void add(const std::string& what, bool there) { m_cases[what] += there ? 1 : 0; }

    std::map<std::string, std::size_t> m_cases;
};

TEST(Simulator, ObeysEveryRuleOnRandomGraphs) {
    Coverage coverage;
    for (std::uint64_t seed = 1; seed <= kRounds && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const Case c = randomCase(seed);
        const Schedule schedule = simulated(c.problem, c.plan);
        TraceCheck(c.problem, c.plan, schedule).everything();
        coverage.count(c, schedule);
    }
    coverage.check();
}

TEST(Simulator, MakespanIsNeverBelowABound) {
    for (std::uint64_t seed = 1; seed <= kRounds; ++seed) {
        const Case c = randomCase(seed);
        const Bounds bounds = lowerBounds(c.problem, c.plan);
        const std::int64_t makespan = simulated(c.problem, c.plan).makespanNs;
        EXPECT_GE(makespan, bounds.longestPathNs) << "seed " << seed;
        EXPECT_GE(makespan, bounds.areaNs) << "seed " << seed;
        EXPECT_GE(makespan, bounds.optimisticNs) << "seed " << seed;
        EXPECT_GE(bounds.optimisticNs, bounds.longestPathNs) << "seed " << seed;
        EXPECT_EQ(bounds.bestNs, std::max({bounds.longestPathNs, bounds.areaNs, bounds.optimisticNs}));
    }
}

TEST(Simulator, SummaryIsTheSameAtEveryDetail) {
    for (std::uint64_t seed = 1; seed <= kRounds; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const Case c = randomCase(seed);
        Simulator simulator(c.problem);
        const auto summary = simulator.run(c.plan, Detail::Makespan);
        const auto full = simulator.run(c.plan, Detail::Full);
        ASSERT_TRUE(summary && full);
        EXPECT_EQ(summary->makespanNs, full->makespanNs);
        EXPECT_EQ(summary->feasible, full->feasible);
        EXPECT_EQ(summary->peakBytes, full->peakBytes);
        for (std::size_t d = 0; d < full->devices.size(); ++d) {
            EXPECT_EQ(summary->devices[d].peakBytes, full->devices[d].peakBytes);
            EXPECT_EQ(summary->devices[d].peakNs, full->devices[d].peakNs);
            EXPECT_EQ(summary->devices[d].overBytes, full->devices[d].overBytes);
        }
    }
}

TEST(Simulator, RunsOfDifferentPlansDoNotInfluenceOneAnother) {
    for (std::uint64_t seed = 1; seed <= kRounds / 4; ++seed) {
        const Case c = randomCase(seed);
        Random random(seed + 1000);
        Simulator reused(c.problem);
        Schedule again;
        for (int i = 0; i < 8; ++i) {
            const Plan plan = randomPlan(c.problem, random);
            ASSERT_TRUE(reused.run(plan, i % 3 == 0 ? Detail::Makespan : Detail::Full, again));
            ASSERT_TRUE(reused.run(plan, Detail::Full, again));
            EXPECT_TRUE(same(again, simulated(c.problem, plan))) << "seed " << seed << " plan " << i;
        }
    }
}

TEST(Simulator, GivesTheSameBitsOnOneTwoAndFourThreads) {
    std::vector<Case> cases;
    std::vector<Schedule> expected;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        cases.push_back(randomCase(seed));
        expected.push_back(simulated(cases.back().problem, cases.back().plan));
    }
    for (const std::size_t threadCount : {1U, 2U, 4U}) {
        std::vector<int> equal(threadCount, 0);
        {
            std::vector<std::jthread> threads;
            for (std::size_t t = 0; t < threadCount; ++t) {
                threads.emplace_back([&, t] {
                    for (std::size_t i = 0; i < cases.size(); ++i)
                        equal[t] += same(*Simulator(cases[i].problem).run(cases[i].plan), expected[i]) ? 1 : 0;
                });
            }
        }
        for (const int count : equal)
            EXPECT_EQ(count, static_cast<int>(cases.size())) << "one of " << threadCount;
    }
}

TEST(CriticalPath, SegmentsAddUpToTheMakespanWithoutAGap) {
    std::array<std::size_t, 6> seen{};
    for (std::uint64_t seed = 1; seed <= kRounds; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const Case c = randomCase(seed);
        const Schedule schedule = simulated(c.problem, c.plan);
        const auto path = criticalPath(c.problem, c.plan, schedule);
        ASSERT_FALSE(path.empty());
        std::int64_t at = 0;
        for (const CriticalSegment& segment : path) {
            EXPECT_EQ(segment.startNs, at);
            EXPECT_GE(segment.endNs, segment.startNs);
            at = segment.endNs;
            ++seen[static_cast<std::size_t>(segment.kind)];
            EXPECT_FALSE(explain(c.problem, schedule, segment).empty());
        }
        EXPECT_EQ(at, schedule.makespanNs);
        EXPECT_EQ(path.back().kind, CriticalSegment::Kind::Op);
    }
    for (std::size_t kind = 0; kind < seen.size(); ++kind)
        EXPECT_GT(seen[kind], 0U) << "no random case has a segment of kind " << kind;
}

/// The same graph with its ops added in another order; ops and tensors keep their names.
std::shared_ptr<const Graph> relabelled(const Graph& graph, Random& random) {
    std::vector<std::size_t> order(graph.opCount());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    GraphBuilder builder("relabelled");
    std::vector<OpId> newOp(order.size());
    for (const std::size_t old : order)
        newOp[old] = builder.addOp(graph.op(OpId(old)));
    std::vector<TensorId> newTensor(graph.tensorCount());
    for (std::size_t i = graph.tensorCount(); i-- > 0;) {
        const OpId producer = graph.producer(TensorId(i));
        newTensor[i] = producer.valid() ? builder.addOutput(newOp[producer.index()], graph.tensor(TensorId(i)))
                                        : builder.addResident(graph.tensor(TensorId(i)));
    }
    for (std::size_t old = 0; old < graph.opCount(); ++old) {
        for (const TensorId tensor : graph.inputs(OpId(old)))
            builder.addInput(newOp[old], newTensor[tensor.index()]);
        for (const OpId next : graph.controlSuccessors(OpId(old)))
            builder.addControl(newOp[old], newOp[next.index()]);
    }
    Diagnostics diagnostics;
    return std::make_shared<const Graph>(*std::move(builder).build(diagnostics));
}

TEST(Simulator, RelabellingChangesNothingButTies) {
    std::size_t compared = 0;
    for (std::uint64_t seed = 1; seed <= kRounds; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        Random random(seed);
        const auto graph = randomGraph(random, 2 + random.below(20));
        const ClusterShape shape = randomShape(random);
        const Problem problem = makeTestProblem(graph, shape);
        Plan plan = randomPlan(problem, random, false);
        for (std::size_t i = 0; i < plan.priority.size(); ++i)
            plan.priority[i] = plan.priority[i] * 100 + static_cast<std::int64_t>(i); // no equal priorities
        const Schedule schedule = simulated(problem, plan);
        // Two ops ready, or two transfers of different tensors ready, at the same time are a tie.
        std::vector<std::int64_t> readyNs;
        for (const OpRun& run : schedule.ops)
            readyNs.push_back(run.readyNs);
        std::ranges::sort(readyNs);
        const bool tiedOps = plan.policy == QueuePolicy::Fifo && std::ranges::adjacent_find(readyNs) != readyNs.end();
        bool tiedTransfers = false;
        for (const Transfer& a : schedule.transfers) {
            for (const Transfer& b : schedule.transfers)
                tiedTransfers = tiedTransfers || (a.readyNs == b.readyNs && a.tensor != b.tensor);
        }
        if (tiedOps || tiedTransfers)
            continue;
        ++compared;
        const auto other = relabelled(*graph, random);
        Plan moved = plan;
        for (std::size_t i = 0; i < graph->opCount(); ++i) {
            const OpId at = other->findOp(graph->op(OpId(i)).name);
            moved.device[at.index()] = plan.device[i];
            if (!plan.priority.empty())
                moved.priority[at.index()] = plan.priority[i];
        }
        const Schedule again = simulated(makeTestProblem(other, shape), moved);
        EXPECT_EQ(again.makespanNs, schedule.makespanNs);
        EXPECT_EQ(again.peakBytes, schedule.peakBytes);
        for (std::size_t i = 0; i < graph->opCount(); ++i)
            EXPECT_EQ(again.ops[other->findOp(graph->op(OpId(i)).name).index()].startNs, schedule.ops[i].startNs);
    }
    EXPECT_GT(compared, kRounds / 10) << "enough of the random cases are free of ties";
}

} // namespace
} // namespace opscape::test
