// SPDX-License-Identifier: MIT
// Features of a unit: its share of the whole (time, memory, traffic), where it lies between the start and the end of
// the step, what kind of work it is, what runs beside it; and of the graph: how parallel it is, what transfers cost
// beside the work, how many devices there are and how tight their memory is. All relative to the graph and the cluster,
// and clipped, so that what was learned on small graphs means the same on large ones.
#include <opscape/rl/features/decision_graph.h>
#include <opscape/rl/features/op_category.h>
#include <opscape/sim/ranks.h>
#include <opscape/task/unit_edges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace opscape::rl {
namespace {

constexpr std::array<std::string_view, 28> kNames{
    "time, logarithm", "share of time", "share of memory", "bytes out", "bytes in", "resident bytes", "upward rank",
    "downward rank", "slack", "level", "backward", "update", "producers", "consumers", "position", "share of its layer",
    "size of its layer", "work beside it", "spread over kinds of device", "memory of a device",
    // the same for every unit:
    "parallelism", "traffic to work", "one over devices", "devices", "memory tightness", "layers per device", "units",
    "update share"};
constexpr float kMost = 4;

float clipped(double value) { return std::clamp(static_cast<float>(value), -kMost, kMost); }
double logOf(double value) { return std::log(std::max(value, 1e-4)); }

/// Everything that the features are made of, per unit; times in ns.
struct Measures {
    std::vector<double> time, slowest, fastest, memory, bytesOut, bytesIn, resident, up, down, level;
    std::vector<double> backward, update;
    std::vector<std::array<double, kOpCategories>> categories; ///< shares of time

    Measures(const Problem& problem, const DecisionUnits& units, const UnitEdges& edges) {
        const std::size_t count = units.count();
        for (auto* values : {&time, &slowest, &fastest, &memory, &bytesOut, &bytesIn, &resident, &up, &down, &level,
                             &backward, &update})
            values->assign(count, 0);
        categories.assign(count, {});
        const std::vector<std::int64_t> upward = upwardRanks(problem), downward = downwardRanks(problem);
        const auto scale = static_cast<double>(rankScale(*problem.cluster));
        const std::vector<double> levels = levelsOf(*problem.graph);
        for (std::uint32_t unit = 0; unit < count; ++unit) {
            addOps(problem, units, unit, upward, downward, scale, levels);
            for (const UnitEdges::Edge& edge : edges.producers.of(unit))
                bytesIn[unit] += static_cast<double>(edge.bytes);
            for (const UnitEdges::Edge& edge : edges.consumers.of(unit))
                bytesOut[unit] += static_cast<double>(edge.bytes);
        }
    }

private:
    static std::vector<double> levelsOf(const Graph& graph) {
        std::vector<double> levels(graph.opCount());
        double most = 1;
        for (const OpId op : graph.topologicalOrder()) {
            for (const OpId before : graph.predecessors(op))
                levels[op.index()] = std::max(levels[op.index()], levels[before.index()] + 1);
            most = std::max(most, levels[op.index()]);
        }
        for (double& at : levels)
            at /= most;
        return levels;
    }

