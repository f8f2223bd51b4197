// SPDX-License-Identifier: MIT
// Speed of the simulator, beside peers in the same run: ops simulated a second on a large and a small graph,
// allocations in a second run, speed-up of candidate plans over two threads, SimGrid on the small graph, and the
// optimizers HEFT and METIS on the large one. Prints a table, or JSON with --json.
#include "bench/unrolled_graph.h"
#include "sim/simgrid_peer.h"

#include <opscape/base/units.h>
#include <opscape/sim/ranks.h>
#include <opscape/sim/simulator.h>
#include <opscape/task/plugin.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <thread>

namespace {

std::atomic<std::int64_t> g_allocations{0};

void* counted(std::size_t size) {
    g_allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* p = std::malloc(size == 0 ? 1 : size))
        return p;
    throw std::bad_alloc();
}

} // namespace

// Exported, so that the engine's shared libraries use them too.
__attribute__((visibility("default"))) void* operator new(std::size_t size) { return counted(size); }
__attribute__((visibility("default"))) void* operator new[](std::size_t size) { return counted(size); }
__attribute__((visibility("default"))) void operator delete(void* p) noexcept { std::free(p); }
__attribute__((visibility("default"))) void operator delete[](void* p) noexcept { std::free(p); }
__attribute__((visibility("default"))) void operator delete(void* p, std::size_t) noexcept { std::free(p); }
__attribute__((visibility("default"))) void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace opscape::bench {
namespace {

double seconds(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double medianSeconds(int repeats, const std::function<void()>& work) {
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i)
        times.push_back(seconds(work));
    std::ranges::sort(times);
    return times[times.size() / 2];
}

template <class T>
T orExit(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "bench: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(*result);
}

/// Layers dealt over the devices in turn, ops by upward rank: the kind of plan a search simulates.
struct Case {
    Problem problem;
    Plan plan;
    Case(std::shared_ptr<const Graph> graph, const std::string& cluster) {
        Diagnostics diagnostics;
        problem =
            makeProblem(std::move(graph), std::make_shared<const Cluster>(orExit(Cluster::load(cluster))), diagnostics);
        for (std::size_t i = 0; i < problem.graph->opCount(); ++i) {
            const std::string& name = problem.graph->op(OpId(i)).name;
            const int layer = std::atoi(name.c_str() + name.find("layer_") + 6);
            plan.device.emplace_back(static_cast<std::size_t>(layer) % problem.cluster->deviceCount());
        }
        plan.policy = QueuePolicy::Priority;
        plan.priority = rankPriorities(problem);
    }
};

double opsPerSecond(const Case& c, int repeats) {
    Simulator simulator(c.problem);
    Schedule schedule;
    (void)simulator.run(c.plan, Detail::Makespan, schedule);
    const double s = medianSeconds(repeats, [&] { (void)simulator.run(c.plan, Detail::Makespan, schedule); });
    return static_cast<double>(c.problem.graph->opCount()) / s;
}

std::int64_t allocationsInSecondRun(const Case& c) {
    Simulator simulator(c.problem);
    Schedule schedule;
    (void)simulator.run(c.plan, Detail::Makespan, schedule);
    const std::int64_t before = g_allocations;
    (void)simulator.run(c.plan, Detail::Makespan, schedule);
    return g_allocations - before;
}

/// The same candidate plans one after the other and over two threads.
double threadSpeedup(const Case& c) {
    constexpr int kPlans = 16;
    const auto work = [&c](int plans) {
        Simulator simulator(c.problem);
        Schedule schedule;
        for (int i = 0; i < plans; ++i)
            (void)simulator.run(c.plan, Detail::Makespan, schedule);
    };
    const double one = medianSeconds(3, [&] { work(kPlans); });
    const double two = medianSeconds(3, [&] {
        std::thread other(work, kPlans / 2);
        work(kPlans / 2);
        other.join();
    });
    return one / two;
}

double simGridSpeedup(const Case& c) {
    Simulator simulator(c.problem);
    const Schedule schedule = orExit(simulator.run(c.plan, Detail::Full));
    std::vector<double> peer;
    for (int i = 0; i < 5; ++i) {
        const test::PeerTimes times = test::runSimGrid(c.problem, c.plan, schedule);
        if (!times.error.empty())
            orExit<int>(fail("{}", times.error));
        peer.push_back(times.runSeconds);
    }
    std::ranges::sort(peer);
    return peer[2] * opsPerSecond(c, 101) / static_cast<double>(c.problem.graph->opCount());
}

double optimizerMs(const Registry& registry, const std::string& id, const Case& c) {
    const Options options(orExit(registry.optimizer(id))->options);
    return 1e3 *
           medianSeconds(3, [&] { (void)orExit(orExit(registry.makeOptimizer(id))->solve(c.problem, options, {})); });
}

int run(bool json) {
    Registry registry;
    for (const PluginStatus& status : loadPlugins(std::string(OPSCAPE_BINARY_DIR) + "/lib/opscape/plugins", registry)) {
        if (!status.loaded())
            fmt::print(stderr, "bench: {}: {}\n", status.file.string(), status.error);
    }
    const Case large(UnrolledGraph::make(16, 66, 76), "p100x8");
    const Case small(UnrolledGraph::make(4, 10, 26), "p100x4");
    struct Row {
        const char* key;
        const char* what;
        double value;
        int digits;
    };
    const Row rows[] = {
        {"ops_80k", "ops of the large graph", static_cast<double>(large.problem.graph->opCount()), 0},
        {"edges_80k", "edges of the large graph", static_cast<double>(large.problem.graph->edgeCount()), 0},
        {"ops_per_s_80k", "ops simulated a second, large graph, one thread", opsPerSecond(large, 15), 0},
        {"ops_per_s_1k", "ops simulated a second, 1,000 ops, one thread", opsPerSecond(small, 301), 0},
        {"allocations_second_run", "allocations in the second run", static_cast<double>(allocationsInSecondRun(large)),
         0},
        {"thread_speedup_2", "candidate plans over two threads, speed-up", threadSpeedup(large), 2},
        {"simgrid_speedup_1k", "SimGrid's time over ours, 1,000 ops", simGridSpeedup(small), 1},
        {"heft_80k_ms", "HEFT, large graph, 8 devices, ms", optimizerMs(registry, "heft", large), 1},
        {"metis_80k_ms", "METIS k-way, large graph, 8 devices, ms", optimizerMs(registry, "metis", large), 1},
    };
    if (json)
        std::puts("{");
    for (const Row& row : rows) {
        const std::string value = row.digits == 0 && !json ? formatCount(static_cast<std::int64_t>(row.value))
                                                           : fmt::format("{:.{}f}", row.value, row.digits);
        if (json)
            fmt::print("  \"{}\": {}{}\n", row.key, value, &row == std::end(rows) - 1 ? "" : ",");
        else
            fmt::print("{:<52} {:>14}\n", row.what, value);
    }
    if (json)
        std::puts("}");
    return 0;
}

} // namespace
} // namespace opscape::bench

int main(int argc, char** argv) { return opscape::bench::run(argc > 1 && std::string_view(argv[1]) == "--json"); }
