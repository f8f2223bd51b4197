// SPDX-License-Identifier: MIT
// From the root down, one scope at a time: its children are gathered, with scopes too small to be worth a frame merged
// into what is around them; too many children are first folded by number and then cut into sections, which are cut
// again when their turn comes. Numbered siblings that are woven into others (conv_0, norm_0, conv_1, norm_1, ...) are
// not folded: the two boxes would say nothing of what feeds what. They are recognised by the cycle that folding makes.
#include <opscape/graph/scopes_order.h>
#include <opscape/graph/scopes_sections.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace opscape {
namespace {

constexpr std::size_t kMostChildren = 24;  ///< more are folded, or cut into sections
constexpr std::size_t kFewestInSeries = 5; ///< worth folding
constexpr std::uint32_t kTinyOps = 2;      ///< a scope of no more is merged into one
constexpr std::size_t kRoomy = 12;         ///< that then has at most so many children

constexpr std::uint32_t kOutside = ~0U;

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Of each node whether it lies on a cycle, or between two.
std::vector<std::uint8_t> onCycles(std::size_t nodes, const Pairs& edges) {
    std::vector<std::uint8_t> left(nodes, 1);
    for (const bool forward : {true, false}) {
        std::vector<std::vector<std::uint32_t>> next(nodes);
        std::vector<std::uint32_t> waitsFor(nodes), ready;
        for (const auto& [a, b] : edges) {
            if (left[a] == 0 || left[b] == 0)
                continue;
            next[forward ? a : b].push_back(forward ? b : a);
            ++waitsFor[forward ? b : a];
        }
        for (std::uint32_t v = 0; v < nodes; ++v) {
            if (left[v] != 0 && waitsFor[v] == 0)
                ready.push_back(v);
        }
        while (!ready.empty()) {
            const std::uint32_t v = ready.back();
            ready.pop_back();
            left[v] = 0;
            for (const std::uint32_t w : next[v]) {
                if (--waitsFor[w] == 0)
                    ready.push_back(w);
            }
        }
    }
    return left;
}

} // namespace

class ShownScopes {
public:
    explicit ShownScopes(const Graph& graph)
        : m_graph(graph),
          m_place(readingOrder(graph)),
          m_childOf(graph.opCount(), kOutside) {
        m_names.fromNames(graph);
        m_names.countOps();
        m_first = firstPlaces(m_names, m_place);
    }

    ScopeTree build() {
        m_tree.m_scopes.emplace_back();
        m_tree.m_scopeOf.resize(m_graph.opCount());
        m_waiting.push_back({ScopeTree::root(), childrenOf(ScopeTree::root()), false});
        while (!m_waiting.empty()) {
            Waiting work = std::move(m_waiting.back());
            m_waiting.pop_back();
            if (work.children.size() > kMostChildren) {
                if (!work.made)
                    foldSeries(work.children);
                if (work.children.size() > kMostChildren)
                    cut(work);
            }
            add(work);
        }
        m_tree.countOps();
        return std::move(m_tree);
    }

private:
    struct Child {
        std::uint32_t place = 0;
        std::string name;
        ScopeId scope; ///< in the tree of names
        OpId op;
        std::vector<Child> members; ///< of a series or section
        bool series = false;
    };
    struct Waiting {
        ScopeId shown;
        std::vector<Child> children;
        bool made; ///< a series or a section: folding is done
    };

    Child childOp(OpId op) const { return {m_place[op.index()], {}, {}, op, {}, false}; }

    /// A scope whose only child is a scope is one with it.
    Child childScope(ScopeId id) const {
        Child child{m_first[id.index()], m_names.scope(id).name, id, {}, {}, false};
        while (m_names.scope(child.scope).ops.empty() && m_names.scope(child.scope).scopes.size() == 1) {
            child.scope = m_names.scope(child.scope).scopes.front();
            child.name.append("/").append(m_names.scope(child.scope).name);
        }
        return child;
    }

    static std::vector<std::uint32_t> orderOf(const std::vector<Child>& children) {
        std::vector<Sibling> siblings;
        siblings.reserve(children.size());
        for (const Child& child : children)
            siblings.push_back({child.place, child.name});
        return siblingOrder(siblings);
    }

    /// In place, cycle by cycle: a graph without scopes has as many children as ops.
    static void sort(std::vector<Child>& children) {
        std::vector<std::uint32_t> from = orderOf(children);
        for (std::uint32_t first = 0; first < from.size(); ++first) {
            if (from[first] == first)
                continue;
            Child held = std::move(children[first]);
            std::uint32_t to = first;
            while (from[to] != first) {
                children[to] = std::move(children[from[to]]);
                to = std::exchange(from[to], to);
            }
            children[to] = std::move(held);
            from[to] = to;
        }
    }

    std::vector<Child> childrenOf(ScopeId id) const {
        const Scope& scope = m_names.scope(id);
        std::size_t count = scope.ops.size() + scope.scopes.size();
        std::vector<Child> children;
        children.reserve(count);
        for (const OpId op : scope.ops)
            children.push_back(childOp(op));
        for (const ScopeId sub : scope.scopes) {
            const std::uint32_t below = m_names.scope(sub).opsBelow;
            const bool merge = below == 1 || (below <= kTinyOps && count + below - 1 <= kRoomy);
            if (!merge) {
                children.push_back(childScope(sub));
                continue;
            }
            for (const OpId op : m_names.opsBelow(sub))
                children.push_back(childOp(op));
            count += below - 1;
        }
        sort(children);
        return children;
    }

