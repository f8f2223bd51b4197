// SPDX-License-Identifier: MIT
// Where every visible box and edge of a graph lies: the scope tree with some scopes expanded, each open scope laid out
// alone, its result a box in its parent. An edge is lifted to the two siblings below the lowest common scope of its
// ends. Units are abstract points, y downwards; text is taken to be 12 points high.
#pragma once

#include <opscape/graph/scopes.h>
#include <opscape/layout/geometry.h>

#include <chrono>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

/// A visible box: an op, a collapsed scope, or an expanded scope around its children. The root scope has no box.
struct SceneNode {
    OpId op;                         ///< valid for an op
    ScopeId scope;                   ///< valid for a scope
    bool expanded = false;           ///< an expanded scope: a frame with a title line
    int parent = -1;                 ///< index of the enclosing node; -1 at the top
    int depth = 0;                   ///< 0 at the top
    int end = 0;                     ///< one past its last descendant: i + 1 .. end - 1 are the nodes inside
    int firstEdge = 0, lastEdge = 0; ///< range of the edges among its children
    LayoutRect rect;                 ///< in the scene
    std::string label;               ///< what of the name the frames around it do not say
};

struct SceneEdge {
    int from = -1, to = -1; ///< indices of nodes, siblings
    EdgePath points;        ///< polyline or, when curved, cubic Bezier: 3k+1 points
    bool curved = false;
    LayoutRect bounds;                       ///< of the points
    std::uint32_t edges = 0;                 ///< edges of the graph it stands for
    std::int64_t bytes = 0;                  ///< sum of the distinct tensors on it
    std::vector<std::pair<OpId, OpId>> ends; ///< producer and consumer of each of these edges
    std::vector<TensorId> tensors;           ///< their tensors, ascending; invalid for a control edge
};

struct GraphScene {
    std::vector<SceneNode> nodes; ///< depth first: parents before children, a scope's inside in one piece
    std::vector<SceneEdge> edges; ///< those at the top first, then frame by frame
    int topEdges = 0;             ///< how many are at the top
    float width = 0, height = 0;
    /// The visible node that shows an op: the op itself or the outermost collapsed scope around it; -1 when none.
    [[nodiscard]] int nodeOf(OpId op) const { return op.index() < nodeOfOp.size() ? nodeOfOp[op.index()] : -1; }
    std::vector<int> nodeOfOp; ///< per op, the same
};

/// The root counts as expanded, whether it is in the set or not.
using ExpandedScopes = std::set<ScopeId>;

/// Scopes to expand at first: from the root down, level by level, while at most `budget` boxes are visible. Scopes
/// whose paths differ only in numbers (layer_0/cell, layer_1/cell) are expanded together or not at all.
[[nodiscard]] ExpandedScopes expandToBudget(const ScopeTree& scopes, std::size_t budget);

/// Lays out scopes by our own layered engine, at once; improve() then asks Graphviz dot in the helper process for
/// better rows. Remembers how each scope is arranged and each layout by its content: opening a group lays out only it
/// and those around it, which keep their order of rows and boxes; equal scopes are laid out once. Not for two threads
/// at once.
class GraphLayout {
public:
    /// Without a helper program there is nothing to improve by, and the result depends on nothing but the graph and the
    /// scenes before.
    explicit GraphLayout(std::string helperProgram = {});
    ~GraphLayout();

    [[nodiscard]] GraphScene layout(const Graph& graph, const ScopeTree& scopes, const ExpandedScopes& expanded);
    /// The next scene need not look like the last: every scope is arranged afresh for its sizes.
    void forgetPlaces();
    /// Asks dot about the open scopes of the last scene that it was not yet asked about, for kImproveTime in all at
    /// most. True when one of them became better: lay out again.
    [[nodiscard]] bool improve(const std::stop_token& stop = {});

    static constexpr std::chrono::milliseconds kImproveTime{1000};

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// The lines of text in an op's box; the second may be empty. The name comes first and the type second, unless the name
/// says the type already ("Conv_3") or says nothing ("n12", where the type comes first). Of a name in several parts the
/// last is on the second line when it says the type ("conv1/Conv").
struct BoxText {
    std::string_view first, second;
};
[[nodiscard]] BoxText boxText(std::string_view label, std::string_view type);

/// <program folder>/opscape-layout
[[nodiscard]] std::string defaultLayoutHelper();

} // namespace opscape
