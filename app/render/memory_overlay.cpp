// SPDX-License-Identifier: MIT
#include "memory_overlay.h"

#include "compared_colours.h"
#include "lane_columns.h"
#include "time_ground.h"

#include <opscape/base/units.h>

#include <QPainterPath>

#include <algorithm>

namespace opscape {
namespace {

constexpr double kLaneHeight = 84, kLaneGap = 12, kAir = 1.08;

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

/// Where a capacity far above all curves would flatten them, it is left out of the lane and named beside it.
bool capacityMatters(const MemoryOverlay::Curve& curve) {
    return curve.capacity > 0 && curve.report->peakBytes * 2 >= curve.capacity;
}

void paintCurve(QPainter& painter, const QRectF& box, const GanttCamera& camera, const MemoryOverlay::Lane& lane,
                const MemoryOverlay::Curve& curve, std::int64_t endNs, const Theme& theme) {
    const auto toY = [&](double bytes) {
        return box.bottom() - bytes / static_cast<double>(std::max<std::int64_t>(1, lane.top)) * box.height();
    };
    const double left = std::max(box.left(), camera.toX(0));
    const double right = std::min(box.right(), camera.toX(static_cast<double>(endNs)));
    if (right <= left)
        return;
    QPainterPath path;
    double last = 0;
    for (const MemoryColumn& column : mergeMemory(curve.report->memory, camera, left, right)) {
        const double at = bytesAt(*curve.report, camera.toNs(column.left) - 1e-9);
        if (path.elementCount() == 0)
            path.moveTo(column.left, toY(at));
        // The extremes of the column, the nearer one first, then on to where it ends.
        const double ends[] = {column.least, column.most};
        const bool down = std::abs(last - column.least) < std::abs(last - column.most);
        for (const double bytes : {ends[down ? 0 : 1], ends[down ? 1 : 0]})
            path.lineTo(column.left, toY(bytes));
        last = static_cast<double>(bytesAt(*curve.report, camera.toNs(column.right) - 1e-9));
        path.lineTo(column.left, toY(last));
        path.lineTo(column.right, toY(last));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(planColour(theme, curve.plan), 1.6, planLine(curve.plan)));
    painter.drawPath(path);
    if (capacityMatters(curve)) {
        const double y = toY(static_cast<double>(curve.capacity));
        painter.setPen(QPen(theme.capacity, 1, Qt::DashLine));
        painter.drawLine(QPointF(left, y), QPointF(right, y));
    }
}

} // namespace

MemoryOverlay::MemoryOverlay(const std::vector<const Problem*>& problems, const std::vector<const Schedule*>& schedules)
    : m_schedules(schedules) {
    for (std::size_t plan = 0; plan < schedules.size(); ++plan) {
        const Cluster& cluster = *problems[plan]->cluster;
        for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
            const std::string& name = cluster.device(DeviceId(d)).name;
            auto lane = std::ranges::find(m_lanes, name, &Lane::label);
            if (lane == m_lanes.end()) {
                m_lanes.push_back({name, DeviceId(d), {}, 0, 0, kLaneHeight});
                lane = m_lanes.end() - 1;
            }
            lane->curves.push_back(
                {plan, DeviceId(d), &schedules[plan]->devices[d], cluster.kindOf(DeviceId(d)).memoryBytes});
        }
    }
    double y = kLaneGap;
    for (Lane& lane : m_lanes) {
        for (const Curve& curve : lane.curves) {
            const std::int64_t most = std::max(curve.report->peakBytes, capacityMatters(curve) ? curve.capacity : 0);
            lane.top = std::max(lane.top, static_cast<std::int64_t>(kAir * static_cast<double>(most)));
        }
        lane.y = y;
        y += lane.height + kLaneGap;
    }
}

std::int64_t MemoryOverlay::endNs() const {
    std::int64_t end = 0;
    for (const Schedule* schedule : m_schedules)
        end = std::max(end, schedule->makespanNs);
    return end;
}

