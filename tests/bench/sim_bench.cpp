// SPDX-License-Identifier: MIT
// Speed of the simulator, beside peers in the same run: ops simulated a second on a large and a small graph, with few
// and with most edges cut, by processor time; allocations in a second run; speed-up of candidate plans over two threads
// and what the machine allows; what simulating only a part after a small change could gain; SimGrid on the small graph;
// and the optimizers HEFT and METIS on the large one. Prints a table, or JSON with --json.
#include "bench/bench_case.h"
#include "bench/bench_table.h"
#include "bench/resimulate_bound.h"
#include "bench/thread_scaling.h"
#include "sim/simgrid_peer.h"

#include <opscape/base/units.h>
#include <opscape/sim/simulator.h>
#include <opscape/task/plugin.h>

#include <atomic>
#include <new>

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

/// Processor seconds of a run: the median over batches that are long enough for the clock.
double runSeconds(const Case& c, int batches) {
    const int runs = static_cast<int>(1 + 100'000 / c.problem.graph->opCount());
    Simulator simulator(c.problem);
    Schedule schedule;
    const auto batch = [&] {
        for (int i = 0; i < runs; ++i)
            (void)simulator.run(c.plan, Detail::Makespan, schedule);
    };
    batch();
    std::vector<double> times;
    for (int i = 0; i < batches; ++i)
        times.push_back(processorSeconds(batch) / runs);
    return median(std::move(times));
}

double opsPerSecond(const Case& c) { return static_cast<double>(c.problem.graph->opCount()) / runSeconds(c, 15); }

std::int64_t allocationsInSecondRun(const Case& c) {
    Simulator simulator(c.problem);
    Schedule schedule;
    (void)simulator.run(c.plan, Detail::Makespan, schedule);
    const std::int64_t before = g_allocations;
    (void)simulator.run(c.plan, Detail::Makespan, schedule);
    return g_allocations - before;
}

struct Peer {
    double peerMs, ratio;
};

/// Processor time on both sides, because a run of SimGrid takes milliseconds and is interrupted now and then, which
/// ours are too short for. Of SimGrid only Engine::run() counts, at its own default precision; of ours all of a run,
/// with what prepares it.
Peer simGrid(const Case& c) {
    const Schedule schedule = orExit(Simulator(c.problem).run(c.plan, Detail::Full));
    std::vector<double> peer, ratio;
    for (int i = 0; i < 11; ++i) {
        const test::PeerTimes times = test::runSimGrid(c.problem, c.plan, schedule, test::PeerPrecision::Default);
        if (!times.error.empty())
            orExit<int>(fail("{}", times.error));
        peer.push_back(1e3 * times.runSeconds);
        ratio.push_back(times.runSeconds / runSeconds(c, 1));
    }
    return {median(std::move(peer)), median(std::move(ratio))};
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
    const auto largeGraph = UnrolledGraph::make(16, 66, 76), smallGraph = UnrolledGraph::make(4, 10, 26);
    const Case large(largeGraph, "p100x8", Case::Placement::Layers);
    const Case small(smallGraph, "p100x4", Case::Placement::Layers);
    const Case largeCut(largeGraph, "p100x8", Case::Placement::Random);
    const Case smallCut(smallGraph, "p100x4", Case::Placement::Random);
    const ThreadScaling scaling = threadScaling(large, 7);
    const Peer peer = simGrid(small), cutPeer = simGrid(smallCut);
    const ResimulateBound bound = resimulateBound(large, 100), cutBound = resimulateBound(largeCut, 100);
    const BenchRow rows[] = {
        {"ops_80k", "ops of the large graph", static_cast<double>(large.problem.graph->opCount()), 0},
        {"edges_80k", "edges of the large graph", static_cast<double>(large.problem.graph->edgeCount()), 0},
        {"ops_per_s_80k", "ops simulated a second of one core, large graph", opsPerSecond(large), 0},
        {"ops_per_s_1k", "ops simulated a second of one core, 1,000 ops", opsPerSecond(small), 0},
        {"ops_per_s_80k_transfers", "the same, large graph, most edges cut", opsPerSecond(largeCut), 0},
        {"ops_per_s_1k_transfers", "the same, 1,000 ops, most edges cut", opsPerSecond(smallCut), 0},
        {"allocations_second_run", "allocations in the second run", static_cast<double>(allocationsInSecondRun(large)),
         0},
        {"thread_speedup_2", "candidate plans over two threads, speed-up", scaling.threads, 2},
        {"thread_speedup_2_processor", "the same by processor time", scaling.processor, 2},
        {"process_speedup_2", "candidate plans over two processes, speed-up", scaling.processes, 2},
        {"thread_speedup_2_ceiling", "two threads that use no memory, speed-up", scaling.registers, 2},
        {"resimulate_bound", "one-op move, restart for free: speed-up", bound.restart, 2},
        {"resimulate_bound_transfers", "the same, most edges cut", cutBound.restart, 2},
        {"resimulate_bound_window", "one-op move, restart and stop for free", bound.window, 2},
        {"resimulate_bound_window_transfers", "the same, most edges cut", cutBound.window, 2},
        {"simgrid_1k_ms", "SimGrid, 1,000 ops, ms", peer.peerMs, 2},
        {"simgrid_speedup_1k", "SimGrid's time over ours, 1,000 ops", peer.ratio, 1},
        {"simgrid_1k_transfers_ms", "SimGrid, 1,000 ops, most edges cut, ms", cutPeer.peerMs, 2},
        {"simgrid_speedup_1k_transfers", "SimGrid's time over ours, most edges cut", cutPeer.ratio, 1},
        {"heft_80k_ms", "HEFT, large graph, 8 devices, ms", optimizerMs(registry, "heft", large), 1},
        {"metis_80k_ms", "METIS k-way, large graph, 8 devices, ms", optimizerMs(registry, "metis", large), 1},
    };
    printRows(rows, json);
    return 0;
}

} // namespace
} // namespace opscape::bench

int main(int argc, char** argv) { return opscape::bench::run(argc > 1 && std::string_view(argv[1]) == "--json"); }