    void addOps(const Problem& problem, const DecisionUnits& units, std::uint32_t unit,
                std::span<const std::int64_t> upward, std::span<const std::int64_t> downward, double scale,
                std::span<const double> levels) {
        const Graph& graph = *problem.graph;
        const auto ops = units.ops(unit);
        std::vector<std::uint32_t> residents;
        slowest[unit] = 0;
        std::vector<double> ofKind(problem.cluster->kindCount());
        for (const OpId op : ops) {
            double mean = 0;
            for (std::size_t d = 0; d < problem.cluster->deviceCount(); ++d)
                mean += static_cast<double>(problem.opNs(op, DeviceId(d)));
            mean /= static_cast<double>(problem.cluster->deviceCount());
            for (std::size_t kind = 0; kind < ofKind.size(); ++kind)
                ofKind[kind] += static_cast<double>(problem.cost->opNs(op, KindId(kind)));
            time[unit] += mean;
            categories[unit][static_cast<std::size_t>(categoryOf(graph.op(op).type))] += mean + 1e-3;
            const Phase phase = graph.op(op).phase;
            backward[unit] += phase == Phase::Backward ? 1 : 0;
            update[unit] += phase == Phase::Update ? 1 : 0;
            up[unit] += static_cast<double>(upward[op.index()]) / scale;
            down[unit] += static_cast<double>(downward[op.index()]) / scale;
            level[unit] += levels[op.index()];
            for (const TensorId tensor : graph.outputs(op))
                memory[unit] += static_cast<double>(graph.tensorBytes(tensor));
            for (const TensorId tensor : graph.inputs(op)) {
                if (tensor.valid() && !graph.producer(tensor).valid())
                    residents.push_back(tensor.value);
            }
        }
        std::ranges::sort(residents);
        const auto repeated = std::ranges::unique(residents);
        residents.erase(repeated.begin(), repeated.end());
        for (const std::uint32_t tensor : residents)
            resident[unit] += static_cast<double>(graph.tensorBytes(TensorId(std::size_t{tensor})));
        memory[unit] += resident[unit];
        slowest[unit] = std::ranges::max(ofKind);
        fastest[unit] = std::ranges::min(ofKind);
        const auto size = static_cast<double>(ops.size());
        for (auto* values : {&backward, &update, &up, &down, &level})
            (*values)[unit] /= size;
        const double sum = std::accumulate(categories[unit].begin(), categories[unit].end(), 0.0);
        for (double& share : categories[unit])
            share /= sum;
    }
};

double meanNsPerByte(const Cluster& cluster) {
    double sum = 0, pairs = 0;
    for (std::size_t from = 0; from < cluster.deviceCount(); ++from) {
        for (std::size_t to = 0; to < cluster.deviceCount(); ++to) {
            if (from == to)
                continue;
            sum += 1e9 / cluster.routeBandwidth(DeviceId(from), DeviceId(to));
            ++pairs;
        }
    }
    return pairs > 0 ? sum / pairs : 0;
}

/// Per unit: the time of all units that could run while it does, by their ranks, as a share of all.
std::vector<double> workBeside(const Measures& m, double longest) {
    const std::size_t count = m.time.size();
    std::vector<double> begin(count), end(count);
    for (std::size_t u = 0; u < count; ++u) {
        begin[u] = m.down[u];
        end[u] = longest - std::max(0.0, m.up[u] - m.time[u]);
    }
    const auto sums = [&m](std::vector<double> keys) {
        std::vector<std::size_t> order(keys.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&keys](std::size_t u) { return keys[u]; });
        std::vector<double> sorted, total{0};
        for (const std::size_t u : order) {
            sorted.push_back(keys[u]);
            total.push_back(total.back() + m.time[u]);
        }
        return std::pair(std::move(sorted), std::move(total));
    };
    const auto [begins, begun] = sums(begin);
    const auto [ends, ended] = sums(end);
    std::vector<double> beside(count);
    for (std::size_t u = 0; u < count; ++u) {
        const auto before = std::ranges::upper_bound(ends, begin[u]) - ends.begin();
        const auto after = std::ranges::lower_bound(begins, end[u]) - begins.begin();
        beside[u] = (begun[static_cast<std::size_t>(after)] - ended[static_cast<std::size_t>(before)]) /
                    std::max(1.0, begun.back());
    }
    return beside;
}

Adjacency adjacencyOf(const UnitEdges::Rows& rows) {
    Adjacency result;
    result.first.assign(rows.first.begin(), rows.first.end());
    for (const UnitEdges::Edge& edge : rows.edges)
        result.items.push_back(static_cast<std::int32_t>(edge.unit));
    return result;
}

