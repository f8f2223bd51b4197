// SPDX-License-Identifier: MIT
// The best contiguous split for pipelined throughput, exactly, by dynamic programming over ideals (Tarnawski,
// Phanishayee, Devanur, Mahajan, Nina Paravecino: "Efficient Algorithms for Device Placement of DNN Graph Operators",
// NeurIPS 2020).
//
// An ideal is a set of nodes closed under predecessors. A device that takes S = I \ I' for two ideals I' within I takes
// a contiguous part: no path leaves S and comes back. best(I, a, c) = the least period in which a accelerators and c
// CPUs run the ideal I = the minimum over I' of max(best(I', a - 1, c), load of S on an accelerator), and likewise for
// a CPU.
//
// For each I the I' are walked depth-first by taking maximal nodes off, the load of S kept up to date by counters: a
// tensor is sent when its producer is in S and a reader is not, and received when a reader is in S and its producer is
// not. The sum of times only grows along the walk, so it stops where that sum exceeds a period already known to be
// possible.
//
// A graph with more ideals than the limit is split along its topological order alone: the best of those splits, which
// need not be the best of all.
#include "contracted.h"

#include <opscape/sim/pipeline.h>
#include <opscape/task/plugin.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace opscape {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

using NodeSet = std::vector<std::uint64_t>;

struct NodeSetHash {
    std::size_t operator()(const NodeSet& set) const {
        std::uint64_t h = 0x9e3779b97f4a7c15ULL;
        for (const std::uint64_t word : set)
            h = (h ^ word) * 0xff51afd7ed558ccdULL, h ^= h >> 32;
        return h;
    }
};

/// Ideals, smaller ones first; `without` lists, for each, its maximal nodes and the ideal without that node.
struct Ideals {
    std::vector<NodeSet> sets; ///< empty when ideal i is the first i nodes
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> without;

    [[nodiscard]] std::size_t size() const { return without.size(); }
    [[nodiscard]] bool contains(std::uint32_t ideal, std::uint32_t node) const {
        return sets.empty() ? node < ideal : (sets[ideal][node / 64] >> (node % 64) & 1) != 0;
    }
};

/// The prefixes of the topological order.
Ideals prefixes(const ContractedGraph& graph) {
    Ideals ideals;
    ideals.without.resize(graph.nodes.size() + 1);
    for (std::uint32_t i = 1; i <= graph.nodes.size(); ++i)
        ideals.without[i].emplace_back(i - 1, i - 1);
    return ideals;
}

/// All of them, or the prefixes of the topological order where there are more than `limit`.
Ideals enumerateIdeals(const ContractedGraph& graph, std::size_t limit, const RunContext& context) {
    Ideals ideals;
    std::unordered_map<NodeSet, std::uint32_t, NodeSetHash> indexOf;
    ideals.sets.emplace_back((graph.nodes.size() + 63) / 64);
    ideals.without.emplace_back();
    indexOf.emplace(ideals.sets[0], 0);
    for (std::uint32_t i = 0; i < ideals.size(); ++i) {
        for (std::uint32_t v = 0; v < graph.nodes.size(); ++v) {
            if (ideals.contains(i, v) ||
                !std::ranges::all_of(graph.nodes[v].before, [&](std::uint32_t u) { return ideals.contains(i, u); }))
                continue;
            NodeSet larger = ideals.sets[i];
            larger[v / 64] |= std::uint64_t{1} << (v % 64);
            const auto [it, isNew] = indexOf.try_emplace(std::move(larger), static_cast<std::uint32_t>(ideals.size()));
            if (isNew) {
                if (ideals.size() == limit || context.stopRequested())
                    return prefixes(graph);
                ideals.sets.push_back(it->first);
                ideals.without.emplace_back();
            }
            ideals.without[it->second].emplace_back(v, i);
        }
    }
    return ideals;
}

struct Devices {
    std::vector<DeviceId> accelerators, cpus;
    std::int64_t acceleratorBytes = 0, cpuBytes = 0; ///< capacity, kNever when unlimited
};