std::int64_t bytesAt(const DeviceReport& report, double ns) {
    const auto after = std::ranges::upper_bound(
        report.memory, ns, {}, [](const MemoryStep& step) { return static_cast<double>(step.timeNs); });
    return after == report.memory.begin() ? 0 : std::prev(after)->bytes;
}

double memoryHeight(const MemoryOverlay& data) {
    const auto& lanes = data.lanes();
    return kMemoryTop + (lanes.empty() ? 0 : lanes.back().y + lanes.back().height + kLaneGap);
}

void paintMemory(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const MemoryOverlay& data,
                 const std::vector<QString>& names, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    LabelPainter labels(painter);
    std::vector<StepEnd> ends;
    std::vector<LegendEntry> entries;
    for (std::size_t plan = 0; plan < data.schedules().size(); ++plan) {
        ends.push_back({data.schedules()[plan]->makespanNs, planColour(theme, plan), QString::number(plan + 1)});
        entries.push_back({planColour(theme, plan), names[plan], planLine(plan)});
    }
    paintTimeGrid(painter, view, camera, theme);
    painter.save();
    painter.setClipRect(QRectF(camera.labelWidth, kMemoryTop, view.width() - camera.labelWidth, view.height()));
    const auto boxOf = [&](const MemoryOverlay::Lane& lane) {
        return QRectF(camera.labelWidth, kMemoryTop + lane.y - camera.scrollY, view.width() - camera.labelWidth,
                      lane.height);
    };
    for (const MemoryOverlay::Lane& lane : data.lanes()) {
        const QRectF box = boxOf(lane);
        painter.setPen(QPen(theme.frame, 1));
        painter.drawLine(box.bottomLeft(), box.bottomRight());
        for (const MemoryOverlay::Curve& curve : lane.curves)
            paintCurve(painter, box, camera, lane, curve, data.schedules()[curve.plan]->makespanNs, theme);
    }
    paintStepEnds(painter, view, camera, ends);
    painter.restore();

    painter.fillRect(QRectF(0, 0, camera.labelWidth, view.height()), theme.background);
    for (const MemoryOverlay::Lane& lane : data.lanes()) {
        const QRectF box = boxOf(lane);
        double y = box.top();
        const auto line = [&](const QString& words, double size, const QColor& colour, bool bold) {
            labels.draw({8, y, camera.labelWidth - 16, size + 4}, Qt::AlignLeft, words, size, colour, bold);
            y += size + 4;
        };
        line(Theme::deviceLetter(lane.device) + QStringLiteral(" · ") + text(lane.label), 12, theme.text, true);
        for (const MemoryOverlay::Curve& curve : lane.curves) {
            const bool over = curve.report->overBytes > 0;
            line(QStringLiteral("%1  %2%3")
                     .arg(curve.plan + 1)
                     .arg(text(formatBytes(curve.report->peakBytes)),
                          curve.capacity > 0 ? QStringLiteral(" of %1").arg(text(formatBytes(curve.capacity)))
                                             : QString()),
                 10, over ? theme.capacity : planColour(theme, curve.plan), over);
        }
    }
    painter.setPen(QPen(theme.frame, 1));
    painter.drawLine(QPointF(camera.labelWidth - 0.5, 0), QPointF(camera.labelWidth - 0.5, view.height()));
    paintTimeAxis(painter, labels, view, camera, ends, theme);
    painter.fillRect(QRectF(0, kGanttAxisHeight, view.width(), kMemoryTop - kGanttAxisHeight), theme.background);
    paintEntries(painter, labels, {8, kGanttAxisHeight + 2, view.width() - 16, 20}, entries, theme);
    painter.restore();
}

int memoryLaneAt(const MemoryOverlay& data, const GanttCamera& camera, QPointF position) {
    if (position.y() < kMemoryTop || position.x() < camera.labelWidth)
        return -1;
    const double y = position.y() - kMemoryTop + camera.scrollY;
    const auto lane = std::ranges::find_if(
        data.lanes(), [y](const MemoryOverlay::Lane& l) { return y >= l.y && y < l.y + l.height; });
    return lane == data.lanes().end() ? -1 : static_cast<int>(lane - data.lanes().begin());
}

} // namespace opscape
