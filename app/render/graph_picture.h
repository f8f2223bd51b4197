// SPDX-License-Identifier: MIT
// Draws a laid-out graph. The same code draws the window's pane, exported files and the pictures of tests.
#pragma once

#include "scene_placement.h"
#include "surface.h"
#include "theme.h"

#include <opscape/layout/graph_layout.h>
#include <opscape/plan/problem.h>
#include <opscape/sim/critical_path.h>

#include <QPainter>

#include <functional>

namespace opscape {

/// What is drawn; pointers are borrowed for the call, all but graph, scopes and scene may be null.
struct GraphView {
    const Graph* graph = nullptr;
    const ScopeTree* scopes = nullptr;
    const GraphScene* scene = nullptr;
    const Cluster* cluster = nullptr;
    const Plan* plan = nullptr;                          ///< colours ops by device, unless told otherwise
    const CostModel* cost = nullptr;                     ///< weighs the device bars of scopes by time
    const std::vector<OpId>* selected = nullptr;         ///< highlighted, with their inputs and outputs
    const std::vector<OpId>* found = nullptr;            ///< by a search: outlined, less than what is selected
    const std::vector<std::uint8_t>* critical = nullptr; ///< per op, 1 when on the critical path
    int hovered = -1;                                    ///< node under the pointer
    /// What colours stand for, and what that means for this scene and plan, when kept between pictures; else worked
    /// out each time by passes over all ops and edges. A placement without colours is one by device.
    const OpColours* colours = nullptr;
    const ScenePlacement* placement = nullptr;
    bool legend = true;  ///< for who draws one beside the graph
    int isolated = -1;   ///< class whose ops alone keep their colour; -1: all
    bool moving = false; ///< one of many pictures: short edges that cross nothing are left for when it is still
};

/// Asked now and then while a long picture is drawn; false ends it.
using DrawWatch = std::function<bool(double fraction)>;

/// World-to-screen: screen = (world - origin) * scale.
struct GraphCamera {
    QPointF origin;
    double scale = 1;
    [[nodiscard]] QPointF toScreen(QPointF world) const { return (world - origin) * scale; }
    [[nodiscard]] QPointF toWorld(QPointF screen) const { return screen / scale + origin; }
    /// Shows the whole rectangle centred in the view.
    [[nodiscard]] static GraphCamera fit(const QRectF& world, const QSizeF& view, double margin = 12,
                                         double maxScale = 2);
    friend bool operator==(const GraphCamera&, const GraphCamera&) = default;
};

/// Draws what is inside `view` (pixels, from 0,0), the ground included. False when `watch` ended it.
bool paintGraph(Surface& surface, const QSizeF& view, const GraphCamera& camera, const GraphView& what,
                const Theme& theme, const DrawWatch& watch = {});
bool paintGraph(QPainter& painter, const QSizeF& view, const GraphCamera& camera, const GraphView& what,
                const Theme& theme, const DrawWatch& watch = {});
/// The marks alone, onto a picture of the same view that was drawn without them: what is selected, found and under the
/// pointer.
void paintGraphMarks(Surface& surface, const QSizeF& view, const GraphCamera& camera, const GraphView& what,
                     const Theme& theme);
/// Of the legend that has so much room from top to bottom; empty where there is nothing to explain.
[[nodiscard]] QSizeF legendSize(const GraphView& what, double room);
/// Legend: what each colour stands for, with letter, number of ops and busy time, and how many ops are pinned; its top
/// right corner at `corner`. Returns the rectangle of each class's row, for clicks; of many classes only the first ones
/// have a row, as many as fit the room.
std::vector<QRectF> paintLegend(Surface& surface, QPointF corner, const GraphView& what, const Theme& theme,
                                double room);
std::vector<QRectF> paintLegend(QPainter& painter, QPointF corner, const GraphView& what, const Theme& theme,
                                double room);
/// "sum 12.3 ms, mean 3.2 us, 1 us to 40 us" of a group on a scale, of places in an order "#1 to #40"; empty elsewhere.
[[nodiscard]] std::string aggregateText(const OpColours& colours, const ScenePlacement::Aggregate& aggregate);
/// Innermost node at a world position; -1 when there is none.
[[nodiscard]] int nodeAt(const GraphScene& scene, QPointF world);

} // namespace opscape
