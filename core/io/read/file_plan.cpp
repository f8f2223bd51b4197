// SPDX-License-Identifier: MIT
// With every group drawn together into one node, a path that leaves a group and comes back is a cycle. The groups on
// cycles, those in a strongly connected component with another node, are dissolved at once: a cycle that is left would
// lie in one such component and lead through single ops alone, which the graph has none of.
#include <opscape/io/read/components.h>
#include <opscape/io/read/file_plan.h>

#include <unordered_map>

namespace opscape {
namespace {

void dissolveCycles(GraphFile& file) {
    const Graph& graph = file.graph;
    std::vector<std::uint32_t> leader(graph.opCount()); // the first op of its group, or the op itself
    std::unordered_map<std::uint32_t, std::uint32_t> firstOf;
    for (std::uint32_t i = 0; i < leader.size(); ++i) {
        const std::uint32_t group = file.fusionGroup[i];
        leader[i] = group == Plan::kNotFused ? i : firstOf.try_emplace(group, i).first->second;
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t i = 0; i < leader.size(); ++i) {
        for (const OpId next : graph.successors(OpId(i))) {
            if (leader[i] != leader[next.index()])
                edges.emplace_back(leader[i], leader[next.index()]);
        }
    }
    const std::vector<std::uint32_t> component = stronglyConnected(leader.size(), edges);
    std::unordered_map<std::uint32_t, std::uint32_t> nodesIn; // of those that stand for themselves or a group
    for (std::uint32_t i = 0; i < leader.size(); ++i)
        nodesIn[component[i]] += leader[i] == i ? 1 : 0;
    for (std::uint32_t i = 0; i < leader.size(); ++i) {
        if (file.fusionGroup[i] == Plan::kNotFused || nodesIn[component[leader[i]]] < 2)
            continue;
        if (leader[i] == i)
            file.diagnostics.add(Severity::Warning, "fusion-dissolved",
                                 "Fused groups of the file that a path leaves and comes back to, left as single ops",
                                 fmt::format("the group of {}", graph.op(OpId(i)).name));
        file.fusionGroup[i] = Plan::kNotFused;
    }
}

} // namespace

void keepSoundPlan(GraphFile& file) {
    if (!file.fusionGroup.empty())
        dissolveCycles(file);
    for (std::size_t i = 0; file.isScheduled && i < file.graph.opCount(); ++i) {
        for (const OpId next : file.graph.successors(OpId(i))) {
            if (next.index() < i)
                file.diagnostics.add(
                    Severity::Info, "order-mended",
                    "Ops that stand before what they wait for in the order of the file, which run behind it",
                    fmt::format("{} before {}", file.graph.op(next).name, file.graph.op(OpId(i)).name));
        }
    }
}

} // namespace opscape
