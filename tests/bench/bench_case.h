// SPDX-License-Identifier: MIT
// What the benchmarks of the simulator run on, and how they take time. Medians, and ratios of what was timed in turn,
// because other programs come and go on a machine.
#pragma once

#include "bench/bench_timing.h"
#include "bench/unrolled_graph.h"

#include <opscape/plan/problem.h>
#include <opscape/sim/ranks.h>

#include <chrono>
#include <cstdlib>
#include <functional>

namespace opscape::bench {

inline double seconds(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double medianSeconds(int repeats, const std::function<void()>& work) {
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i)
        times.push_back(seconds(work));
    return median(std::move(times));
}

/// Ops by upward rank on devices that are given either way: layers dealt in turn, the kind of plan a search simulates;
/// or every op anywhere, so that most edges are cut and transfers are what costs.
struct Case {
    enum class Placement { Layers, Random };
    Problem problem;
    Plan plan;
    Case(std::shared_ptr<const Graph> graph, const std::string& cluster, Placement placement) {
        Diagnostics diagnostics;
        problem =
            makeProblem(std::move(graph), std::make_shared<const Cluster>(orExit(Cluster::load(cluster))), diagnostics);
        const auto devices = static_cast<std::uint32_t>(problem.cluster->deviceCount());
        Random random(1);
        for (std::size_t i = 0; i < problem.graph->opCount(); ++i) {
            const std::string& name = problem.graph->op(OpId(i)).name;
            const int layer = std::atoi(name.c_str() + name.find("layer_") + 6);
            plan.device.emplace_back(placement == Placement::Layers ? static_cast<std::uint32_t>(layer) % devices
                                                                    : random.below(devices));
        }
        plan.policy = QueuePolicy::Priority;
        plan.priority = rankPriorities(problem);
    }
};

} // namespace opscape::bench
