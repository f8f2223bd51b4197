// SPDX-License-Identifier: MIT
// From the innermost open scopes outwards: each becomes a problem of plain boxes, whose solution gives the size of its
// frame in the scope around it. Then from the outside in, positions are added up.
#include <opscape/base/hash.h>
#include <opscape/base/paths.h>
#include <opscape/base/text.h>
#include <opscape/layout/arrangement.h>
#include <opscape/layout/column_cuts.h>
#include <opscape/layout/dot_process.h>
#include <opscape/layout/edge_path.h>
#include <opscape/layout/graph_layout.h>
#include <opscape/layout/lifted_edges.h>
#include <opscape/layout/text_width.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
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
    const std::size_t slash = label.rfind('/');
    const bool parts = slash != std::string_view::npos && slash > 0 && slash + 1 < label.size();
    const std::string_view last = parts ? label.substr(slash + 1) : label;
    if (type.empty())
        return {label, {}};
    const auto lower = [](char c) { return lowerCase(c); };
    if (std::ranges::equal(last.substr(0, type.size()), type, {}, lower, lower))
        return parts ? BoxText{label.substr(0, slash), last} : BoxText{label, {}};
    const auto letters = std::ranges::count_if(label, [&](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; });
    const bool saysNothing = letters < 3 && std::ranges::none_of(label, [](char c) { return (c & 0x80) != 0; });
    return saysNothing ? BoxText{type, label} : BoxText{label, type};
}

namespace {

/// A scope's problem and its solution.
struct Solved {
    BoxProblem problem;
    std::shared_ptr<const Arrangement> arrangement;
    BoxLayout layout;

    Solved(BoxProblem boxes, std::shared_ptr<const Arrangement> by)
        : problem(std::move(boxes)),
          arrangement(std::move(by)),
          layout(place(problem, *arrangement)) {}
};
using SolvedPtr = std::shared_ptr<const Solved>;

std::string contentOf(const BoxProblem& problem) {
    Hasher hasher;
    hasher.value(problem.boxes.size());
    hasher.bytes(problem.boxes.data(), problem.boxes.size() * sizeof(BoxSize));
    hasher.bytes(problem.edges.data(), problem.edges.size() * sizeof(BoxEdge));
    return hasher.hex();
}

/// How small a fresh page must be beside the kept one for the old places to be given up.
constexpr float kWorthMoving = 0.2F;

} // namespace

struct GraphLayout::Impl {
    using ByContent = std::unordered_map<std::string, SolvedPtr>;
    struct Memory {
        SolvedPtr current; ///< in the last scene with the scope open
        ByContent seen;
    };

    std::unique_ptr<DotProcess> dot;
    std::string graphHash; ///< of the graph that all below is of
    std::size_t scopeCount = 0;
    std::unique_ptr<LiftedEdges> lifted;
    ByContent fresh;            ///< whatever the scope
    std::vector<Memory> scopes; ///< per scope
    std::vector<ScopeId> open;  ///< in the last scene, inner ones first
    std::size_t knownBoxes = 0; ///< and edges, in all that is remembered
    std::map<std::shared_ptr<const Arrangement>, std::shared_ptr<const Arrangement>> asked; ///< with dot's answer

    void begin(const Graph& graph, const ScopeTree& tree) {
        if (!lifted || graphHash != graph.hash() || scopeCount != tree.scopeCount()) {
            lifted = std::make_unique<LiftedEdges>(graph, tree);
            graphHash = graph.hash();
            scopeCount = tree.scopeCount();
            knownBoxes = kCachedBoxes + 1;
        }
        if (knownBoxes > kCachedBoxes) {
            fresh.clear();
            scopes.assign(tree.scopeCount(), {});
            asked.clear();
            knownBoxes = 0;
        }
        open.clear();
    }