    template <class Visit>
    void visitOps(const Child& child, const Visit& visit) const {
        if (child.op.valid())
            return visit(child.op);
        if (child.scope.valid())
            std::ranges::for_each(m_names.opsBelow(child.scope), visit);
        for (const Child& member : child.members)
            visitOps(member, visit);
    }

    /// Pairs of children with an edge between them.
    Pairs edgesAmong(const std::vector<Child>& children) {
        std::vector<OpId> inside;
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            visitOps(children[i], [&](OpId op) {
                m_childOf[op.index()] = i;
                inside.push_back(op);
            });
        }
        Pairs edges;
        for (const OpId op : inside) {
            const std::uint32_t from = m_childOf[op.index()];
            for (const OpId next : m_graph.successors(op)) {
                const std::uint32_t to = m_childOf[next.index()];
                if (to != kOutside && to != from)
                    edges.emplace_back(from, to);
            }
        }
        for (const OpId op : inside)
            m_childOf[op.index()] = kOutside;
        std::ranges::sort(edges);
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        return edges;
    }

    static std::string seriesName(std::string_view stem, std::string_view first, std::string_view last,
                                  std::size_t members) {
        stem = stem.substr(0, stem.find_last_not_of("_-. ") + 1);
        return stem.empty() ? rangeName(first, last) : fmt::format("{} [x{}]", stem, members);
    }

    static std::string rangeName(std::string_view first, std::string_view last) {
        return fmt::format("{}..{}", first.substr(0, first.find('/')), NumberedName(last).number);
    }

    void foldSeries(std::vector<Child>& children) {
        std::map<std::string_view, std::vector<std::uint32_t>> series;
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            const NumberedName name(children[i].name);
            if (name.numbered)
                series[name.stem].push_back(i);
        }
        std::erase_if(series, [](const auto& entry) { return entry.second.size() < kFewestInSeries; });
        if (series.empty())
            return;
        std::vector<std::uint32_t> group(children.size()); // the first member stands for all
        for (std::uint32_t i = 0; i < children.size(); ++i)
            group[i] = i;
        for (const auto& [stem, members] : series) {
            for (const std::uint32_t i : members)
                group[i] = members.front();
        }
        Pairs edges;
        for (const auto& [a, b] : edgesAmong(children)) {
            if (group[a] != group[b])
                edges.emplace_back(group[a], group[b]);
        }
        const std::vector<std::uint8_t> cyclic = onCycles(children.size(), edges);
        std::vector<Child> folded;
        std::vector<std::uint8_t> taken(children.size());
        for (auto& [stem, members] : series) {
            if (cyclic[members.front()] != 0)
                continue;
            Child one;
            one.name = seriesName(stem, children[members.front()].name, children[members.back()].name, members.size());
            one.place = children[members.front()].place;
            one.series = true;
            for (const std::uint32_t i : members)
                taken[i] = 1;
            folded.push_back(std::move(one));
            for (const std::uint32_t i : members) {
                folded.back().place = std::min(folded.back().place, children[i].place);
                folded.back().members.push_back(children[i]); // the stem is a view of a name: copied, not moved
            }
        }
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            if (taken[i] == 0)
                folded.push_back(std::move(children[i]));
        }
        sort(folded);
        children = std::move(folded);
    }

    void cut(Waiting& work) {
        const std::vector<std::uint32_t> starts = cutSections(work.children.size(), edgesAmong(work.children));
        const Scope& around = m_tree.m_scopes[work.shown.index()];
        const bool series = around.series;
        const std::string block = around.fromStructure ? around.name + "." : "block ";
        std::vector<Child> sections;
        for (std::size_t k = 0; k < starts.size(); ++k) {
            const std::size_t stop = k + 1 < starts.size() ? starts[k + 1] : work.children.size();
            Child& section = sections.emplace_back();
            section.series = series;
            section.place = static_cast<std::uint32_t>(k);
            const Child &first = work.children[starts[k]], &last = work.children[stop - 1];
            section.name = series ? rangeName(first.name, last.name) : fmt::format("{}{}", block, k + 1);
            section.members.reserve(stop - starts[k]);
            for (std::size_t i = starts[k]; i < stop; ++i)
                section.members.push_back(std::move(work.children[i]));
        }
        work.children = std::move(sections);
    }

    void add(Waiting& work) {
        std::vector<OpId> ops;
        for (Child& child : work.children) {
            if (child.op.valid()) {
                ops.push_back(child.op);
                m_tree.m_scopeOf[child.op.index()] = work.shown;
                continue;
            }
            const ScopeId id = m_tree.addScope(work.shown, std::move(child.name));
            Scope& scope = m_tree.m_scopes[id.index()];
            const bool made = !child.scope.valid();
            scope.series = child.series;
            scope.fromStructure = made && !child.series;
            if (!made)
                scope.nameParts = m_names.scope(child.scope).nameParts;
            m_waiting.push_back({id, made ? std::move(child.members) : childrenOf(child.scope), made});
        }
        std::ranges::sort(ops);
        m_tree.m_scopes[work.shown.index()].ops = std::move(ops);
    }

    const Graph& m_graph;
    std::vector<std::uint32_t> m_place, m_first; ///< per op, per scope of the names
    ScopeTree m_names, m_tree;
    std::vector<Waiting> m_waiting;
    std::vector<std::uint32_t> m_childOf; ///< per op, of the children at hand; kOutside between uses
};

ScopeTree shownScopes(const Graph& graph) { return ShownScopes(graph).build(); }

} // namespace opscape
