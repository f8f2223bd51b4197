// SPDX-License-Identifier: MIT
#include <opscape/graph/scopes.h>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace opscape {
namespace {

/// A named scope with more ops than this directly in it is split into about kBlocks blocks, and a block that is still
/// larger than kBlockLimit again.
constexpr std::size_t kFlatLimit = 24;
constexpr std::size_t kBlockLimit = 48;
constexpr std::size_t kBlocks = 16;

/// A part of a name below a scope. By part and not by whole prefix: a name of n parts has n prefixes of up to its
/// length.
struct ScopeKey {
    ScopeId parent;
    std::string_view part;
    friend bool operator==(const ScopeKey&, const ScopeKey&) = default;
};

struct ScopeKeyHash {
    std::size_t operator()(const ScopeKey& key) const {
        return std::hash<std::string_view>()(key.part) * 31 + key.parent.value;
    }
};

/// Of each op its place in topological order.
std::vector<std::size_t> positions(const Graph& graph) {
    std::vector<std::size_t> position(graph.opCount());
    const auto order = graph.topologicalOrder();
    for (std::size_t i = 0; i < order.size(); ++i)
        position[order[i].index()] = i;
    return position;
}

/// Of each op whether it is a bottleneck: no edge passes over it, i.e. every path from before it to after it goes
/// through it.
std::vector<std::uint8_t> bottlenecks(const Graph& graph, const std::vector<std::size_t>& position) {
    std::vector<std::uint8_t> isCut(graph.opCount());
    const auto order = graph.topologicalOrder();
    std::size_t reach = 0; // furthest successor of any op before i
    for (std::size_t i = 0; i < order.size(); ++i) {
        isCut[order[i].index()] = i > 0 && reach <= i;
        for (const OpId next : graph.successors(order[i]))
            reach = std::max(reach, position[next.index()]);
    }
    return isCut;
}

} // namespace

ScopeTree::ScopeTree(const Graph& graph) {
    fromNames(graph);
    splitFlatScopes(graph);
    countOps();
}

void ScopeTree::countOps() {
    for (std::size_t i = m_scopes.size(); i-- > 0;) {
        Scope& scope = m_scopes[i];
        scope.opsBelow += static_cast<std::uint32_t>(scope.ops.size());
        if (scope.parent.valid())
            m_scopes[scope.parent.index()].opsBelow += scope.opsBelow;
    }
}

ScopeId ScopeTree::addScope(ScopeId parent, std::string name) {
    const ScopeId id(m_scopes.size());
    Scope scope;
    scope.name = std::move(name);
    scope.parent = parent;
    scope.depth = m_scopes[parent.index()].depth + 1;
    scope.nameParts = m_scopes[parent.index()].nameParts;
    m_scopes.push_back(std::move(scope));
    m_scopes[parent.index()].scopes.push_back(id);
    return id;
}

void ScopeTree::fromNames(const Graph& graph) {
    m_scopes.emplace_back();
    m_scopeOf.resize(graph.opCount());
    std::unordered_map<ScopeKey, ScopeId, ScopeKeyHash> known;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const std::string_view name = graph.op(OpId(i)).name;
        ScopeId scope = root();
        std::size_t begin = 0;
        for (std::size_t slash; (slash = name.find('/', begin)) != std::string_view::npos; begin = slash + 1) {
            if (slash == begin) // leading or doubled slash
                continue;
            const ScopeKey key{scope, name.substr(begin, slash - begin)};
            auto [it, isNew] = known.try_emplace(key);
            if (isNew) {
                it->second = addScope(scope, std::string(key.part));
                ++m_scopes[it->second.index()].nameParts;
            }
            scope = it->second;
        }
        m_scopeOf[i] = scope;
        m_scopes[scope.index()].ops.push_back(OpId(i));
    }
}

void ScopeTree::splitFlatScopes(const Graph& graph) {
    std::vector<std::size_t> position; // in topological order; made when first needed
    std::vector<std::uint8_t> isCut;
    for (std::size_t s = 0; s < m_scopes.size(); ++s) { // blocks are added behind, and so come to be split too
        if (m_scopes[s].ops.size() <= (m_scopes[s].fromStructure ? kBlockLimit : kFlatLimit))
            continue;
        if (position.empty()) {
            position = positions(graph);
            isCut = bottlenecks(graph, position);
        }
        std::vector<OpId> ops = std::move(m_scopes[s].ops);
        m_scopes[s].ops.clear();
        std::ranges::sort(ops, {}, [&](OpId id) { return position[id.index()]; });
        // A block ends at the first bottleneck once it has its share, and in any case at twice its share.
        const std::size_t share = std::max<std::size_t>(4, ops.size() / kBlocks);
        std::vector<OpId> block;
        int number = 0;
        for (std::size_t i = 0; i < ops.size(); ++i) {
            block.push_back(ops[i]);
            const bool full = (block.size() >= share && isCut[ops[i].index()] != 0) || block.size() >= 2 * share;
            const std::size_t left = ops.size() - i - 1;
            if (left != 0 && (!full || left < share / 2))
                continue;
            const ScopeId id = addScope(ScopeId(s), fmt::format("block {}", ++number));
            m_scopes[id.index()].fromStructure = true;
            for (const OpId op : block)
                m_scopeOf[op.index()] = id;
            std::ranges::sort(block);
            m_scopes[id.index()].ops = std::move(block);
            block.clear();
        }
    }
}

std::string ScopeTree::path(ScopeId id) const {
    std::vector<ScopeId> chain;
    for (; id.valid() && id != root(); id = scope(id).parent) {
        if (chain.empty() || !scope(id).series)
            chain.push_back(id);
    }
    std::string path;
    for (auto it = chain.rbegin(); it != chain.rend(); ++it)
        path.append(path.empty() ? "" : "/").append(scope(*it).name);
    return path;
}

std::string_view ScopeTree::nameInside(const Graph& graph, OpId op) const {
    std::string_view name = graph.op(op).name;
    for (int parts = scope(scopeOf(op)).nameParts; parts > 0;) {
        const std::size_t slash = name.find('/');
        if (slash == std::string_view::npos || slash + 1 == name.size())
            break;
        parts -= slash == 0 ? 0 : 1; // leading and doubled slashes are no parts
        name.remove_prefix(slash + 1);
    }
    while (name.size() > 1 && name.front() == '/')
        name.remove_prefix(1);
    return name;
}

std::vector<OpId> ScopeTree::opsBelow(ScopeId id) const {
    std::vector<OpId> ops;
    std::vector<ScopeId> open{id};
    while (!open.empty()) {
        const Scope& s = scope(open.back());
        open.pop_back();
        ops.insert(ops.end(), s.ops.begin(), s.ops.end());
        open.insert(open.end(), s.scopes.begin(), s.scopes.end());
    }
    std::ranges::sort(ops);
    return ops;
}

bool ScopeTree::isInside(ScopeId inner, ScopeId outer) const {
    if (!inner.valid() || !outer.valid())
        return false;
    while (scope(inner).depth > scope(outer).depth)
        inner = scope(inner).parent;
    return inner == outer;
}

} // namespace opscape
