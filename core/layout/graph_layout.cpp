// SPDX-License-Identifier: MIT
// From the innermost open scopes outwards: each becomes a problem of plain boxes, whose solution gives the size of its
// frame in the scope around it. Then from the outside in, positions are added up.
#include <opscape/base/hash.h>
#include <opscape/base/paths.h>
#include <opscape/layout/box_layout.h>
#include <opscape/layout/dot_process.h>
#include <opscape/layout/edge_path.h>
#include <opscape/layout/graph_layout.h>
#include <opscape/layout/lifted_edges.h>
#include <opscape/layout/text_width.h>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace opscape {
namespace {

constexpr float kPadding = 14;     ///< inside a frame
constexpr float kTitle = 30;       ///< height of a frame's title line
constexpr float kLabelLimit = 172; ///< about 24 characters; longer labels are elided
constexpr std::size_t kCachedBoxes = 2'000'000;

float labelWidth(std::string_view label, bool bold = false) { return std::min(kLabelLimit, textWidth(label, bold)); }

BoxSize sizeOfOp(std::string_view label, std::string_view type) {
    const BoxText text = boxText(label, type);
    const float width = std::max(labelWidth(text.first), 0.84F * labelWidth(text.second));
    return {std::max(64.0F, width + 38), text.second.empty() ? 28.0F : 40.0F};
}

float titleWidth(const Scope& scope) {
    return labelWidth(scope.name, true) + textWidth(fmt::format(" ({})", scope.opsBelow));
}

BoxSize scopeSize(const Scope& scope) { return {std::max(96.0F, titleWidth(scope) + 28), 44}; }

} // namespace

BoxText boxText(std::string_view label, std::string_view type) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    const std::size_t slash = label.rfind('/');
    const bool parts = slash != std::string_view::npos && slash > 0 && slash + 1 < label.size();
    const std::string_view last = parts ? label.substr(slash + 1) : label;
    if (type.empty())
        return {label, {}};
    if (std::ranges::equal(last.substr(0, type.size()), type, {}, lower, lower))
        return parts ? BoxText{label.substr(0, slash), last} : BoxText{label, {}};
    const auto letters = std::ranges::count_if(label, [&](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; });
    const bool saysNothing = letters < 3 && std::ranges::none_of(label, [](char c) { return (c & 0x80) != 0; });
    return saysNothing ? BoxText{type, label} : BoxText{label, type};
}

int GraphScene::nodeOf(const ScopeTree&, OpId op) const {
    return op.index() < nodeOfOp.size() ? nodeOfOp[op.index()] : -1;
}

struct GraphLayout::Impl {
    std::unique_ptr<DotProcess> dot;
    std::unordered_map<std::string, std::shared_ptr<const BoxLayout>> known; ///< by the content of the problem
    std::size_t knownBoxes = 0;
    std::string graphHash; ///< of the graph that `lifted` is of
    std::unique_ptr<LiftedEdges> lifted;

    std::shared_ptr<const BoxLayout> solve(const BoxProblem& problem) {
        Hasher hasher;
        hasher.value(problem.boxes.size());
        hasher.bytes(problem.boxes.data(), problem.boxes.size() * sizeof(BoxSize));
        hasher.bytes(problem.edges.data(), problem.edges.size() * sizeof(BoxEdge));
        auto& entry = known[hasher.hex()];
        if (!entry) {
            entry = std::make_shared<const BoxLayout>(layoutBoxes(problem, dot.get()));
            knownBoxes += problem.boxes.size() + problem.edges.size();
        }
        return entry;
    }
};

namespace {

/// One call of layout().
class Composer {
public:
    Composer(const Graph& graph, const ScopeTree& scopes, const ExpandedScopes& expanded, const LiftedEdges& lifted)
        : m_graph(graph),
          m_scopes(scopes),
          m_lifted(lifted),
          m_open(scopes.scopeCount()),
          m_layout(scopes.scopeCount()),
          m_size(scopes.scopeCount()),
          m_node(scopes.scopeCount(), -1) {
        for (std::size_t s = 0; s < scopes.scopeCount(); ++s) {
            const ScopeId parent = scopes.scope(ScopeId(s)).parent;
            m_open[s] = !parent.valid() || (m_open[parent.index()] && expanded.contains(ScopeId(s)));
        }
    }

