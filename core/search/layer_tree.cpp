// SPDX-License-Identifier: MIT
// Three steps. Scopes of the same path are merged once an outermost "gradients" and its like are dropped, and so are
// scopes of one op's gradient ("MatMul_grad"), whose ops belong where that op is. A scope repeats when at least half of
// the weights read in it are read by two or more of its siblings too: steps of an unrolled layer do, layers do not, and
// neither does a softmax that shares its weights with the embedding. Then every path is written with the parts that
// repeat behind those that do not.
#include <opscape/search/layer_tree.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

namespace opscape {
namespace {

constexpr std::uint32_t kOtherReaders = 2;

/// Nodes found by (parent, label), made on demand.
class Children {
public:
    std::uint32_t at(std::vector<LayerTree::Node>& nodes, std::uint32_t parent, std::uint32_t label, bool repeats) {
        const auto [it, isNew] = m_known.try_emplace({parent, label}, static_cast<std::uint32_t>(nodes.size()));
        if (isNew)
            nodes.push_back({parent, repeats});
        return it->second;
    }

private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_known;
};

/// The names of outermost scopes that only say in which part of the step their ops run: "gradients" holds
/// gradients/layer_0, whose forward ops are in layer_0 or in forward/layer_0. Such a scope is told by what lies in it:
/// ops of one phase, and sub-scopes most of which have a namesake outside of it, but none where the phases are the same
/// (layers of one phase with steps inside are layers).
std::vector<bool> phaseScopes(const Graph& graph, const ScopeTree& scopes) {
    std::vector<ScopeId> outer; // per scope: the outermost around it; invalid for the root
    std::vector<unsigned> phases(scopes.scopeCount());
    for (std::size_t s = 0; s < scopes.scopeCount(); ++s) {
        const Scope& scope = scopes.scope(ScopeId(s));
        outer.push_back(scope.depth == 0 ? ScopeId() : scope.depth == 1 ? ScopeId(s) : outer[scope.parent.index()]);
        for (const OpId op : scope.ops)
            phases[outer[s].valid() ? outer[s].index() : s] |= 1u << static_cast<unsigned>(graph.op(op).phase);
    }
    // Per name and set of phases: how many outermost scopes have it, as their own name or as a sub-scope's.
    std::map<std::pair<std::string_view, unsigned>, std::size_t> holders;
    std::map<std::string_view, std::size_t> holdersOfAny;
    for (const ScopeId id : scopes.scope(ScopeTree::root()).scopes) {
        const auto count = [&](ScopeId named) {
            ++holders[{scopes.scope(named).name, phases[id.index()]}];
            ++holdersOfAny[scopes.scope(named).name];
        };
        count(id);
        std::ranges::for_each(scopes.scope(id).scopes, count);
    }
    std::vector<bool> isPhase(scopes.scopeCount());
    for (const ScopeId id : scopes.scope(ScopeTree::root()).scopes) {
        std::size_t named = 0, elsewhere = 0, here = 0;
        for (const ScopeId inner : scopes.scope(id).scopes) {
            const std::size_t own = holders[{scopes.scope(inner).name, phases[id.index()]}];
            named += scopes.scope(inner).fromStructure ? 0 : 1;
            here += own > 1 ? 1 : 0;
            elsewhere += holdersOfAny[scopes.scope(inner).name] > own ? 1 : 0;
        }
        isPhase[id.index()] =
            std::has_single_bit(phases[id.index()]) && here == 0 && elsewhere > 0 && 2 * elsewhere >= named;
    }
    return isPhase;
}

/// What TensorFlow makes for the gradient of one op.
bool isGradientOfOp(const Graph& graph, const Scope& scope) {
    return scope.name.ends_with("_grad") && scope.scopes.empty() &&
           std::ranges::all_of(scope.ops, [&graph](OpId op) { return graph.op(op).phase == Phase::Backward; });
}

/// Equal names get equal labels; a block made from structure is like no other.
std::vector<std::uint32_t> labels(const ScopeTree& scopes) {
    std::map<std::string_view, std::uint32_t> known;
    std::vector<std::uint32_t> label(scopes.scopeCount());
    for (std::size_t s = 0; s < label.size(); ++s) {
        const Scope& scope = scopes.scope(ScopeId(s));
        const auto own = static_cast<std::uint32_t>(s);
        label[s] = scope.fromStructure ? own : known.try_emplace(scope.name, own).first->second;
    }
    return label;
}

/// Weights, and what ops make from weights alone (reads, casts, transposes).
std::vector<bool> weightTensors(const Graph& graph) {
    std::vector<bool> isWeight(graph.tensorCount());
    for (std::size_t t = 0; t < isWeight.size(); ++t)
        isWeight[t] = graph.tensor(TensorId(t)).kind == TensorKind::Weight;
    for (const OpId op : graph.topologicalOrder()) {
        bool some = false, only = true;
        for (const TensorId input : graph.inputs(op)) {
            if (!input.valid())
                continue;
            some = some || isWeight[input.index()];
            only = only && (isWeight[input.index()] || graph.tensor(input).kind == TensorKind::Constant);
        }
        for (const TensorId output : graph.outputs(op))
            isWeight[output.index()] = some && only;
    }
    return isWeight;
}

/// Marks the nodes that repeat. Children have higher indices than their parents. Blocks made from structure follow one
/// another in any case, so they count as layers even where they share weights.
void findRepetition(const Graph& graph, std::span<const std::uint32_t> nodeOf, const std::vector<bool>& isBlock,
                    std::vector<LayerTree::Node>& nodes) {
    std::vector<std::vector<std::uint32_t>> weights(nodes.size()), children(nodes.size());
    const std::vector<bool> isWeight = weightTensors(graph);
    for (std::size_t op = 0; op < graph.opCount(); ++op) {
        for (const TensorId input : graph.inputs(OpId(op))) {
            if (input.valid() && isWeight[input.index()])
                weights[nodeOf[op]].push_back(input.value);
        }
    }
    std::vector<std::uint32_t> readers(graph.tensorCount());
    for (std::size_t n = nodes.size(); n-- > 0;) {
        std::vector<std::uint32_t>& all = weights[n];
        for (const std::uint32_t child : children[n]) {
            for (const std::uint32_t weight : weights[child])
                ++readers[weight];
        }
        for (const std::uint32_t child : children[n]) {
            const auto shared = std::ranges::count_if(
                weights[child], [&readers](std::uint32_t weight) { return readers[weight] > kOtherReaders; });
            nodes[child].repeats =
                !isBlock[child] && shared > 0 && 2 * static_cast<std::size_t>(shared) >= weights[child].size();
            all.insert(all.end(), weights[child].begin(), weights[child].end());
        }
        for (const std::uint32_t child : children[n]) {
            for (const std::uint32_t weight : weights[child])
                readers[weight] = 0;
            weights[child] = {};
        }
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        if (n != LayerTree::kRoot)
            children[nodes[n].parent].push_back(static_cast<std::uint32_t>(n));
    }
}

} // namespace

LayerTree::LayerTree(const Graph& graph, const ScopeTree& scopes) {
    const std::vector<std::uint32_t> label = labels(scopes);
    const std::vector<bool> isPhase = phaseScopes(graph, scopes);
    std::vector<Node> merged{{kRoot, false}};
    std::vector<std::uint32_t> mergedLabel{label[0]};
    std::vector<bool> isBlock{false};
    std::vector<std::uint32_t> mergedOf(scopes.scopeCount(), kRoot);
    Children mergedChildren;
    for (std::size_t s = 1; s < mergedOf.size(); ++s) {
        const Scope& scope = scopes.scope(ScopeId(s));
        const std::uint32_t parent = mergedOf[scope.parent.index()];
        mergedOf[s] =
            isPhase[s] || isGradientOfOp(graph, scope) ? parent : mergedChildren.at(merged, parent, label[s], false);
        if (mergedLabel.size() < merged.size()) {
            mergedLabel.push_back(label[s]);
            isBlock.push_back(scope.fromStructure);
        }
    }
    std::vector<std::uint32_t> mergedOfOp(graph.opCount());
    for (std::size_t op = 0; op < mergedOfOp.size(); ++op)
        mergedOfOp[op] = mergedOf[scopes.scopeOf(OpId(op)).index()];
    findRepetition(graph, mergedOfOp, isBlock, merged);

    m_nodes.push_back({kRoot, false});
    Children children;
    std::vector<std::uint32_t> nodeOfMerged(merged.size(), kRoot), path;
    for (std::uint32_t n = 1; n < merged.size(); ++n) {
        path.clear();
        for (std::uint32_t at = n; at != kRoot; at = merged[at].parent)
            path.push_back(at);
        std::ranges::reverse(path);
        std::stable_partition(path.begin(), path.end(), [&merged](std::uint32_t at) { return !merged[at].repeats; });
        std::uint32_t node = kRoot;
        for (const std::uint32_t at : path)
            node = children.at(m_nodes, node, mergedLabel[at], merged[at].repeats);
        nodeOfMerged[n] = node;
    }
    m_nodeOf.resize(graph.opCount());
    for (std::size_t op = 0; op < m_nodeOf.size(); ++op)
        m_nodeOf[op] = nodeOfMerged[mergedOfOp[op]];

    std::vector<bool> hasRepetition(m_nodes.size());
    for (std::uint32_t n = 1; n < m_nodes.size(); ++n) {
        if (m_nodes[n].repeats)
            hasRepetition[m_nodes[n].parent] = true;
    }
    std::vector<bool> isWhole(m_nodes.size()); // the node is a recurrent layer, or lies in one
    m_layerOf.assign(m_nodes.size(), kRoot);
    for (std::uint32_t n = 1; n < m_nodes.size(); ++n) {
        const std::uint32_t parent = m_nodes[n].parent;
        const bool joins = isWhole[parent] || m_nodes[n].repeats;
        m_layerOf[n] = joins ? m_layerOf[parent] : n;
        isWhole[n] = isWhole[parent] || hasRepetition[n];
    }
}

} // namespace opscape