class SplitSearch {
public:
    SplitSearch(const Problem& problem, const ContractedGraph& graph, const Ideals& ideals, const Devices& devices)
        : m_graph(graph),
          m_ideals(ideals),
          m_devices(devices),
          m_columns(devices.cpus.size() + 1),
          m_states((devices.accelerators.size() + 1) * m_columns),
          m_best(ideals.size() * m_states, kNever),
          m_from(ideals.size() * m_states),
          m_readersInside(graph.tensors.size()),
          m_isProducerInside(graph.tensors.size()),
          m_sharersInside(graph.sharedBytes.size()),
          m_seen(ideals.size(), 0xffffffffu) {
        const DeviceId a = devices.accelerators.empty() ? DeviceId() : devices.accelerators[0];
        const DeviceId b = devices.accelerators.size() > 1 ? devices.accelerators[1]
                           : !devices.cpus.empty()         ? devices.cpus[0]
                                                           : DeviceId();
        for (const auto& tensor : graph.tensors)
            m_transferNs.push_back(a.valid() && b.valid() ? problem.cluster->transferNs(tensor.bytes, a, b) : 0);
        for (std::size_t s = 0; s < m_states; ++s)
            m_best[s] = 0; // the empty ideal needs no device
    }

    /// Finds the best split in which no device computes longer than `mostNs`. False when stopped.
    bool run(std::int64_t mostNs, const RunContext& context) {
        m_mostNs = mostNs;
        std::fill(m_best.begin() + static_cast<std::ptrdiff_t>(m_states), m_best.end(), kNever);
        std::ranges::fill(m_seen, 0xffffffffu);
        for (std::uint32_t i = 1; i < m_ideals.size(); ++i) {
            if (context.stopRequested())
                return false;
            if ((i & 255) == 0)
                context.report({static_cast<double>(i) / static_cast<double>(m_ideals.size()), -1, 0, "splitting"});
            m_ideal = i;
            walk();
        }
        return true;
    }

    [[nodiscard]] std::int64_t bestNs() const { return m_best.back(); }

    [[nodiscard]] Plan plan(std::size_t opCount) const {
        Plan plan;
        plan.device.resize(opCount);
        std::size_t a = m_devices.accelerators.size(), c = m_devices.cpus.size();
        for (auto i = static_cast<std::uint32_t>(m_ideals.size() - 1); i != 0;) {
            const Choice& choice = m_from[i * m_states + a * m_columns + c];
            const DeviceId device = choice.onCpu ? m_devices.cpus[--c] : m_devices.accelerators[--a];
            for (std::uint32_t v = 0; v < m_graph.nodes.size(); ++v) {
                if (!m_ideals.contains(i, v) || m_ideals.contains(choice.ideal, v))
                    continue;
                for (const OpId op : m_graph.nodes[v].ops)
                    plan.device[op.index()] = device;
            }
            i = choice.ideal;
        }
        for (const auto& [op, with] : m_graph.followers)
            plan.device[op.index()] = with.valid() ? plan.device[with.index()] : DeviceId(0);
        return plan;
    }

private:
    struct Choice {
        std::uint32_t ideal = 0;
        bool onCpu = false;
    };

    void walk() {
        struct Step {
            std::uint32_t ideal;
            std::size_t next;
        };
        m_computeNs = m_cpuNs = m_crossNs = m_bytes = 0;
        std::vector<Step> steps{{m_ideal, 0}};
        std::vector<std::uint32_t> moved;
        offer(m_ideal); // S is empty: a device may stay unused
        while (!steps.empty()) {
            Step& step = steps.back();
            const auto& maximal = m_ideals.without[step.ideal];
            if (step.next == maximal.size()) {
                steps.pop_back();
                if (!moved.empty()) {
                    moveBack(moved.back());
                    moved.pop_back();
                }
                continue;
            }
            const auto [node, smaller] = maximal[step.next++];
            if (m_seen[smaller] == m_ideal)
                continue;
            m_seen[smaller] = m_ideal;
            moveIn(node);
            const bool fits =
                (m_computeNs <= m_mostNs && m_bytes <= m_devices.acceleratorBytes && !m_devices.accelerators.empty()) ||
                (m_cpuNs <= m_mostNs && m_bytes <= m_devices.cpuBytes && !m_devices.cpus.empty());
            if (!fits) { // nor does anything larger
                moveBack(node);
                continue;
            }
            offer(smaller);
            moved.push_back(node);
            steps.push_back({smaller, 0});
        }
    }

