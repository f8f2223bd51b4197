// SPDX-License-Identifier: MIT
// How long an update of the policy takes on a large graph, and what it is spent on. Prints milliseconds and shares;
// --json for programs.
#include "bench/unrolled_graph.h"

#include <opscape/rl/train/judge.h>
#include <opscape/rl/train/trainer.h>
#include <opscape/search/setup.h>
#include <opscape/task/plugin.h>

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>

namespace opscape::bench {
namespace {

template <class T>
T must(Result<T> result) {
    if (!result) {
        std::cerr << result.error().message << '\n';
        std::exit(1);
    }
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

/// Of the processor, on one thread: others on the machine do not count.
double millisecondsOf(const auto& work) {
    const std::clock_t begin = std::clock();
    work();
    return 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

double peakGb() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1e6;
}

struct Row {
    std::string shape;
    std::size_t ops;
    std::uint32_t units;
    int samples;
    double setUp, network, rollout, simulation, learning, update, gb;
};

/// The parts of an update one by one, then whole updates by the trainer.
Row measure(const Problem& problem, std::span<const DecisionTask* const> tasks, rl::Shape shape) {
    rl::TrainOptions options;
    options.network.shape = shape;
    options.imitationSteps = 0;
    if (shape == rl::Shape::Paper) {
        options.samples = 1;
        options.elites = options.imitation = false; // as published
    }
    const RunContext context;
    const Plan base = Plan::allOn(DeviceId(0), problem.graph->opCount());
    const bool isPaper = shape == rl::Shape::Paper;
    Row row{isPaper ? "paper" : "grouped", problem.graph->opCount(), 0, 0, 0, 0, 0, 0, 0, 0, 0};

    std::optional<rl::Trainer> trainer;
    row.setUp = millisecondsOf([&] {
        trainer.emplace(must(rl::Trainer::make(problem, tasks, base, options, context)));
        must(trainer->warmUp());
    });
    row.samples = trainer->samples();
    constexpr int kUpdates = 3;
    (void)must(trainer->update(0, 1 << 30));
    row.update = millisecondsOf([&] {
                     for (int i = 0; i < kUpdates; ++i)
                         (void)must(trainer->update(0, 1 << 30));
                 }) /
                 kUpdates;

    const SearchSetup setup = must(SearchSetup::make(problem));
    const rl::DecisionGraph graph =
        isPaper ? rl::opGraph(problem, setup.groups()) : rl::groupedGraph(problem, setup.groups(), 1);
    row.units = graph.units.count();
    rl::Rollouts rollouts(problem, tasks, graph.units, 1, isPaper);
    std::vector<rl::TaskShape> shapes;
    for (std::size_t t = 0; t < tasks.size(); ++t)
        shapes.push_back({tasks[t]->info().id, rollouts.actionCount(t), rollouts.featureCount(t)});
    rl::Policy policy(options.network, graph, shapes, 1);
    std::vector<Plan> plans(static_cast<std::size_t>(row.samples));
    rl::LearningBatch batch;
    batch.tasks.resize(tasks.size());
    for (std::size_t t = 0; t < tasks.size(); ++t) {
        std::optional<std::vector<float>> rows;
        row.network += millisecondsOf([&] { rows = policy.unitRows(t, batch.tasks); });
        row.rollout += millisecondsOf(
            [&] { must(rollouts.run(t, policy.head(t), *rows, rl::Draw::Sample, 1, context, batch.tasks[t], plans)); });
    }
    rl::Judge judge(problem, context, 1);
    row.simulation = millisecondsOf([&] { (void)judge.score(plans); });
    for (int s = 0; s < row.samples; ++s)
        batch.advantage.push_back(s % 2 == 0 ? 1 : -1);
    row.learning = options.epochs * millisecondsOf([&] { (void)policy.learn(&batch, nullptr, {}, 1e-3, 1); });
    row.gb = peakGb();
    return row;
}

/// `only`: one of the shapes; empty: both.
int run(bool json, std::string_view only) {
    Registry registry;
    for (const PluginStatus& status : loadPlugins(OPSCAPE_BINARY_DIR "/lib/opscape/plugins", registry)) {
        if (!status.loaded())
            std::cerr << status.file << ": " << status.error << '\n';
    }
    const std::vector<const DecisionTask*> tasks{must(registry.task("placement")), must(registry.task("scheduling"))};
    const auto cluster =
        std::make_shared<const Cluster>(must(Cluster::load(OPSCAPE_SOURCE_DIR "/data/clusters/p100x8.json")));
    if (!json)
        fmt::print("{:8} {:>6} {:>6} {:>7} {:>9} {:>9} {:>8} {:>8} {:>11} {:>9} {:>6}\n", "shape", "ops", "units",
                   "samples", "update ms", "forward", "rollout", "simulate", "learn, all", "set-up ms", "GB");
    for (const rl::Shape shape : {rl::Shape::Grouped, rl::Shape::Paper}) {
        if (!only.empty() && only != (shape == rl::Shape::Paper ? "paper" : "grouped"))
            continue;
        for (const auto& [layers, steps, perCell] : {std::array{5U, 10U, 20U}, {8U, 25U, 50U}, {8U, 100U, 100U}}) {
            Diagnostics diagnostics;
            const Problem problem = makeProblem(UnrolledGraph::make(layers, steps, perCell), cluster, diagnostics);
            const Row r = measure(problem, tasks, shape);
            const double sum = r.network + r.rollout + r.simulation + r.learning;
            if (json)
                fmt::print(
                    "{{\"shape\":\"{}\",\"ops\":{},\"units\":{},\"samples\":{},\"update_ms\":{:.2f},"
                    "\"forward_ms\":{:.2f},\"rollout_ms\":{:.2f},\"simulation_ms\":{:.2f},\"learning_ms\":{:.2f},"
                    "\"setup_ms\":{:.1f},\"peak_gb\":{:.2f}}}\n",
                    r.shape, r.ops, r.units, r.samples, r.update, r.network, r.rollout, r.simulation, r.learning,
                    r.setUp, r.gb);
            else
                fmt::print("{:8} {:6} {:6} {:7} {:9.1f} {:8.0f}% {:7.0f}% {:7.0f}% {:10.0f}% {:9.0f} {:6.2f}\n",
                           r.shape, r.ops, r.units, r.samples, r.update, 100 * r.network / sum, 100 * r.rollout / sum,
                           100 * r.simulation / sum, 100 * r.learning / sum, r.setUp, r.gb);
        }
    }
    return 0;
}

} // namespace
} // namespace opscape::bench

int main(int argc, char** argv) {
    bool json = false;
    std::string_view only;
    for (const std::string_view argument : std::span(argv, static_cast<std::size_t>(argc)).subspan(1))
        argument == "--json" ? void(json = true) : void(only = argument);
    return opscape::bench::run(json, only);
}