    template <class Solve>
    GraphScene compose(const Solve& solve) {
        for (std::size_t s = m_scopes.scopeCount(); s-- > 0;) // sub-scopes have higher numbers
            measure(ScopeId(s), solve);
        addNodes();
        addEdges();
        showOps();
        m_scene.width = m_layout[0]->width;
        m_scene.height = m_layout[0]->height;
        return std::move(m_scene);
    }

private:
    [[nodiscard]] BoxSize opSize(OpId op) const {
        return sizeOfOp(m_scopes.nameInside(m_graph, op), m_graph.op(op).type);
    }

    template <class Solve>
    void measure(ScopeId id, const Solve& solve) {
        const Scope& scope = m_scopes.scope(id);
        if (scope.parent.valid() && !m_open[scope.parent.index()])
            return;
        if (!m_open[id.index()]) {
            m_size[id.index()] = scopeSize(scope);
            return;
        }
        BoxProblem problem;
        for (const ScopeChild child : m_lifted.children(id))
            problem.boxes.push_back(child.op.valid() ? opSize(child.op) : m_size[child.scope.index()]);
        for (const LiftedEdge& edge : m_lifted.edges(id))
            problem.edges.push_back({static_cast<int>(edge.from), static_cast<int>(edge.to)});
        const auto& layout = m_layout[id.index()] = solve(problem);
        m_size[id.index()] = {std::max(layout->width, titleWidth(scope)) + 2 * kPadding,
                              layout->height + kTitle + kPadding};
    }

    /// Where a scope's layout begins in the scene.
    [[nodiscard]] LayoutPoint origin(ScopeId id) const {
        if (id == ScopeTree::root())
            return {};
        const LayoutRect& frame = m_scene.nodes[m_node[id.index()]].rect;
        return {frame.x + (frame.width - m_layout[id.index()]->width) / 2, frame.y + kTitle};
    }

    void addNodes() {
        struct Entry {
            ScopeChild child;
            ScopeId in;
            std::uint32_t position;
        };
        std::vector<Entry> waiting;
        const auto enter = [&](ScopeId id) {
            const auto children = m_lifted.children(id);
            for (std::size_t i = children.size(); i-- > 0;)
                waiting.push_back({children[i], id, static_cast<std::uint32_t>(i)});
        };
        enter(ScopeTree::root());
        while (!waiting.empty()) {
            const Entry entry = waiting.back();
            waiting.pop_back();
            const int index = static_cast<int>(m_scene.nodes.size());
            SceneNode& node = m_scene.nodes.emplace_back();
            node.op = entry.child.op;
            node.scope = entry.child.scope;
            node.parent = m_node[entry.in.index()];
            node.depth = m_scopes.scope(entry.in).depth;
            const LayoutPoint at = origin(entry.in), corner = m_layout[entry.in.index()]->corners[entry.position];
            const BoxSize size = node.op.valid() ? opSize(node.op) : m_size[node.scope.index()];
            node.rect = {at.x + corner.x, at.y + corner.y, size.width, size.height};
            node.label =
                node.op.valid() ? std::string(m_scopes.nameInside(m_graph, node.op)) : m_scopes.scope(node.scope).name;
            if (node.op.valid())
                continue;
            m_node[node.scope.index()] = index;
            node.expanded = m_open[node.scope.index()];
            if (node.expanded)
                enter(node.scope);
        }
        for (std::size_t i = 0; i < m_scene.nodes.size(); ++i)
            m_scene.nodes[i].end = static_cast<int>(i) + 1;
        for (std::size_t i = m_scene.nodes.size(); i-- > 0;) {
            const SceneNode& node = m_scene.nodes[i];
            if (node.parent >= 0)
                m_scene.nodes[node.parent].end = std::max(m_scene.nodes[node.parent].end, node.end);
        }
    }

