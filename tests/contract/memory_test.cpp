// SPDX-License-Identifier: MIT
// What every optimizer owes where memory is scarce: find what is easy to find, keep what is found, and say so when its
// plan does not fit.
#include "contract/plugins.h"

namespace opscape::test {
namespace {

struct Solved {
    Plan plan;
    Schedule schedule;
    Progress last;     ///< as reported
    std::string error; ///< when there is no plan
};

Solved solvedOnce(const std::string& optimizer, const Problem& problem, const std::vector<std::string>& set = {}) {
    Solved once;
    RunContext context;
    context.progress = [&once](const Progress& progress) { once.last = progress; };
    const auto plan = solved(optimizer, problem, context, set);
    if (plan) {
        once.plan = *plan;
        once.schedule = simulated(problem, *plan);
    } else {
        once.error = plan.error().message;
    }
    return once;
}

/// A chain in which every op reads weights of 1000 bytes of its own and passes on 10 bytes.
std::shared_ptr<const Graph> heavyChain(int ops) {
    TinyGraph g;
    OpId last = g.op("op0", 100, {}, 10);
    g.weight("w0", 1000, {last});
    for (int i = 1; i < ops; ++i) {
        last = g.op(fmt::format("op{}", i), 100, {last}, 10);
        g.weight(fmt::format("w{}", i), 1000, {last});
    }
    return g.build();
}

TEST(ScarceMemory, ThatTheDevicesHaveTogetherIsFoundByEveryOptimizerThatKnowsOfIt) {
    const Problem problem = makeTestProblem(heavyChain(8), {.devices = 4, .latencyNs = 5, .memoryBytes = 4500});
    for (const OptimizerInfo* info : plugins().optimizers()) {
        const bool places = std::ranges::count(info->decides, "placement") > 0;
        if (!places || info->id == "single") // one device is what it is about
            continue;
        const bool isBlind = std::ranges::count(info->options, "balance-memory", &OptionSpec::name) > 0;
        const Solved once = solvedOnce(
            info->id, problem, isBlind ? std::vector<std::string>{"balance-memory=true"} : std::vector<std::string>{});
        EXPECT_EQ(once.error, "") << info->id;
        EXPECT_TRUE(once.schedule.feasible) << info->id << ": " << outOfMemoryReport(*problem.cluster, once.schedule);
        EXPECT_TRUE(once.last.feasible) << info->id;
    }
}

TEST(ScarceMemory, IsReportedByEveryOptimizerWhosePlanDoesNotFit) {
    std::vector<NamedProblem> problems;
    for (const std::int64_t bytes : {500, 2500, 5000, 20'000}) {
        problems.push_back({fmt::format("a chain in {} bytes", bytes),
                            makeTestProblem(heavyChain(8), {.devices = 3, .latencyNs = 5, .memoryBytes = bytes})});
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            Random random(seed);
            ClusterShape shape = randomShape(random);
            shape.memoryBytes = bytes;
            problems.push_back({fmt::format("random graph {} in {} bytes", seed, bytes),
                                makeTestProblem(randomGraph(random, 25, true), shape)});
        }
    }
    for (const OptimizerInfo* info : plugins().optimizers()) {
        int fitting = 0, tooLarge = 0;
        for (const NamedProblem& named : problems) {
            SCOPED_TRACE(info->id + ": " + named.name);
            const Solved once = solvedOnce(info->id, named.problem);
            if (!once.error.empty()) { // there is no plan of its kind, so there is none to return
                EXPECT_NE(once.error.find("fits the memory"), std::string::npos) << once.error;
                ++tooLarge;
                continue;
            }
            EXPECT_EQ(once.last.feasible, once.schedule.feasible) << once.last.stage;
            ++(once.schedule.feasible ? fitting : tooLarge);
            if (once.schedule.feasible)
                continue;
            EXPECT_NE(once.last.stage.find(outOfMemoryReport(*named.problem.cluster, once.schedule)), std::string::npos)
                << once.last.stage;
            EXPECT_EQ(once.last.bestNs, once.schedule.makespanNs);
        }
        EXPECT_GT(fitting, 0) << info->id;
        EXPECT_GT(tooLarge, 0) << info->id;
    }
}

/// The one plan that fits: ops that share weights together, two pairs to a device.
TEST(ScarceMemory, IsKeptByEverySearchThatIsGivenAPlanThatFits) {
    TinyGraph g;
    std::vector<OpId> ops;
    for (int i = 0; i < 12; ++i)
        ops.push_back(g.op(fmt::format("op{}", i), 100 + i, {}, 10));
    Plan start;
    for (std::size_t i = 0; i < 6; ++i)
        g.weight(fmt::format("w{}", i), 1000, {ops[i], ops[(i * 5) % 6 + 6]});
    for (std::size_t i = 0; i < 12; ++i)
        start.device.emplace_back((i < 6 ? i : (i - 6) * 5 % 6) % 3);
    Problem problem = makeTestProblem(g.build(), {.devices = 3, .memoryBytes = 2050});
    ASSERT_TRUE(simulated(problem, start).feasible);
    problem.start = start;
    for (const char* optimizer : {"anneal", "exact", "fbi", "portfolio", "random", "refine"}) {
        const Solved once = solvedOnce(optimizer, problem);
        EXPECT_EQ(once.error, "") << optimizer;
        EXPECT_TRUE(once.schedule.feasible) << optimizer << ": " << outOfMemoryReport(*problem.cluster, once.schedule);
        EXPECT_LE(once.schedule.makespanNs, simulated(problem, start).makespanNs) << optimizer;
    }
}

} // namespace
} // namespace opscape::test
