// SPDX-License-Identifier: MIT
#include "difference_marks.h"

#include "label.h"

#include <opscape/base/units.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr double kOutlined = 8; ///< pixels of the narrow side from which a box has an outline
constexpr double kBadged = 24;  ///< and from which it has a badge, which would cover the name of a smaller one
constexpr double kBadge = 14, kText = 10;

} // namespace

std::vector<std::uint32_t> markedOps(const GraphScene& scene, const std::vector<std::uint8_t>& marked) {
    std::vector<std::uint32_t> counts(scene.nodes.size());
    for (std::size_t i = 0; i < marked.size() && i < scene.nodeOfOp.size(); ++i) {
        if (const int node = scene.nodeOfOp[i]; marked[i] != 0 && node >= 0)
            ++counts[static_cast<std::size_t>(node)];
    }
    return counts;
}

void paintDifferenceMarks(QPainter& painter, const QSizeF& view, const GraphCamera& camera, const GraphScene& scene,
                          const std::vector<std::uint32_t>& markedOfNode, const Theme& theme) {
    painter.save();
    LabelPainter labels(painter);
    const QRectF seen({0, 0}, view);
    const QColor colour = theme.inputHighlight;
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        if (markedOfNode[n] == 0)
            continue;
        const LayoutRect& r = scene.nodes[n].rect;
        const QRectF box(camera.toScreen(QPointF(r.x, r.y)), QSizeF(r.width, r.height) * camera.scale);
        if (!box.intersects(seen))
            continue;
        const double narrow = std::min(box.width(), box.height());
        if (narrow < kOutlined) { // a speck is enough to be seen
            const QPointF middle = box.center();
            painter.fillRect(QRectF(middle.x() - 1, middle.y() - 1, 2, 2), colour);
            continue;
        }
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour, 2, Qt::DashLine));
        painter.drawRoundedRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), 4, 4);
        if (narrow < kBadged)
            continue;
        const QString words = scene.nodes[n].op.valid()
                                  ? QStringLiteral("≠")
                                  : QStringLiteral("≠ %1").arg(QString::fromStdString(formatCount(markedOfNode[n])));
        const double width = std::max(kBadge, labels.width(words, kText, true) + 8);
        const QRectF badge(box.left() - 4, box.top() - kBadge / 2, width, kBadge);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(badge, kBadge / 2, kBadge / 2);
        labels.draw(badge, Qt::AlignHCenter, words, kText, Theme::textOn(colour), true);
    }
    painter.restore();
}

} // namespace opscape