    /// Per op: the op itself where its scope is open, else the collapsed scope that hides it.
    void showOps() {
        m_scene.nodeOfOp.assign(m_graph.opCount(), -1);
        std::vector<int> shown(m_scopes.scopeCount(), -1);
        for (std::size_t s = 0; s < m_scopes.scopeCount(); ++s) {
            const ScopeId parent = m_scopes.scope(ScopeId(s)).parent;
            if (!m_open[s])
                shown[s] = m_open[parent.index()] ? m_node[s] : shown[parent.index()];
        }
        for (std::size_t i = 0; i < m_graph.opCount(); ++i)
            m_scene.nodeOfOp[i] = shown[m_scopes.scopeOf(OpId(i)).index()];
        for (std::size_t i = 0; i < m_scene.nodes.size(); ++i) {
            if (m_scene.nodes[i].op.valid())
                m_scene.nodeOfOp[m_scene.nodes[i].op.index()] = static_cast<int>(i);
        }
    }

    void addEdges() {
        std::vector<int> nodeOfChild(m_graph.opCount());
        for (std::size_t i = 0; i < m_scene.nodes.size(); ++i) {
            if (m_scene.nodes[i].op.valid())
                nodeOfChild[m_scene.nodes[i].op.index()] = static_cast<int>(i);
        }
        const auto addAll = [&](ScopeId id) {
            const auto children = m_lifted.children(id);
            const LayoutPoint at = origin(id);
            const auto node = [&](std::uint32_t position) {
                const ScopeChild child = children[position];
                return child.op.valid() ? nodeOfChild[child.op.index()] : m_node[child.scope.index()];
            };
            const auto edges = m_lifted.edges(id);
            for (std::size_t e = 0; e < edges.size(); ++e) {
                SceneEdge& edge = m_scene.edges.emplace_back();
                edge.from = node(edges[e].from);
                edge.to = node(edges[e].to);
                edge.points = m_layout[id.index()]->paths[e];
                translate(edge.points, at.x, at.y);
                edge.curved = true;
                edge.bounds = boundsOf(edge.points);
                edge.edges = edges[e].count;
                edge.bytes = edges[e].bytes;
                for (const GraphEdge& g : m_lifted.graphEdges(edges[e])) {
                    edge.ends.emplace_back(g.producer, g.consumer);
                    edge.tensors.push_back(g.tensor);
                }
            }
        };
        addAll(ScopeTree::root());
        m_scene.topEdges = static_cast<int>(m_scene.edges.size());
        for (SceneNode& node : m_scene.nodes) {
            node.firstEdge = static_cast<int>(m_scene.edges.size());
            if (node.expanded)
                addAll(node.scope);
            node.lastEdge = static_cast<int>(m_scene.edges.size());
        }
    }

    const Graph& m_graph;
    const ScopeTree& m_scopes;
    const LiftedEdges& m_lifted;
    std::vector<bool> m_open;                               ///< per scope: its children are visible
    std::vector<std::shared_ptr<const BoxLayout>> m_layout; ///< per open scope
    std::vector<BoxSize> m_size;                            ///< per visible scope
    std::vector<int> m_node;                                ///< per visible scope
    GraphScene m_scene;
};

} // namespace

GraphLayout::GraphLayout(std::string helperProgram) : m_impl(std::make_unique<Impl>()) {
    if (!helperProgram.empty())
        m_impl->dot = std::make_unique<DotProcess>(std::move(helperProgram));
}

GraphLayout::~GraphLayout() = default;

GraphScene GraphLayout::layout(const Graph& graph, const ScopeTree& scopes, const ExpandedScopes& expanded) {
    if (!m_impl->lifted || m_impl->graphHash != graph.hash()) {
        m_impl->lifted = std::make_unique<LiftedEdges>(graph, scopes);
        m_impl->graphHash = graph.hash();
    }
    if (m_impl->knownBoxes > kCachedBoxes) {
        m_impl->known.clear();
        m_impl->knownBoxes = 0;
    }
    if (m_impl->dot)
        m_impl->dot->renewBudget();
    return Composer(graph, scopes, expanded, *m_impl->lifted).compose([&](const BoxProblem& problem) {
        return m_impl->solve(problem);
    });
}

std::string defaultLayoutHelper() { return (programFolder() / "opscape-layout").string(); }

} // namespace opscape