void addFeatures(const Problem& problem, const UnitEdges& edges, DecisionGraph& graph) {
    const Measures m(problem, graph.units, edges);
    const DecisionUnits& units = graph.units;
    const auto count = static_cast<double>(units.count());
    const auto sum = [](const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0);
    };
    const double total = std::max(1e-6, sum(m.time)), mean = total / count;
    const double allMemory = std::max(1.0, sum(m.memory)), longest = std::max(1e-6, std::ranges::max(m.up));
    const double nsPerByte = meanNsPerByte(*problem.cluster);
    const auto devices = static_cast<double>(problem.cluster->deviceCount());
    double capacity = 0;
    for (std::size_t d = 0; d < problem.cluster->deviceCount(); ++d) {
        const std::int64_t bytes = problem.cluster->kindOf(DeviceId(d)).memoryBytes;
        capacity += bytes > 0 ? static_cast<double>(bytes) : 1e15;
    }
    std::vector<double> layerTime(units.layerCount), layerSize(units.layerCount);
    for (std::uint32_t u = 0; u < units.count(); ++u) {
        layerTime[units.layer[u]] += m.time[u];
        ++layerSize[units.layer[u]];
    }
    const std::vector<double> beside = workBeside(m, longest);
    const std::array<double, 8> ofGraph{logOf(total / devices / longest),
                                        logOf(sum(m.bytesOut) * nsPerByte / total) / 2,
                                        1 / devices,
                                        std::log2(devices) / 3,
                                        allMemory / capacity * 2,
                                        logOf(units.layerCount / devices) / 2,
                                        std::log(count) / 4,
                                        sum(m.update) / count};
    graph.features.reserve(units.count() * static_cast<std::size_t>(DecisionGraph::featureCount()));
    for (std::uint32_t u = 0; u < units.count(); ++u) {
        const auto degree = [u](const Adjacency& rows) { return std::log1p(rows.first[u + 1] - rows.first[u]) / 2; };
        const std::array<double, 20> own{
            logOf(m.time[u] / mean) / 3,
            m.time[u] / total * 10,
            m.memory[u] / allMemory * 10,
            std::log1p(m.bytesOut[u] * nsPerByte / mean),
            std::log1p(m.bytesIn[u] * nsPerByte / mean),
            std::log1p(m.resident[u] * nsPerByte / mean),
            m.up[u] / longest,
            m.down[u] / longest,
            1 - (m.up[u] + m.down[u]) / longest,
            m.level[u],
            m.backward[u],
            m.update[u],
            degree(graph.producers),
            degree(graph.consumers),
            u / count,
            layerTime[units.layer[u]] / total * 3,
            std::log1p(layerSize[units.layer[u]]) / 2,
            beside[u] * 3,
            logOf((m.slowest[u] + 1) / (m.fastest[u] + 1)) / 2,
            m.memory[u] / capacity * devices * 10,
        };
        for (const double value : own)
            graph.features.push_back(clipped(value));
        for (const double value : ofGraph)
            graph.features.push_back(clipped(value));
        for (const double value : m.categories[u])
            graph.features.push_back(clipped(value));
    }
}

DecisionGraph graphOf(const Problem& problem, const OpGroups& groups, const GroupLevel& level,
                      std::span<const std::uint32_t> order) {
    DecisionGraph graph;
    DecisionUnits& units = graph.units;
    std::vector<std::uint32_t> numberOf(order.size());
    units.first.push_back(0);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        numberOf[order[i]] = i;
        const auto ops = level.ops(order[i]);
        units.members.insert(units.members.end(), ops.begin(), ops.end());
        units.first.push_back(static_cast<std::uint32_t>(units.members.size()));
        units.layer.push_back(level.layer[order[i]]);
    }
    units.layerCount = groups.layers.groupCount();
    for (const std::uint32_t group : level.groupOf)
        units.unitOf.push_back(numberOf[group]);
    const UnitEdges edges(*problem.graph, units);
    graph.producers = adjacencyOf(edges.producers);
    graph.consumers = adjacencyOf(edges.consumers);
    addFeatures(problem, edges, graph);
    return graph;
}

} // namespace

int DecisionGraph::featureCount() { return static_cast<int>(kNames.size() + kOpCategories); }

std::span<const std::string_view> DecisionGraph::featureNames() { return kNames; }

DecisionGraph groupedGraph(const Problem& problem, const OpGroups& groups, std::size_t level) {
    return graphOf(problem, groups, groups.levels[level], groups.levels[level].order);
}

DecisionGraph opGraph(const Problem& problem, const OpGroups& groups) {
    const GroupLevel& level = groups.levels[OpGroups::kOps];
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> isIn(level.groupCount());
    for (const OpId op : problem.graph->topologicalOrder()) {
        if (std::exchange(isIn[level.groupOf[op.index()]], std::uint8_t{1}) == 0)
            order.push_back(level.groupOf[op.index()]);
    }
    return graphOf(problem, groups, level, order);
}

} // namespace opscape::rl
