// SPDX-License-Identifier: MIT
// Optimizers that behave in the ways that tests need: quickly, by seed, badly, or not before they are told to stop.
#include <opscape/base/random.h>
#include <opscape/sim/simulator.h>
#include <opscape/task/plugin.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <thread>

namespace opscape {
namespace {

Plan firstDevice(const Problem& problem) { return Plan::allOn(DeviceId(0), problem.graph->opCount()); }

/// Puts every op where the seed says, but for those that are pinned.
class Scatter : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options&, const RunContext& context) override {
        Random random(context.seed);
        Plan plan = firstDevice(problem);
        for (DeviceId& device : plan.device)
            device = DeviceId(std::size_t{random.below(static_cast<std::uint32_t>(problem.cluster->deviceCount()))});
        for (std::size_t op = 0; op < problem.pins.size(); ++op) {
            if (problem.pins[op].valid())
                plan.device[op] = problem.pins[op];
        }
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

/// Tries plans and tells of them as one that learns does. What it does in an update depends on the seed, the update and
/// the best plan alone, which it keeps in a file: so it goes on from there as if it had never ended.
class Learns : public Optimizer {
    struct State {
        std::int64_t update = 0, bestNs = std::numeric_limits<std::int64_t>::max();
        Plan best;
        std::vector<CurvePoint> curve{};
    };

    static CurvePoint pointOf(std::int64_t update, double seconds, std::int64_t ns, std::int64_t bestNs) {
        const auto x = static_cast<double>(update);
        return {update, seconds,  2 * update, -static_cast<double>(ns) / 1e6,     bestNs,
                2 / x,  1e-3 / x, .5 / x,     -static_cast<double>(bestNs) / 1e6, -1 / x,
                3 / x};
    }

    static void save(const State& state, const std::string& file) {
        const std::string part = file + ".part";
        {
            std::ofstream out(part);
            out << state.update << ' ' << state.bestNs;
            for (const DeviceId device : state.best.device)
                out << ' ' << device.index();
            for (const CurvePoint& point : state.curve)
                out << '\n' << point.seconds << ' ' << std::llround(-1e6 * point.reward) << ' ' << point.bestNs;
        }
        std::filesystem::rename(part, file);
    }

    static State load(const std::string& file, const Problem& problem) {
        State state{0, 0, firstDevice(problem)};
        std::ifstream in(file);
        in >> state.update >> state.bestNs;
        for (DeviceId& device : state.best.device) {
            std::size_t index = 0;
            in >> index;
            device = DeviceId(index);
        }
        double seconds = 0;
        for (std::int64_t update = 1, ns = 0, bestNs = 0; in >> seconds >> ns >> bestNs; ++update)
            state.curve.push_back(pointOf(update, seconds, ns, bestNs));
        return state;
    }

    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        auto start = context.now();
        const auto timeOf = [&](const Plan& plan) { return simulate(problem, plan)->makespanNs; };
        State state;
        if (!options.file("resume-from").empty()) {
            state = load(options.file("resume-from"), problem);
            if (context.resumed)
                context.resumed({state.update, 2 * state.update, state.curve.back().seconds, state.bestNs});
            for (const CurvePoint& point : state.curve) {
                if (context.goesOn && context.curve)
                    context.curve(point);
            }
        }
        const bool mayDie = state.update == 0;
        if (!state.curve.empty() && context.goesOn)
            start -= std::chrono::duration_cast<RunPause::Clock::duration>(
                std::chrono::duration<double>(state.curve.back().seconds));
        const std::int64_t oneDeviceNs = timeOf(firstDevice(problem));
        if (context.baselines)
            context.baselines({{"one device", oneDeviceNs}, {"half of it", oneDeviceNs / 2}});
        while (state.update < options.integer("updates") && !context.stopRequested()) {
            ++state.update;
            Random random(context.seed * 1'000'003 + static_cast<std::uint64_t>(state.update));
            Plan plan = state.best.device.empty() ? firstDevice(problem) : state.best;
            for (DeviceId& where : plan.device) {
                if (state.best.device.empty() || random.below(4) == 0)
                    where =
                        DeviceId(std::size_t{random.below(static_cast<std::uint32_t>(problem.cluster->deviceCount()))});
            }
            const std::int64_t ns = timeOf(plan);
            if (ns < state.bestNs) {
                state.best = plan;
                state.bestNs = ns;
                if (context.improved)
                    context.improved(state.best, state.bestNs);
            }
            const std::chrono::duration<double> seconds = context.now() - start;
            state.curve.push_back(pointOf(state.update, seconds.count(), ns, state.bestNs));
            if (context.curve)
                context.curve(state.curve.back());
            const auto x = static_cast<double>(state.update);
            context.report(
                {x / static_cast<double>(options.integer("updates")), state.bestNs, 2 * state.update, "learning"});
            if (!options.file("checkpoint").empty())
                save(state, options.file("checkpoint"));
            if (mayDie && state.update == options.integer("die-at")) {
                std::fputs("there is\nno more memory\n", stderr);
                std::raise(static_cast<int>(options.integer("die-by")));
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(options.integer("every")));
        }
        return state.best.device.empty() ? firstDevice(problem) : state.best;
    }
};

Result<> add(Registry& registry, const char* id, std::vector<OptionSpec> options, Registry::OptimizerFactory factory,
             std::vector<Objective> objectives = {Objective::StepTime}) {
    OptimizerInfo info;
    info.id = id;
    info.learns = info.id == "learns";
    info.honoursPins = info.id == "scatter";
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
        done =
            add(registry, "learns",
                {OptionSpec::integer("updates", "How often it learns.", 20, 1, 1'000'000).in("Budget"),
                 OptionSpec::integer("every", "Between two updates.", 5, 0, 1000, "ms").in("Budget"),
                 OptionSpec::choice("policy", "Changes nothing.", "wide", {"wide", "narrow"}).in("Policy"),
                 OptionSpec::integer("die-at", "The update after which its process is gone; 0: none.", 0, 0, 1'000'000)
                     .in("Policy"),
                 OptionSpec::integer("die-by", "The signal for that.", 9, 1, 31).in("Policy"),
                 OptionSpec::fileToWrite("checkpoint", "Keeps what it comes to.").in("Files"),
                 OptionSpec::fileToRead("resume-from", "Goes on from it.").in("Files")},
                [] { return std::make_unique<Learns>(); });
    return done;
}

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("test", opscape::registerInto)
