// SPDX-License-Identifier: MIT
#include "graph_picture.h"
#include "label.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <optional>

namespace opscape {
namespace {

constexpr double kRow = 22, kPad = 10, kText = 12, kSwatch = 16, kGap = 12;
constexpr std::size_t kMostRows = 24;

struct LegendRow {
    DeviceId device;
    QString name, ops, time;
};

} // namespace

std::vector<QRectF> paintLegend(QPainter& painter, QPointF corner, const GraphView& what, const Theme& theme) {
    if (what.cluster == nullptr || what.plan == nullptr)
        return {};
    std::optional<ScenePlacement> own;
    if (what.placement == nullptr)
        own.emplace(*what.graph, *what.scene, what.plan, what.cluster, what.cost);
    const auto& totals = (own ? *own : *what.placement).totals();
    const std::size_t devices = std::min(what.cluster->deviceCount(), kMostRows);
    const std::size_t more = what.cluster->deviceCount() - devices;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    LabelPainter labels(painter);
    std::vector<LegendRow> rows;
    double nameWidth = 0, opsWidth = 0, timeWidth = 0;
    for (std::size_t d = 0; d < devices; ++d) {
        LegendRow row{
            DeviceId(d), QString::fromStdString(what.cluster->device(DeviceId(d)).name),
            QStringLiteral("%1 ops").arg(QString::fromStdString(formatCount(static_cast<std::int64_t>(totals[d].ops)))),
            what.cost != nullptr ? QString::fromStdString(formatTime(totals[d].busyNs)) : QString()};
        nameWidth = std::max(nameWidth, labels.width(row.name, kText, true) + 1);
        opsWidth = std::max(opsWidth, labels.width(row.ops, kText) + 1);
        timeWidth = std::max(timeWidth, labels.width(row.time, kText) + 1);
        rows.push_back(row);
    }
    nameWidth = std::min(nameWidth, 160.0);
    const double times = what.cost != nullptr ? timeWidth + kGap : 0;
    const double width = 2 * kPad + kSwatch + 8 + nameWidth + kGap + opsWidth + times;
    const double lines = static_cast<double>(devices + (more > 0 ? 1 : 0));
    const QRectF panel(corner.x() - width, corner.y(), width, 2 * kPad + kRow * lines - (kRow - kSwatch));
    QColor fill = theme.background;
    fill.setAlphaF(0.93F);
    painter.setPen(QPen(theme.frame, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(panel, 8, 8);

    std::vector<QRectF> places;
    for (const LegendRow& row : rows) {
        const double y = panel.top() + kPad + kRow * static_cast<double>(row.device.index());
        const QRectF swatch(panel.left() + kPad, y, kSwatch, kSwatch);
        const QColor colour = theme.device(row.device);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(swatch, 4, 4);
        labels.draw(swatch, Qt::AlignHCenter, Theme::deviceLetter(row.device), 11, Theme::textOn(colour), true);
        double x = swatch.right() + 8;
        labels.draw({x, y, nameWidth, kSwatch}, Qt::AlignLeft, row.name, kText, theme.text, true);
        x += nameWidth + kGap;
        labels.draw({x, y, opsWidth, kSwatch}, Qt::AlignRight, row.ops, kText, theme.text);
        x += opsWidth + kGap;
        labels.draw({x, y, timeWidth, kSwatch}, Qt::AlignRight, row.time, kText, theme.dimText);
        places.emplace_back(panel.left(), y - (kRow - kSwatch) / 2, panel.width(), kRow);
    }
    if (more > 0)
        labels.draw({panel.left() + kPad, panel.bottom() - kPad - kSwatch, width - 2 * kPad, kSwatch}, Qt::AlignLeft,
                    QStringLiteral("and %1 more devices").arg(more), kText, theme.dimText);
    painter.restore();
    return places;
}

} // namespace opscape
