// SPDX-License-Identifier: MIT
// What the parts of the graph's picture share while one picture is drawn.
#pragma once

#include "graph_picture.h"
#include "label.h"

namespace opscape {

struct GraphCanvas {
    QPainter& painter;
    LabelPainter& labels;
    const GraphCamera& camera;
    const GraphView& what;
    const Theme& theme;
    const ScenePlacement& placement;
    QRectF view; ///< pixels

    [[nodiscard]] const GraphScene& scene() const { return *what.scene; }
    [[nodiscard]] double scale() const { return camera.scale; }
    [[nodiscard]] QPointF screen(LayoutPoint p) const { return camera.toScreen(QPointF(p.x, p.y)); }
    [[nodiscard]] QRectF screen(const LayoutRect& r) const {
        return {camera.toScreen(QPointF(r.x, r.y)), QSizeF(r.width, r.height) * camera.scale};
    }
    [[nodiscard]] DeviceId device(OpId op) const {
        return what.plan != nullptr && op.index() < what.plan->device.size() ? what.plan->device[op.index()]
                                                                             : DeviceId();
    }
    [[nodiscard]] bool critical(OpId op) const {
        return what.critical != nullptr && op.index() < what.critical->size() && (*what.critical)[op.index()] != 0;
    }
};

/// 0 below `low`, 1 above `high`, smooth between: detail fades in, nothing pops.
[[nodiscard]] inline double fade(double value, double low, double high) {
    const double t = value <= low ? 0 : value >= high ? 1 : (value - low) / (high - low);
    return t * t * (3 - 2 * t);
}

[[nodiscard]] inline QColor withAlpha(QColor colour, double alpha) {
    colour.setAlphaF(static_cast<float>(colour.alphaF() * alpha));
    return colour;
}

} // namespace opscape
