// SPDX-License-Identifier: MIT
// What people do by hand (the human-placement baseline of Mirhoseini et al. 2018 and Zhou et al. 2020), by the graph's
// scopes, on the devices of the kind that runs the graph fastest.
//
// Recurrent layers (layers.h): one layer per device in turn, layer i on device i mod n; with an encoder and a decoder,
// encoder layer i on (1 + i) mod n and decoder layer i on i mod n. What comes after a layer and is in none (softmax,
// attention, loss) goes to the last device, what comes before all of them (embeddings) to the layer it feeds.
//
// Anything else: contiguous scopes in topological order, cut so that the largest share of time is as small as can be.
//
// Backward ops follow their forward scope, updates their weights.
#include "layers.h"
#include "pieces.h"

#include <opscape/sim/ranks.h>
#include <opscape/task/constraints.h>
#include <opscape/task/plugin.h>

#include <algorithm>

namespace opscape {
namespace {

/// Cuts a sequence into at most `parts` runs such that the largest sum is least; gives each element its run.
std::vector<std::size_t> balancedRuns(std::span<const std::int64_t> weights, std::size_t parts) {
    const auto cut = [&](std::int64_t limit) {
        std::vector<std::size_t> run;
        std::size_t current = 0;
        std::int64_t sum = 0;
        for (const std::int64_t weight : weights) {
            if (sum > 0 && sum + weight > limit) {
                ++current;
                sum = 0;
            }
            sum += weight;
            run.push_back(current);
        }
        return run;
    };
    std::int64_t low = 0, high = 0;
    for (const std::int64_t weight : weights) {
        low = std::max(low, weight);
        high += weight;
    }
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (cut(middle).back() < parts)
            high = middle;
        else
            low = middle + 1;
    }
    return cut(low);
}

class Expert final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext&) override {
        const auto fixed = fixedDevices(problem);
        if (!fixed)
            return fail(fixed.error());
        const Graph& graph = *problem.graph;
        const std::vector<DeviceId> devices = fastestDevices(problem);
        const auto layers = recurrentLayers(graph);
        const std::vector<DeviceId> placed =
            layers.empty() ? contiguous(problem, devices) : oneLayerPerDevice(graph, layers, devices);
        Plan plan;
        for (std::size_t i = 0; i < graph.opCount(); ++i) {
            const DeviceId own = (*fixed)[i];
            plan.device.push_back(own.valid() ? own : placed[colocationLeader(graph, OpId(i)).index()]);
        }
        if (options.choice("queue") == "rank") {
            plan.policy = QueuePolicy::Priority;
            plan.priority = rankPriorities(problem);
        }
        return plan;
    }

    static std::vector<DeviceId> fastestDevices(const Problem& problem) {
        const Cluster& cluster = *problem.cluster;
        KindId best;
        std::int64_t bestNs = 0;
        for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
            const KindId kind = cluster.device(DeviceId(d)).kind;
            std::int64_t sumNs = 0;
            for (std::size_t i = 0; i < problem.graph->opCount(); ++i)
                sumNs += problem.cost->opNs(OpId(i), kind);
            if (!best.valid() || sumNs < bestNs) {
                best = kind;
                bestNs = sumNs;
            }
        }
        std::vector<DeviceId> devices;
        for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
            if (cluster.device(DeviceId(d)).kind == best)
                devices.emplace_back(d);
        }
        return devices;
    }

    static std::vector<DeviceId> contiguous(const Problem& problem, std::span<const DeviceId> devices) {
        const KindId kind = problem.cluster->device(devices[0]).kind;
        Pieces pieces = scopePieces(problem, kind, devices.size());
        followForward(*problem.graph, pieces, 0);
        std::vector<std::int64_t> pieceNs(pieces.count, 0);
        for (std::size_t i = 0; i < pieces.of.size(); ++i)
            pieceNs[pieces.of[i]] += problem.cost->opNs(OpId(i), kind);
        const auto run = balancedRuns(pieceNs, devices.size());
        std::vector<DeviceId> placed;
        for (const std::uint32_t piece : pieces.of)
            placed.push_back(devices[run[piece]]);
        return placed;
    }

    static std::vector<DeviceId> oneLayerPerDevice(const Graph& graph, std::span<const LayerName> layers,
                                                   std::span<const DeviceId> devices) {
        const auto onSide = [layers](LayerSide side) { return std::ranges::count(layers, side, &LayerName::side); };
        const bool twoSided = onSide(LayerSide::Encoder) > 0 && onSide(LayerSide::Decoder) > 0;
        std::vector<DeviceId> layerDevice;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const auto first = std::ranges::find(layers, layers[i].side, &LayerName::side); // they are sorted
            const std::size_t index = i - static_cast<std::size_t>(first - layers.begin());
            layerDevice.push_back(
                devices[(index + (twoSided && layers[i].side == LayerSide::Encoder ? 1 : 0)) % devices.size()]);
        }

        // Pieces are devices here; kNone until known.
        Pieces pieces;
        pieces.of.assign(graph.opCount(), Pieces::kNone);
        std::vector<std::uint8_t> afterLayer(graph.opCount(), 0);
        const auto order = graph.topologicalOrder();
        for (const OpId op : order) {
            if (!isForward(graph.op(op)))
                continue;
            for (const OpId before : graph.predecessors(op))
                afterLayer[op.index()] |= afterLayer[before.index()];
            if (const auto layer = layerOf(graph.op(op).name)) {
                const auto at = std::ranges::find(layers, *layer) - layers.begin();
                pieces.of[op.index()] = layerDevice[static_cast<std::size_t>(at)].value;
                afterLayer[op.index()] = 1;
            } else if (afterLayer[op.index()] != 0) {
                pieces.of[op.index()] = devices.back().value;
            }
        }
        for (std::size_t i = order.size(); i-- > 0;) {
            std::uint32_t& piece = pieces.of[order[i].index()];
            for (const OpId next : graph.successors(order[i])) {
                if (piece == Pieces::kNone && isForward(graph.op(order[i])) && isForward(graph.op(next)))
                    piece = pieces.of[next.index()];
            }
        }
        for (std::size_t i = 0; i < graph.opCount(); ++i) {
            if (pieces.of[i] == Pieces::kNone && isForward(graph.op(OpId(i))))
                pieces.of[i] = devices[0].value;
        }
        followForward(graph, pieces, devices[0].value);
        std::vector<DeviceId> placed;
        for (const std::uint32_t device : pieces.of)
            placed.emplace_back(device);
        return placed;
    }
};

OptimizerInfo info() {
    return {.id = "expert",
            .title = "Expert",
            .summary = "What people do by hand: one recurrent layer per device, other models cut into contiguous "
                       "scopes of equal time.",
            .revision = 1,
            .decides = {"placement", "scheduling"},
            .honoursPins = true,
            .options = {OptionSpec::choice(
                "queue", "Run ops first come, first served, or the ready one of highest upward rank first.", "fifo",
                {"fifo", "rank"})},
            .objectives = {Objective::StepTime, Objective::Pipeline}};
}

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("expert", [](opscape::Registry& registry) -> opscape::Result<> {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Expert>(); });
})
