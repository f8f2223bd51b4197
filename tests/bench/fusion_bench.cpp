// SPDX-License-Identifier: MIT
// Speed and worth of the default fusers on a training step of about 80,000 ops, layers dealt over 8 devices, beside one
// simulation of the same step. Prints a table, or JSON with --json.
#include "bench/bench_table.h"
#include "bench/bench_timing.h"
#include "io/recurrent_model.h"

#include <opscape/base/random.h>
#include <opscape/base/units.h>
#include <opscape/search/finish.h>
#include <opscape/sim/simulator.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace opscape::bench {
namespace {

std::size_t kernels(const FusionGroupIds& groups, std::size_t ops) {
    std::vector<std::uint32_t> ids;
    std::size_t alone = groups.empty() ? ops : 0;
    for (const std::uint32_t group : groups) {
        if (group == Plan::kNotFused)
            ++alone;
        else
            ids.push_back(group);
    }
    std::ranges::sort(ids);
    return alone + static_cast<std::size_t>(std::ranges::unique(ids).begin() - ids.begin());
}

int run(bool json) {
    Diagnostics diagnostics;
    const auto graph = std::make_shared<const Graph>(
        RecurrentModel({.layers = 8, .steps = 312, .batch = 64, .hidden = 512, .vocabulary = 8000})
            .trainingStep("large"));
    const auto cluster = std::make_shared<const Cluster>(orExit(Cluster::load("p100x8")));
    const Problem problem = makeProblem(graph, cluster, diagnostics);
    Plan plan;
    for (std::size_t i = 0; i < graph->opCount(); ++i) {
        const std::string& name = graph->op(OpId(i)).name;
        const std::size_t layer = name.find("layer_");
        const int number = layer == std::string::npos ? 0 : std::atoi(name.c_str() + layer + 6);
        plan.device.emplace_back(static_cast<std::size_t>(number) % cluster->deviceCount());
    }
    Simulator simulator(problem);
    Schedule schedule;
    const auto stepMs = [&](const FusionGroupIds& groups) {
        plan.fusionGroup = groups;
        (void)simulator.run(plan, Detail::Makespan, schedule);
        return static_cast<double>(schedule.makespanNs) / 1e6;
    };
    const double simulateMs = medianMs(5, [&] { (void)stepMs({}); });
    FusionGroupIds chains, local, any, levels;
    const double anyMs = medianMs(5, [&] { any = fuseByTimeSaved(problem, plan.device, FusionReach::Any); });
    const double localMs = medianMs(5, [&] { local = fuseByTimeSaved(problem, plan.device, FusionReach::Local); });
    const double chainMs = medianMs(5, [&] { chains = fuseChains(problem, plan.device); });
    std::vector<int> level;
    Random random(1);
    for (std::size_t i = 0; i < graph->opCount(); ++i)
        level.push_back(static_cast<int>(random.below(8)));
    const double levelMs = medianMs(5, [&] { levels = fuseByLevel(problem, plan.device, level); });
    plan.fusionGroup.clear();
    const double bestMs = medianMs(3, [&] { (void)finished(problem, plan, {Fuser::TimeSaved, {}}, {}); });

    const auto ops = static_cast<double>(graph->opCount());
    const auto left = [&](const FusionGroupIds& groups) {
        return static_cast<double>(kernels(groups, graph->opCount()));
    };
    const BenchRow rows[] = {
        {"fuse_ops", "ops of the graph", ops, 0},
        {"fuse_edges", "edges of the graph", static_cast<double>(graph->edgeCount()), 0},
        {"fuse_80k_ms", "fusing by time saved, ms", anyMs, 1},
        {"fuse_local_80k_ms", "the same within devices' borders, ms", localMs, 1},
        {"fuse_chains_80k_ms", "fusing elementwise chains, ms", chainMs, 1},
        {"fuse_levels_80k_ms", "fusing by random levels, ms", levelMs, 1},
        {"fuse_best_80k_ms", "all proposals simulated and the best kept, ms", bestMs, 1},
        {"fuse_simulate_80k_ms", "one simulation, unfused, ms", simulateMs, 1},
        {"fuse_kernels_time_saved", "kernels left by time saved", left(any), 0},
        {"fuse_kernels_local", "within devices' borders", left(local), 0},
        {"fuse_kernels_chains", "by elementwise chains", left(chains), 0},
        {"fuse_kernels_levels", "by random levels", left(levels), 0},
        {"fuse_step_none_ms", "step unfused, FIFO, ms", stepMs({}), 2},
        {"fuse_step_chains_ms", "step with elementwise chains, ms", stepMs(chains), 2},
        {"fuse_step_time_saved_ms", "step by time saved, ms", stepMs(any), 2},
        {"fuse_step_local_ms", "step within devices' borders, ms", stepMs(local), 2},
    };
    printRows(rows, json);
    return 0;
}

} // namespace
} // namespace opscape::bench

int main(int argc, char** argv) { return opscape::bench::run(argc > 1 && std::string_view(argv[1]) == "--json"); }
