// SPDX-License-Identifier: MIT
// What the charts of a training say of the point under the cursor.
#include "gui/views/curve_ticker.h"
#include "gui/views/training_plot.h"
#include "gui/words.h"

#include <opscape/base/units.h>

#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace opscape {

void TrainingPlot::stepReading(std::ptrdiff_t by) {
    if (m_curve.empty())
        return;
    const auto last = static_cast<std::ptrdiff_t>(m_curve.size()) - 1;
    const std::ptrdiff_t from = m_read ? static_cast<std::ptrdiff_t>(*m_read) : (by < 0 ? last + 1 : -1);
    const auto to = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(from + by, 0, last));
    read(to);
    const QCPRange range = m_charts.front().rect->axis(QCPAxis::atBottom)->range();
    if (const double x = m_curve.x(m_axis)[to]; !range.contains(x) && (x > 0 || !m_axisLogarithmic))
        rangeMoved(undrawn(drawn(range) + (drawn({x, x}).lower - drawn(range).center())));
}

void TrainingPlot::readLast() { read(std::nullopt); }

void TrainingPlot::read(std::optional<std::size_t> point, std::optional<double> pointer) {
    if (point == m_read && pointer == m_pointer)
        return;
    m_read = point;
    m_pointer = pointer;
    showReading();
    drawReading();
}

void TrainingPlot::drawReading() {
    if (isVisible() && !m_timer.isActive()) // else it is drawn with the rest
        layer(QStringLiteral("overlay"))->replot();
}

std::optional<std::size_t> TrainingPlot::readPoint() const {
    if (m_read)
        return m_read;
    return m_curve.empty() ? std::nullopt : std::optional(m_curve.size() - 1);
}

std::optional<double> TrainingPlot::placeRead() const {
    return m_pointer || !m_read ? m_pointer : std::optional(m_curve.x(m_axis)[*m_read]);
}

QString TrainingPlot::place() const {
    const auto point = readPoint();
    if (!point)
        return {};
    const auto count = [&](CurveAxis axis) {
        return qs(formatCount(static_cast<std::int64_t>(m_curve.x(axis)[*point])));
    };
    return tr("update %1, %2 s, %3 simulations")
        .arg(count(CurveAxis::Updates), figureText(m_curve.x(CurveAxis::Seconds)[*point]),
             count(CurveAxis::Simulations));
}

QString TrainingPlot::readingOf(const Chart& chart) const {
    const auto point = readPoint();
    if (!point)
        return chart.title;
    const auto value = [&](CurveFigure figure) { return m_curve.y(figure)[*point]; };
    switch (chart.lines.back().figure) {
    case CurveFigure::Best: {
        const double ns = value(CurveFigure::Best);
        return tr("%1  %2 at %3")
            .arg(chart.title, std::isnan(ns) ? QStringLiteral("–") : qs(formatTime(static_cast<std::int64_t>(ns))),
                 place());
    }
    case CurveFigure::Reward:
        return tr("%1  %2   - -  expected  %3")
            .arg(chart.title, figureText(value(CurveFigure::Reward)), figureText(value(CurveFigure::ValueBaseline)));
    case CurveFigure::ClipFraction:
        return tr("%1  %2").arg(chart.title, qs(formatPercent(value(CurveFigure::ClipFraction))));
    default: {
        const double figure = value(chart.lines.back().figure);
        return tr("%1  %2").arg(chart.title, std::isnan(figure) ? QStringLiteral("–") : figureText(figure));
    }
    }
}

QStringList TrainingPlot::readings() const {
    QStringList said;
    for (const Chart& chart : m_charts)
        said << readingOf(chart);
    return said;
}

void TrainingPlot::showReading() {
    for (const Chart& chart : m_charts) {
        chart.head->setText(readingOf(chart));
        chart.cursor->setVisible(m_read.has_value());
        if (m_read) {
            const double x = m_curve.x(m_axis)[*m_read];
            chart.cursor->point1->setCoords(x, 0);
            chart.cursor->point2->setCoords(x, 1);
        }
    }
    setAccessibleDescription(readings().join(QStringLiteral("; ")));
    emit readingChanged();
}

void TrainingPlot::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    if (m_curve.empty())
        return;
    for (const Chart& chart : m_charts) {
        if (chart.rect->rect().contains(event->position().toPoint())) {
            const double at = chart.rect->axis(QCPAxis::atBottom)->pixelToCoord(event->position().x());
            read(nearestPoint(m_curve.x(m_axis), at), at);
            return;
        }
    }
    readLast();
}

bool TrainingPlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QCustomPlot::event(event);
    const auto* help = static_cast<QHelpEvent*>(event); // as its type says
    QToolTip::showText(help->globalPos(), m_marks->isBeside(help->pos()) ? m_marks->list() : QString(), this);
    return true;
}

void TrainingPlot::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    readLast();
}

} // namespace opscape
