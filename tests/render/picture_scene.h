// SPDX-License-Identifier: MIT
// A small placed graph for the tests of the pictures: everything is known, so every pixel can be asked for.
#pragma once

#include <opscape/graph/graph_builder.h>

#include <QImage>

#include <gtest/gtest.h>
#include <render/gantt_picture.h>
#include <render/graph_picture.h>

namespace opscape {

/// enc/a -> enc/b -> dec/c -> dec/d on devices 0 0 1 2; op times 10, 20, 30, 40 us; tensors of 1 MiB.
struct PictureScene {
    PictureScene();

    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const ScopeTree> scopes;
    Problem problem;
    Plan plan;

    [[nodiscard]] GraphScene scene(bool expanded) const;
    /// Borrows this and `scene`.
    [[nodiscard]] GraphView view(const GraphScene& scene) const;
    /// The ops one after another, each transfer between them 50 us long.
    [[nodiscard]] Schedule schedule() const;
};

[[nodiscard]] Cluster testCluster(int devices);

[[nodiscard]] QImage drawGraph(const GraphView& view, const GraphCamera& camera, QSize size, const Theme& theme);
[[nodiscard]] QImage drawGantt(const GanttData& data, const GanttView& view, const GanttCamera& camera, QSize size,
                               const Theme& theme);

/// Share of the pixels of a rectangle that have exactly this colour.
[[nodiscard]] double shareOf(const QImage& image, const QRectF& box, const QColor& colour);

} // namespace opscape