    void offer(std::uint32_t smaller) {
        const std::int64_t loadNs = m_bytes <= m_devices.acceleratorBytes ? m_computeNs + m_crossNs : kNever;
        const std::int64_t cpuLoadNs = m_bytes <= m_devices.cpuBytes ? m_cpuNs : kNever;
        for (std::size_t a = 0; a <= m_devices.accelerators.size(); ++a) {
            for (std::size_t c = 0; c <= m_devices.cpus.size(); ++c) {
                if (a > 0)
                    improve(a, c, std::max(loadNs, m_best[smaller * m_states + (a - 1) * m_columns + c]),
                            {smaller, false});
                if (c > 0)
                    improve(a, c, std::max(cpuLoadNs, m_best[smaller * m_states + a * m_columns + c - 1]),
                            {smaller, true});
            }
        }
    }

    void improve(std::size_t a, std::size_t c, std::int64_t ns, Choice choice) {
        const std::size_t at = m_ideal * m_states + a * m_columns + c;
        if (ns < m_best[at]) {
            m_best[at] = ns;
            m_from[at] = choice;
        }
    }

    /// What the tensor costs the device that has S.
    [[nodiscard]] std::int64_t crossNs(std::uint32_t tensor) const {
        const std::uint32_t inside = m_readersInside[tensor];
        const bool crosses =
            m_isProducerInside[tensor] != 0 ? inside < m_graph.tensors[tensor].readers.size() : inside > 0;
        return crosses ? m_transferNs[tensor] : 0;
    }

    void moveIn(std::uint32_t v) {
        const auto& node = m_graph.nodes[v];
        m_computeNs += node.acceleratorNs;
        m_cpuNs += node.cpuNs;
        m_bytes += node.residentBytes;
        for (const std::uint32_t s : node.shared)
            m_bytes += m_sharersInside[s]++ == 0 ? m_graph.sharedBytes[s] : 0;
        for (const std::uint32_t t : node.written) {
            m_crossNs -= crossNs(t);
            m_isProducerInside[t] = 1;
            m_crossNs += crossNs(t);
        }
        for (const std::uint32_t t : node.read) {
            m_crossNs -= crossNs(t);
            ++m_readersInside[t];
            m_crossNs += crossNs(t);
        }
    }

    void moveBack(std::uint32_t v) {
        const auto& node = m_graph.nodes[v];
        m_computeNs -= node.acceleratorNs;
        m_cpuNs -= node.cpuNs;
        m_bytes -= node.residentBytes;
        for (const std::uint32_t s : node.shared)
            m_bytes -= --m_sharersInside[s] == 0 ? m_graph.sharedBytes[s] : 0;
        for (const std::uint32_t t : node.written) {
            m_crossNs -= crossNs(t);
            m_isProducerInside[t] = 0;
            m_crossNs += crossNs(t);
        }
        for (const std::uint32_t t : node.read) {
            m_crossNs -= crossNs(t);
            --m_readersInside[t];
            m_crossNs += crossNs(t);
        }
    }

