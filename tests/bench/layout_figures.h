// SPDX-License-Identifier: MIT
// How long the layout of a graph takes: the first scene, opening and closing a group, everything open.
#pragma once

#include <opscape/layout/graph_layout.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <optional>

namespace opscape::bench {

struct LayoutFigures {
    double scopesMs = 0;    ///< the tree that is shown, from the graph in memory
    double firstMs = 0;     ///< its first scene
    double firstBoxes = 0;  ///< how many that has
    double openMs = 0;      ///< opening a group, median,
    double worstOpenMs = 0; ///< and the slowest
    double closeMs = 0;     ///< closing it again, median
    double allMs = 0;       ///< every group open at once
    double allBoxes = 0;
};

inline double processorMs(const std::function<void()>& work) {
    const std::clock_t begin = std::clock();
    work();
    return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Of processor time; the own engine alone, since the helper's answers come later.
inline LayoutFigures measureLayout(const Graph& graph, std::size_t firstBoxes = 100, std::size_t groups = 40) {
    LayoutFigures figures;
    std::optional<ScopeTree> scopes;
    figures.scopesMs = processorMs([&] { scopes.emplace(shownScopes(graph)); });
    GraphLayout layout;
    ExpandedScopes expanded = expandToBudget(*scopes, firstBoxes);
    GraphScene scene;
    figures.firstMs = processorMs([&] { scene = layout.layout(graph, *scopes, expanded); });
    figures.firstBoxes = static_cast<double>(scene.nodes.size());
    std::vector<ScopeId> closed; // groups that can be seen and are closed, the largest first
    for (const SceneNode& node : scene.nodes) {
        if (node.scope.valid() && !node.expanded)
            closed.push_back(node.scope);
    }
    std::ranges::stable_sort(closed, std::greater(), [&](ScopeId id) { return scopes->scope(id).opsBelow; });
    closed.resize(std::min(groups, closed.size()));
    std::vector<double> open, close;
    for (const ScopeId id : closed) {
        expanded.insert(id);
        open.push_back(processorMs([&] { scene = layout.layout(graph, *scopes, expanded); }));
        expanded.erase(id);
        close.push_back(processorMs([&] { scene = layout.layout(graph, *scopes, expanded); }));
    }
    if (!open.empty()) {
        std::ranges::sort(open);
        std::ranges::sort(close);
        figures.worstOpenMs = open.back();
        figures.openMs = open[open.size() / 2];
        figures.closeMs = close[close.size() / 2];
    }
    for (std::size_t s = 0; s < scopes->scopeCount(); ++s)
        expanded.insert(ScopeId(s));
    layout.forgetPlaces();
    figures.allMs = processorMs([&] { scene = layout.layout(graph, *scopes, expanded); });
    figures.allBoxes = static_cast<double>(scene.nodes.size());
    return figures;
}

} // namespace opscape::bench