    const BoxLayout* solve(ScopeId id, BoxProblem problem) {
        open.push_back(id);
        Memory& memory = scopes[id.index()];
        const std::string content = contentOf(problem);
        SolvedPtr& seen = memory.seen[content];
        if (!seen) {
            knownBoxes += problem.boxes.size() + problem.edges.size();
            seen = memory.current ? kept(memory.current->arrangement, std::move(problem), content)
                                  : freshly(std::move(problem), content);
        }
        memory.current = seen;
        return &seen->layout;
    }

    SolvedPtr freshly(BoxProblem problem, const std::string& content) {
        SolvedPtr& entry = fresh[content];
        if (!entry) {
            auto arrangement = std::make_shared<const Arrangement>(arrange(problem));
            entry = std::make_shared<const Solved>(std::move(problem), std::move(arrangement));
        }
        return entry;
    }

    SolvedPtr kept(std::shared_ptr<const Arrangement> arrangement, BoxProblem problem, const std::string& content) {
        auto solved = std::make_shared<const Solved>(std::move(problem), std::move(arrangement));
        if (stillFits(solved->problem, solved->layout))
            return solved;
        const SolvedPtr other = freshly(solved->problem, content);
        const float now = pageSize(solved->layout.width, solved->layout.height),
                    then = pageSize(other->layout.width, other->layout.height);
        return then < kWorthMoving * now ? other : solved;
    }

    bool improve(const std::stop_token& stop) {
        const auto end = std::chrono::steady_clock::now() + kImproveTime;
        bool better = false;
        dot->renewBudget();
        for (std::size_t i = open.size(); i-- > 0;) { // outer scopes are what is looked at
            Memory& memory = scopes[open[i].index()];
            const SolvedPtr before = memory.current;
            auto answer = asked.find(before->arrangement);
            if (answer == asked.end()) {
                if (before->arrangement->crossings() == 0)
                    continue;
                if (stop.stop_requested() || std::chrono::steady_clock::now() >= end)
                    break;
                auto by = improved(before->problem, *before->arrangement, *dot, stop);
                if (stop.stop_requested())
                    break; // it was not asked about everything
                auto arrangement = by ? std::make_shared<const Arrangement>(std::move(*by)) : before->arrangement;
                asked.emplace(arrangement, arrangement);
                answer = asked.insert_or_assign(before->arrangement, arrangement).first;
            }
            if (answer->second == before->arrangement)
                continue;
            memory.current = std::make_shared<const Solved>(before->problem, answer->second);
            const std::string content = contentOf(before->problem);
            memory.seen.clear(); // all were arranged as before
            memory.seen[content] = memory.current;
            fresh[content] = memory.current;
            better = true;
        }
        return better;
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
        const BoxLayout* layout = m_layout[id.index()] = solve(id, std::move(problem));
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
    std::vector<bool> m_open;               ///< per scope: its children are visible
    std::vector<const BoxLayout*> m_layout; ///< per open scope
    std::vector<BoxSize> m_size;            ///< per visible scope
    std::vector<int> m_node;                ///< per visible scope
    GraphScene m_scene;
};

} // namespace

GraphLayout::GraphLayout(std::string helperProgram) : m_impl(std::make_unique<Impl>()) {
    if (!helperProgram.empty())
        m_impl->dot = std::make_unique<DotProcess>(std::move(helperProgram));
}

GraphLayout::~GraphLayout() = default;

GraphScene GraphLayout::layout(const Graph& graph, const ScopeTree& scopes, const ExpandedScopes& expanded) {
    m_impl->begin(graph, scopes);
    return Composer(graph, scopes, expanded, *m_impl->lifted).compose([&](ScopeId id, BoxProblem problem) {
        return m_impl->solve(id, std::move(problem));
    });
}

void GraphLayout::forgetPlaces() {
    for (Impl::Memory& memory : m_impl->scopes)
        memory = {};
}

bool GraphLayout::improve(const std::stop_token& stop) { return m_impl->dot && m_impl->improve(stop); }

std::string defaultLayoutHelper() { return (programFolder() / "opscape-layout").string(); }

} // namespace opscape