    const ContractedGraph& m_graph;
    const Ideals& m_ideals;
    const Devices& m_devices;
    std::size_t m_columns, m_states;
    std::vector<std::int64_t> m_best;           ///< [ideal][accelerators][cpus], ns
    std::vector<Choice> m_from;                 ///< likewise
    std::vector<std::uint32_t> m_readersInside; ///< of S, per tensor
    std::vector<std::uint8_t> m_isProducerInside;
    std::vector<std::uint32_t> m_sharersInside; ///< per shared resident tensor
    std::vector<std::uint32_t> m_seen;
    std::vector<std::int64_t> m_transferNs;
    std::int64_t m_mostNs = kNever;
    std::int64_t m_computeNs = 0, m_cpuNs = 0, m_crossNs = 0, m_bytes = 0;
    std::uint32_t m_ideal = 0;
};

/// The dynamic program counts devices, so those of one sort must be alike: the accelerators and the CPUs of the kind of
/// which the cluster has most. Devices of other kinds stay unused.
Devices devicesOf(const Cluster& cluster) {
    std::vector<std::vector<DeviceId>> ofKind(cluster.kindCount());
    for (std::size_t d = 0; d < cluster.deviceCount(); ++d)
        ofKind[cluster.device(DeviceId(d)).kind.index()].emplace_back(d);
    Devices devices;
    for (std::size_t k = 0; k < ofKind.size(); ++k) {
        const DeviceKind& kind = cluster.kind(KindId(k));
        auto& alike = kind.type == "cpu" ? devices.cpus : devices.accelerators;
        if (ofKind[k].size() <= alike.size())
            continue;
        alike = ofKind[k];
        (kind.type == "cpu" ? devices.cpuBytes : devices.acceleratorBytes) =
            kind.memoryBytes > 0 ? kind.memoryBytes : kNever;
    }
    return devices;
}

class Contiguous : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        const Cluster& cluster = *problem.cluster;
        const Devices devices = devicesOf(cluster);
        const auto kindOf = [&](const std::vector<DeviceId>& alike) {
            return alike.empty() ? KindId() : cluster.device(alike[0]).kind;
        };
        const ContractedGraph graph = contract(problem, kindOf(devices.accelerators), kindOf(devices.cpus));
        const Ideals ideals = enumerateIdeals(graph, static_cast<std::size_t>(options.integer("max-ideals")), context);

        // Iterative deepening on the longest compute time of a device: the first limit that its own result respects
        // proves that result, since a better split would have respected it too.
        std::int64_t acceleratorSum = 0, cpuSum = 0, fastestSum = 0, largest = 0;
        for (const auto& node : graph.nodes) {
            const std::int64_t fastest = devices.cpus.empty()           ? node.acceleratorNs
                                         : devices.accelerators.empty() ? node.cpuNs
                                                                        : std::min(node.acceleratorNs, node.cpuNs);
            acceleratorSum += node.acceleratorNs;
            cpuSum += node.cpuNs;
            fastestSum += fastest;
            largest = std::max(largest, fastest);
        }
        const auto count = static_cast<std::int64_t>(devices.accelerators.size() + devices.cpus.size());
        SplitSearch search(problem, graph, ideals, devices);
        std::int64_t most = std::max(fastestSum / count, largest);
        for (;;) {
            most += most / 8 + 1;
            if (!search.run(most, context))
                return fail("stopped before the best contiguous split was found.");
            if (search.bestNs() <= most)
                return search.plan(problem.graph->opCount());
            if (search.bestNs() != kNever)
                most = search.bestNs();
            else if (most >= std::max(acceleratorSum, cpuSum)) // nothing was cut off
                return fail("no contiguous split fits the memory of the devices.");
            else
                most += most / 4;
        }
    }
};

OptimizerInfo info() {
    OptimizerInfo info;
    info.id = "contiguous";
    info.title = "Contiguous split (DP)";
    info.summary = "The best contiguous split for pipelined throughput, by dynamic programming over ideals (Tarnawski "
                   "et al. 2020).";
    info.decides = {"placement"};
    info.objectives = {Objective::Pipeline};
    info.options = {OptionSpec::integer(
        "max-ideals", "With more predecessor-closed sets than this only splits of the topological order are tried.",
        100'000, 1, 10'000'000)};
    return info;
}

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("contiguous", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Contiguous>(); });
})
