// SPDX-License-Identifier: MIT
// Optimizers that behave in the ways that tests need: quickly, by seed, badly, or not before they are told to stop.
#include <opscape/base/random.h>
#include <opscape/sim/simulator.h>
#include <opscape/task/plugin.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>

namespace opscape {
namespace {

Plan firstDevice(const Problem& problem) { return Plan::allOn(DeviceId(0), problem.graph->opCount()); }

/// Puts every op where the seed says.
class Scatter : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options&, const RunContext& context) override {
        Random random(context.seed);
        Plan plan = firstDevice(problem);
        for (DeviceId& device : plan.device)
            device = DeviceId(std::size_t{random.below(static_cast<std::uint32_t>(problem.cluster->deviceCount()))});
        return plan;
    }
};

class Fails : public Optimizer {
    Result<Plan> doSolve(const Problem&, const Options& options, const RunContext&) override {
        if (options.flag("throw"))
            throw std::runtime_error("out of luck");
        return fail("no plan was found within the budget; raise it.");
    }
};

/// Reports progress until it is told to stop.
class Waits : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        for (std::int64_t i = 0; !context.stopRequested(); ++i) {
            context.report({-1, 1'000'000, i, "waiting"});
            std::this_thread::sleep_for(std::chrono::milliseconds(options.integer("every")));
        }
        if (options.flag("empty-handed"))
            return fail("stopped before there was a plan.");
        return firstDevice(problem);
    }
};

/// Tries plans and tells of them as one that learns does.
class Learns : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        const auto start = std::chrono::steady_clock::now();
        const auto timeOf = [&](const Plan& plan) { return simulate(problem, plan)->makespanNs; };
        const std::int64_t oneDeviceNs = timeOf(firstDevice(problem));
        if (context.baselines)
            context.baselines({{"one device", oneDeviceNs}, {"half of it", oneDeviceNs / 2}});
        Random random(context.seed);
        const auto device = [&] {
            return DeviceId(std::size_t{random.below(static_cast<std::uint32_t>(problem.cluster->deviceCount()))});
        };
        Plan best;
        std::int64_t bestNs = std::numeric_limits<std::int64_t>::max();
        Plan plan = firstDevice(problem);
        std::ranges::generate(plan.device, device);
        for (std::int64_t update = 1; update <= options.integer("updates") && !context.stopRequested(); ++update) {
            const std::int64_t ns = timeOf(plan);
            if (ns < bestNs) {
                best = plan;
                bestNs = ns;
                if (context.improved)
                    context.improved(best, bestNs);
            }
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
            const auto x = static_cast<double>(update);
            if (context.curve)
                context.curve({update, seconds.count(), 2 * update, -static_cast<double>(ns) / 1e6, bestNs, 2 / x,
                               1e-3 / x, .5 / x, -static_cast<double>(bestNs) / 1e6});
            plan = best;
            for (DeviceId& where : plan.device)
                where = random.below(4) == 0 ? device() : where;
            context.report({x / static_cast<double>(options.integer("updates")), bestNs, 2 * update, "learning"});
            std::this_thread::sleep_for(std::chrono::milliseconds(options.integer("every")));
        }
        return best.device.empty() ? plan : best;
    }
};

Result<> add(Registry& registry, const char* id, std::vector<OptionSpec> options, Registry::OptimizerFactory factory,
             std::vector<Objective> objectives = {Objective::StepTime}) {
    OptimizerInfo info;
    info.id = id;
    info.title = id;
    info.summary = "For tests.";
    info.revision = 4;
    info.decides = {"placement"};
    info.options = std::move(options);
    info.objectives = std::move(objectives);
    return registry.addOptimizer(std::move(info), std::move(factory));
}

Result<> registerInto(Registry& registry) {
    auto done = add(registry, "scatter", {}, [] { return std::make_unique<Scatter>(); },
                    {Objective::StepTime, Objective::Pipeline});
    if (done)
        done = add(registry, "fails", {OptionSpec::flag("throw", "Throws in place of failing.", false)},
                   [] { return std::make_unique<Fails>(); });
    if (done)
        done = add(registry, "waits",
                   {OptionSpec::integer("every", "Between two looks at the wish to stop.", 5, 1, 1000, "ms"),
                    OptionSpec::flag("empty-handed", "Has no plan when stopped.", false)},
                   [] { return std::make_unique<Waits>(); });
    if (done)
        done = add(registry, "learns",
                   {OptionSpec::integer("updates", "How often it learns.", 20, 1, 1'000'000).in("Budget"),
                    OptionSpec::integer("every", "Between two updates.", 5, 0, 1000, "ms").in("Budget"),
                    OptionSpec::choice("policy", "Changes nothing.", "wide", {"wide", "narrow"}).in("Policy")},
                   [] { return std::make_unique<Learns>(); });
    return done;
}

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("test", opscape::registerInto)
