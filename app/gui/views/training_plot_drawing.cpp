// SPDX-License-Identifier: MIT
// When the charts of a training are drawn, and from which points.
#include "gui/views/curve_ticker.h"
#include "gui/views/training_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace opscape {
namespace {

constexpr double kRounding = 1e-9; ///< of what is seen, where that is taken for all of the curve
constexpr int kTickHeight = 20, kFewestTicks = 2, kMostTicks = 4, ///< pixels of a chart for a tick of its values
    kLabelHeight = 12;
constexpr double kFarBaseline = 2.5; ///< times the slowest step drawn: beyond it a linear axis names it at its border

CurveTicker& tickerOf(QCPAxis* axis) { return *axis->ticker().staticCast<CurveTicker>(); }

} // namespace

QCPRange TrainingPlot::wholeRange() const {
    double from = std::numeric_limits<double>::infinity(), to = -from;
    const auto include = [&](const CurveColumns& curve) {
        const std::vector<double>& x = curve.x(m_axis);
        const auto first = m_axisLogarithmic ? std::ranges::upper_bound(x, 0.0) : x.begin();
        if (first == x.end())
            return;
        from = std::min(from, *first);
        to = std::max(to, x.back());
    };
    include(m_curve);
    for (const OverlaidRun& run : m_overlay->runs())
        include(run.curve);
    if (from > to)
        return m_axisLogarithmic ? QCPRange(1, 10) : QCPRange(0, 1);
    if (from < to)
        return {from, to};
    return m_axisLogarithmic ? QCPRange(from / 2, from * 2) : QCPRange(from - 0.5, from + 0.5);
}

QCPRange TrainingPlot::drawn(const QCPRange& range) const {
    return m_axisLogarithmic ? QCPRange(std::log(range.lower), std::log(range.upper)) : range;
}

QCPRange TrainingPlot::undrawn(const QCPRange& range) const {
    return m_axisLogarithmic ? QCPRange(std::exp(range.lower), std::exp(range.upper)) : range;
}

void TrainingPlot::curvesChanged() {
    ++m_curves;
    schedule();
}

void TrainingPlot::schedule() {
    if (!m_timer.isActive())
        m_timer.start();
}

void TrainingPlot::refreshNow() {
    refresh();
    replot(rpImmediateRefresh);
}

void TrainingPlot::refresh() {
    m_timer.stop();
    m_isStale = !isVisible();
    if (m_isStale)
        return;
    if (m_fitted) {
        m_moving = true;
        for (const Chart& chart : m_charts)
            chart.rect->axis(QCPAxis::atBottom)->setRange(wholeRange());
        m_moving = false;
    }
    for (Chart& chart : m_charts) {
        sample(chart);
        scaleValues(chart);
    }
    showReading();
    replot(rpQueuedReplot);
}

CurveWindow TrainingPlot::windowOf(const Chart& chart) const {
    const QCPRange range = chart.rect->axis(QCPAxis::atBottom)->range();
    return {range.lower, range.upper, std::max(60, chart.rect->width()), m_axisLogarithmic};
}

void TrainingPlot::sample(Chart& chart) {
    const CurveWindow window = windowOf(chart);
    const QCPRange range(window.from, window.to);
    if (chart.sampledFor == window.columns && chart.sampledRange == range && chart.sampledCurves == m_curves)
        return;
    chart.sampledFor = window.columns;
    chart.sampledRange = range;
    chart.sampledCurves = m_curves;
    const auto draw = [&](CurveGraph* graph, const CurveSeries& y) {
        const CurveSample points = sampled(m_curve.x(m_axis), y, window);
        graph->setPoints(points.x, points.y);
    };
    for (const Line& line : chart.lines) {
        const CurveSeries& y = m_curve.series(line.figure);
        draw(line.graph, line.smooth ? line.smooth->series() : y);
        if (line.smooth)
            draw(line.raw, y);
        else
            line.raw->setPoints({}, {});
    }
    m_overlay->sample(*chart.rect, m_axis, window);
}

void TrainingPlot::scaleValues(Chart& chart) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto include = [&](double value) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    };
    std::vector<const QCPGraph*> graphs = m_overlay->lines(*chart.rect);
    for (const Line& line : chart.lines)
        graphs.insert(graphs.end(), {line.graph, line.raw});
    for (const QCPGraph* graph : graphs) {
        for (const QCPGraphData& point : *graph->data())
            include(point.value);
    }
    const bool isStepTime = &chart == m_charts.data();
    if (isStepTime) {
        const double far = m_logarithmic || high <= 0 ? std::numeric_limits<double>::infinity() : kFarBaseline * high;
        for (const NamedTime& baseline : m_marks->shown()) {
            if (const auto ns = static_cast<double>(baseline.ns); ns <= far)
                include(ns);
        }
    }
    QCPAxis* axis = chart.rect->axis(QCPAxis::atLeft);
    if (low > high) {
        axis->setRange(0, 1);
        return;
    }
    const bool logarithmic = m_logarithmic && low > 0;
    axis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    tickerOf(axis).setLogarithmic(logarithmic);
    if (isStepTime) {
        const auto [name, ns] = timeUnit(high);
        tickerOf(axis).setUnit(ns, u' ' + name);
    }
    if (logarithmic) {
        const double margin = std::max(1.03, std::pow(high / low, 0.06));
        axis->setRange(low / margin, high * margin);
        return;
    }
    if (!isStepTime && low >= 0 && low < high / 2)
        low = 0;
    const double margin = high > low ? 0.06 * (high - low) : std::max(std::abs(high) * 0.05, 1e-9);
    axis->setRange(low == 0 ? 0 : low - margin, high + margin);
}

void TrainingPlot::afterLayoutDone() {
    for (Chart& chart : m_charts) {
        sample(chart); // where its width is another now
        CurveTicker& ticker = tickerOf(chart.rect->axis(QCPAxis::atLeft));
        const int height = std::max(1, chart.rect->height());
        const double apart = static_cast<double>(kLabelHeight) / height;
        if (apart == ticker.leastApart())
            continue;
        ticker.setLeastApart(apart); // labels must not lie on one another
        ticker.setTickCount(std::clamp(height / kTickHeight, kFewestTicks, kMostTicks));
        schedule();
    }
    m_marks->place();
}

void TrainingPlot::rangeMoved(const QCPRange& range) {
    if (std::exchange(m_moving, true))
        return;
    const QCPRange whole = wholeRange();
    const QCPRange allowed = drawn(whole);
    m_fitted = drawn(range).size() >= allowed.size() * (1 - kRounding);
    const QCPRange seen = m_fitted ? whole : undrawn(drawn(range).bounded(allowed.lower, allowed.upper));
    for (Chart& chart : m_charts) {
        chart.rect->axis(QCPAxis::atBottom)->setRange(seen);
        sample(chart);
        scaleValues(chart);
    }
    m_moving = false;
    replot(rpQueuedReplot);
}

void TrainingPlot::showEvent(QShowEvent* event) {
    QCustomPlot::showEvent(event);
    if (m_isStale)
        refresh();
}

} // namespace opscape
