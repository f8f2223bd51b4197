// SPDX-License-Identifier: MIT
// Draws a laid-out graph. The same code draws the window's pane, exported files and the pictures of tests.
#pragma once

#include "scene_placement.h"
#include "theme.h"

#include <opscape/layout/graph_layout.h>
#include <opscape/plan/problem.h>
#include <opscape/sim/critical_path.h>

#include <QPainter>

namespace opscape {

/// What is drawn; pointers are borrowed for the call, all but graph, scopes and scene may be null.
struct GraphView {
    const Graph* graph = nullptr;
    const ScopeTree* scopes = nullptr;
    const GraphScene* scene = nullptr;
    const Cluster* cluster = nullptr;
    const Plan* plan = nullptr;                          ///< colours ops by device
    const CostModel* cost = nullptr;                     ///< weighs the device bars of scopes by time
    const std::vector<OpId>* selected = nullptr;         ///< highlighted, with their inputs and outputs
    const std::vector<std::uint8_t>* critical = nullptr; ///< per op, 1 when on the critical path
    int hovered = -1;                                    ///< node under the pointer
    /// Of this scene and plan, when kept between pictures; else worked out each time by a pass over all ops and edges.
    const ScenePlacement* placement = nullptr;
};

/// World-to-screen: screen = (world - origin) * scale.
struct GraphCamera {
    QPointF origin;
    double scale = 1;
    [[nodiscard]] QPointF toScreen(QPointF world) const { return (world - origin) * scale; }
    [[nodiscard]] QPointF toWorld(QPointF screen) const { return screen / scale + origin; }
    /// Shows the whole rectangle centred in the view.
    [[nodiscard]] static GraphCamera fit(const QRectF& world, const QSizeF& view, double margin = 12,
                                         double maxScale = 2);
};

/// Draws what is inside `view` (pixels, from 0,0).
void paintGraph(QPainter& painter, const QSizeF& view, const GraphCamera& camera, const GraphView& what,
                const Theme& theme);
/// Legend: devices with letter, colour, number of ops and busy time; drawn with its top right corner at `corner`.
/// Returns the rectangle of each device's row, for clicks; of many devices only the first ones have a row.
std::vector<QRectF> paintLegend(QPainter& painter, QPointF corner, const GraphView& what, const Theme& theme);
/// Innermost node at a world position; -1 when there is none.
[[nodiscard]] int nodeAt(const GraphScene& scene, QPointF world);

} // namespace opscape
