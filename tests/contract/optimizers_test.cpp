// SPDX-License-Identifier: MIT
// What every optimizer owes, tried on every one there is.
#include "contract/plugins.h"

#include <thread>

namespace opscape::test {
namespace {

/// Runs `check` for every optimizer and tiny problem.
void forAll(const std::function<void(const OptimizerInfo&, const Problem&)>& check) {
    static const std::vector<NamedProblem> kProblems = tinyProblems();
    ASSERT_FALSE(plugins().optimizers().empty());
    for (const OptimizerInfo* info : plugins().optimizers()) {
        for (const NamedProblem& named : kProblems) {
            SCOPED_TRACE(fmt::format("{}: {}", info->id, named.name));
            check(*info, named.problem);
        }
    }
}

/// Pins about a third of the ops, never apart within a group.
std::vector<DeviceId> randomPins(const Problem& problem, Random& random) {
    std::vector<DeviceId> pins(problem.graph->opCount());
    for (std::size_t i = 0; i < pins.size(); ++i) {
        const OpId leader = colocationLeader(*problem.graph, OpId(i));
        if (random.below(3) == 0)
            pins[i] = pins[leader.index()].valid() ? pins[leader.index()]
                                                   : DeviceId(leader.index() % problem.cluster->deviceCount());
    }
    return pins;
}

TEST(EveryOptimizer, ReturnsAPlanThatIsValidAndRuns) {
    forAll([](const OptimizerInfo& info, const Problem& problem) {
        const auto plan = solved(info.id, problem);
        ASSERT_TRUE(plan.has_value()) << plan.error().message;
        const auto schedule = simulate(problem, *plan);
        ASSERT_TRUE(schedule.has_value()) << schedule.error().message;
        for (const auto& group : problem.graph->colocationGroups()) {
            for (const OpId op : group)
                EXPECT_EQ(plan->device[op.index()], plan->device[group[0].index()]);
        }
    });
}

TEST(EveryOptimizer, ReturnsTheSamePlanForTheSameSeed) {
    forAll([](const OptimizerInfo& info, const Problem& problem) {
        RunContext context;
        context.seed = 7;
        const auto first = solved(info.id, problem, context);
        const auto second = solved(info.id, problem, context);
        ASSERT_TRUE(first && second);
        EXPECT_EQ(*first, *second);
    });
}

TEST(EveryOptimizer, ThatSearchesTellsEachBetterPlanAndLastTheOneThatItReturns) {
    Random random(22);
    const Problem problem = makeTestProblem(randomGraph(random, 60, true), {.devices = 3, .latencyNs = 20});
    int searches = 0;
    for (const OptimizerInfo* info : plugins().optimizers()) {
        if (std::ranges::count(info->options, "seconds", &OptionSpec::name) == 0)
            continue;
        SCOPED_TRACE(info->id);
        ++searches;
        std::vector<std::int64_t> told;
        RunContext context;
        context.improved = [&](const Plan& plan, std::int64_t bestNs) {
            EXPECT_EQ(simulate(problem, plan)->makespanNs, bestNs);
            told.push_back(bestNs);
        };
        const auto plan = solved(info->id, problem, context);
        ASSERT_TRUE(plan.has_value()) << plan.error().message;
        ASSERT_FALSE(told.empty());
        EXPECT_EQ(told.back(), simulate(problem, *plan)->makespanNs);
        for (std::size_t i = 1; i < told.size(); ++i)
            EXPECT_LT(told[i], told[i - 1]);
    }
    EXPECT_GE(searches, 4);
}

TEST(EveryOptimizer, ReturnsTheSamePlanOnOneTwoAndFourThreads) {
    Random random(21);
    const Problem problem =
        makeTestProblem(randomGraph(random, 60, true), {.devices = 3, .latencyNs = 20, .memoryBytes = 20'000});
    const auto plans = [&problem] {
        std::vector<Plan> all;
        for (const OptimizerInfo* info : plugins().optimizers()) {
            RunContext context;
            context.seed = 5;
            all.push_back(solved(info->id, problem, context).value_or(Plan()));
        }
        return all;
    };
    const std::vector<Plan> expected = plans();
    for (const std::size_t count : {1U, 2U, 4U}) {
        std::vector<std::vector<Plan>> found(count);
        {
            std::vector<std::jthread> threads;
            for (std::vector<Plan>& mine : found)
                threads.emplace_back([&] { mine = plans(); });
        }
        for (const std::vector<Plan>& mine : found) {
            for (std::size_t i = 0; i < expected.size(); ++i) {
                EXPECT_EQ(mine[i], expected[i]) << plugins().optimizers()[i]->id << " on " << count << " threads";
                EXPECT_FALSE(expected[i].device.empty());
            }
        }
    }
}

TEST(EveryOptimizer, ReturnsWhenItWasToldToStop) {
    forAll([](const OptimizerInfo& info, const Problem& problem) {
        std::stop_source source;
        source.request_stop();
        RunContext context;
        context.stop = source.get_token();
        const auto plan = solved(info.id, problem, context);
        EXPECT_TRUE(plan ? checkPlan(problem, *plan).has_value() : !plan.error().message.empty());
    });
}

TEST(EveryOptimizer, RefusesOptionsItDoesNotKnowAndValuesOutOfBounds) {
    const Problem problem = tinyProblems()[0].problem;
    for (const OptimizerInfo* info : plugins().optimizers()) {
        SCOPED_TRACE(info->id);
        const auto unknown = solved(info->id, problem, {}, {"no-such-option=1"});
        ASSERT_FALSE(unknown.has_value());
        EXPECT_NE(unknown.error().message.find("no-such-option"), std::string::npos);
        for (const OptionSpec& option : info->options) {
            const auto bad = solved(info->id, problem, {}, {option.name + "=-1e99x\n"});
            ASSERT_FALSE(bad.has_value()) << option.name;
            EXPECT_NE(bad.error().message.find(option.name), std::string::npos);
            EXPECT_FALSE(option.summary.empty());
        }
    }
}

TEST(EveryOptimizer, TakesEveryChoiceOfItsOptions) {
    const std::vector<NamedProblem> problems = tinyProblems();
    for (const OptimizerInfo* info : plugins().optimizers()) {
        for (const OptionSpec& option : info->options) {
            std::vector<std::string> values = option.choices;
            if (option.type == OptionSpec::Type::Bool)
                values = {"true", "false"};
            for (const std::string& value : values) {
                for (const NamedProblem& named : problems) {
                    SCOPED_TRACE(fmt::format("{} {}={}: {}", info->id, option.name, value, named.name));
                    const auto plan = solved(info->id, named.problem, {}, {option.name + "=" + value});
                    ASSERT_TRUE(plan.has_value()) << plan.error().message;
                    EXPECT_TRUE(simulate(named.problem, *plan).has_value());
                }
            }
        }
    }
}

TEST(EveryOptimizer, MakesNothingOfAnEmptyGraph) {
    const Problem problem = makeTestProblem(TinyGraph().build(), {});
    for (const OptimizerInfo* info : plugins().optimizers()) {
        const auto plan = solved(info->id, problem);
        ASSERT_TRUE(plan.has_value()) << info->id;
        EXPECT_TRUE(plan->device.empty());
    }
}

TEST(EveryOptimizer, KeepsPinsWhenItSaysSo) {
    forAll([](const OptimizerInfo& info, const Problem& problem) {
        if (!info.honoursPins)
            return;
        Random random(3);
        Problem pinned = problem;
        pinned.pins = randomPins(problem, random);
        const auto plan = solved(info.id, pinned);
        ASSERT_TRUE(plan.has_value()) << plan.error().message;
        for (std::size_t i = 0; i < pinned.pins.size(); ++i) {
            if (pinned.pins[i].valid()) {
                EXPECT_EQ(plan->device[i], pinned.pins[i]);
            }
        }
        EXPECT_TRUE(simulate(pinned, *plan).has_value());
    });
}

TEST(EveryOptimizer, LeavesAloneWhatTheProblemDoesNotDecide) {
    forAll([](const OptimizerInfo& info, const Problem& problem) {
        Random random(11);
        Problem given = problem;
        given.start = randomPlan(problem, random, false);
        given.decide = {"scheduling"};
        const auto scheduled = solved(info.id, given);
        ASSERT_TRUE(scheduled.has_value()) << scheduled.error().message;
        EXPECT_EQ(scheduled->device, given.start->device);
        EXPECT_TRUE(simulate(given, *scheduled).has_value());

        given.decide = {"placement"};
        const auto placed = solved(info.id, given);
        ASSERT_TRUE(placed.has_value()) << placed.error().message;
        EXPECT_EQ(placed->priority, given.start->priority);
        EXPECT_TRUE(simulate(given, *placed).has_value()) << "also when the start has a fixed order";
    });
}

TEST(EveryOptimizer, TakesTheObjectivesItNamesAndNoOther) {
    const Problem given = tinyProblems()[1].problem;
    for (const OptimizerInfo* info : plugins().optimizers()) {
        for (const Objective objective : {Objective::StepTime, Objective::Pipeline}) {
            SCOPED_TRACE(fmt::format("{} for {}", info->id, toString(objective)));
            Problem problem = given;
            problem.objective = objective;
            Options options(info->options);
            if (std::ranges::count(info->options, "simulations", &OptionSpec::name) > 0) {
                ASSERT_TRUE(options.set("simulations", "60").has_value());
            }
            const auto plan = (*plugins().makeOptimizer(info->id))->solve(problem, options, {});
            EXPECT_EQ(plan.has_value(), std::ranges::count(info->objectives, objective) > 0);
            if (!plan) {
                EXPECT_NE(plan.error().message.find(toString(objective)), std::string::npos) << plan.error().message;
            }
        }
    }
}

TEST(EveryOptimizer, SaysWhatItIs) {
    for (const OptimizerInfo* info : plugins().optimizers()) {
        EXPECT_FALSE(info->title.empty()) << info->id;
        EXPECT_TRUE(info->summary.ends_with('.')) << info->id;
        for (const std::string& task : info->decides)
            EXPECT_TRUE(plugins().task(task).has_value()) << info->id << " decides " << task;
    }
}

} // namespace
} // namespace opscape::test
