// SPDX-License-Identifier: MIT
// The exact search as it is loaded, against published optima and against trying everything.
#include "contract/plugins.h"
#include "sim/textbook.h"

namespace opscape::test {
namespace {

struct Outcome {
    Schedule schedule;
    Plan plan;
    std::string stage, verdict; ///< of the last report

    [[nodiscard]] bool isProven() const { return verdict.starts_with("optimal, proven"); }
};

Outcome exact(const Problem& problem, const std::string& nodes = "1000000") {
    Outcome outcome;
    RunContext context;
    context.progress = [&outcome](const Progress& progress) {
        outcome.stage = progress.stage;
        outcome.verdict = progress.verdict;
    };
    const auto plan = solved("exact", problem, context, {"nodes=" + nodes});
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().message);
    if (plan) {
        outcome.plan = *plan;
        outcome.schedule = simulated(problem, *plan);
    }
    return outcome;
}

TEST(Exact, Proves73OnGraphA) {
    const Outcome outcome = exact(textbookProblem(graphA(), LinkModel::None));
    EXPECT_EQ(outcome.schedule.makespanNs, 73 * kUnitNs);
    EXPECT_TRUE(outcome.isProven()) << outcome.verdict;
}

TEST(Exact, Proves113OnGraphB) {
    const Outcome outcome = exact(textbookProblem(graphB(), LinkModel::None));
    EXPECT_EQ(outcome.schedule.makespanNs, 113 * kUnitNs);
    EXPECT_TRUE(outcome.isProven()) << outcome.verdict;
}

TEST(Exact, ProvesTheOptimumOfGraphAWithContention) {
    const Outcome outcome = exact(textbookProblem(graphA(), LinkModel::Fifo));
    EXPECT_LE(outcome.schedule.makespanNs, 75 * kUnitNs) << "what the optimum without contention takes";
    EXPECT_TRUE(outcome.isProven()) << outcome.verdict;
}

/// The best of all placements and all orders, by simulation; none when nothing fits.
std::optional<std::int64_t> tryEverything(const Problem& problem) {
    const std::size_t ops = problem.graph->opCount(), devices = problem.cluster->deviceCount();
    std::vector<std::size_t> order(ops);
    std::vector<Plan> orders;
    for (std::size_t i = 0; i < ops; ++i)
        order[i] = i;
    do {
        std::vector<std::size_t> place(ops);
        for (std::size_t i = 0; i < ops; ++i)
            place[order[i]] = i;
        bool isTopological = true;
        for (std::size_t i = 0; i < ops; ++i) {
            for (const OpId before : problem.graph->predecessors(OpId(i)))
                isTopological = isTopological && place[before.index()] < place[i];
        }
        if (!isTopological)
            continue;
        orders.push_back(placed(std::vector<std::size_t>(ops, 0), QueuePolicy::Order));
        for (std::size_t i = 0; i < ops; ++i)
            orders.back().priority.push_back(-static_cast<std::int64_t>(place[i]));
    } while (std::ranges::next_permutation(order).found);

    std::optional<std::int64_t> best;
    Simulator simulator(problem);
    std::size_t placements = 1;
    for (std::size_t i = 0; i < ops; ++i)
        placements *= devices;
    for (Plan& plan : orders) {
        for (std::size_t number = 0; number < placements; ++number) {
            for (std::size_t i = 0, rest = number; i < ops; ++i, rest /= devices)
                plan.device[i] = DeviceId(rest % devices);
            if (!checkPlan(problem, plan))
                continue;
            const auto schedule = simulator.run(plan, Detail::Makespan);
            if (schedule && schedule->feasible && schedule->makespanNs < best.value_or(INT64_MAX))
                best = schedule->makespanNs;
        }
    }
    return best;
}

TEST(Exact, IsAsGoodAsTryingEverything) {
    Random random(20);
    int infeasible = 0;
    for (int round = 0; round < 60; ++round) {
        SCOPED_TRACE(round);
        ClusterShape shape = randomShape(random);
        shape.devices = 2 + round % 2;
        shape.model = static_cast<LinkModel>(round / 5 % 3);
        if (round % 3 == 0)
            shape.memoryBytes = 1500 + random.below(2000);
        Problem problem = makeTestProblem(randomGraph(random, shape.devices == 2 ? 6 : 5, round % 4 == 0), shape);
        if (round % 5 == 0) {
            problem.pins.assign(problem.graph->opCount(), DeviceId());
            problem.pins[colocationLeader(*problem.graph, OpId(1)).index()] = DeviceId(1);
        }
        const auto best = tryEverything(problem);
        const Outcome outcome = exact(problem);
        EXPECT_EQ(outcome.schedule.feasible, best.has_value());
        if (best) {
            EXPECT_EQ(outcome.schedule.makespanNs, *best);
            EXPECT_TRUE(outcome.isProven()) << outcome.verdict;
        } else {
            ++infeasible;
            EXPECT_TRUE(outcome.stage.starts_with("no plan was found that fits")) << outcome.stage;
            EXPECT_TRUE(outcome.verdict.starts_with("no plan fits in memory, proven after ")) << outcome.verdict;
        }
    }
    EXPECT_LT(infeasible, 20);
}

TEST(Exact, ProvesMostOfWhatIsTooMuchToTry) {
    int proven = 0;
    std::string others;
    for (const auto& [ops, devices] : {std::pair(20U, 2), std::pair(16U, 4)}) {
        for (std::uint64_t seed = 100; seed < 104; ++seed) {
            Random random(seed);
            const Problem problem = makeTestProblem(randomGraph(random, ops),
                                                    {.devices = devices, .model = LinkModel::None, .latencyNs = 20});
            const Outcome outcome = exact(problem, "200000");
            if (outcome.isProven())
                ++proven;
            else
                others += fmt::format("{} ops, seed {}: {}\n", ops, seed, outcome.verdict);
        }
    }
    EXPECT_GE(proven, 6) << "of 8; not proven:\n" << others;
}

TEST(Exact, SaysHowFarItGotWhenStopped) {
    Random random(5);
    const Problem problem = makeTestProblem(randomGraph(random, 40), {.devices = 3, .latencyNs = 20});
    const Outcome outcome = exact(problem, "200");
    EXPECT_TRUE(outcome.verdict.starts_with("stopped after 200 nodes, lower bound ")) << outcome.verdict;
}

TEST(Exact, IsNeverWorseThanItsStart) {
    Random random(6);
    for (int round = 0; round < 10; ++round) {
        Problem problem = makeTestProblem(randomGraph(random, 15), randomShape(random));
        problem.start = randomPlan(problem, random);
        const Outcome outcome = exact(problem, "20");
        EXPECT_LE(outcome.schedule.makespanNs, simulated(problem, *problem.start).makespanNs);
    }
}

TEST(Exact, KeepsTheFusedGroupsOfItsStart) {
    TinyGraph g;
    const OpId a = g.op("a", 100, {}, 10);
    const OpId b = g.op("b", 100, {a}, 10);
    g.op("c", 150, {}, 10);
    g.op("d", 100, {b}, 10);
    Problem problem = makeTestProblem(g.build(), {.devices = 2, .model = LinkModel::None});
    problem.start = placed({0, 0, 0, 0});
    problem.start->fusionGroup = {0, 0, Plan::kNotFused, Plan::kNotFused};
    const Outcome outcome = exact(problem);
    EXPECT_EQ(outcome.plan.fusionGroup, problem.start->fusionGroup);
    EXPECT_EQ(outcome.schedule.ops[0].endNs, outcome.schedule.ops[1].endNs) << "still one unit";
    EXPECT_TRUE(outcome.isProven()) << outcome.verdict;
}

TEST(Exact, DoesNotSearchLargeGraphs) {
    Random random(7);
    const Problem problem = makeTestProblem(randomGraph(random, 300), {.devices = 3});
    const Outcome outcome = exact(problem);
    EXPECT_TRUE(outcome.verdict.starts_with("not searched, more than 64 ops, lower bound ")) << outcome.verdict;
}

} // namespace
} // namespace opscape::test
