// SPDX-License-Identifier: MIT
#include "gui/views/curve_overlay.h"

#include "gui/models/curve_spread.h"
#include "gui/views/overlay.h"

#include <algorithm>

namespace opscape {
namespace {

constexpr int kPlacesOfMean = 300, kTextSize = 11;

QVector<double> vectorOf(const std::vector<double>& values) { return {values.begin(), values.end()}; }

} // namespace

QCPGraph* CurveOverlay::addGraph(const Chart& chart) {
    QCPGraph* graph = m_plot.addGraph(chart.rect->axis(QCPAxis::atBottom), chart.rect->axis(QCPAxis::atLeft));
    graph->setAdaptiveSampling(false);
    graph->setSelectable(QCP::stNone);
    graph->setLayer(QStringLiteral("grid")); // under the run that is read out
    return graph;
}

void CurveOverlay::set(std::vector<OverlaidRun> runs, bool areAlike, const Theme& theme, const QColor& accent) {
    for (Chart& chart : m_charts) {
        for (QCPGraph* graph : chart.runs)
            m_plot.removeGraph(graph);
        chart.runs.clear();
        if (chart.low != nullptr)
            chart.low->setChannelFillGraph(nullptr);
        for (QCPGraph** graph : {&chart.low, &chart.high, &chart.mean}) {
            if (*graph != nullptr)
                m_plot.removeGraph(*graph);
            *graph = nullptr;
        }
    }
    for (QCPItemText* name : m_names)
        m_plot.removeItem(name);
    m_names.clear();
    m_runs = std::move(runs);
    m_hasMean = areAlike && m_runs.size() > 1;
    for (Chart& chart : m_charts) {
        if (m_hasMean) {
            chart.low = addGraph(chart);
            chart.high = addGraph(chart);
            chart.low->setChannelFillGraph(chart.high);
        }
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            QCPGraph* graph = chart.runs.emplace_back(addGraph(chart));
            if (chart.figure == CurveFigure::Best)
                graph->setLineStyle(QCPGraph::lsStepLeft);
        }
        if (m_hasMean)
            chart.mean = addGraph(chart);
    }
    for (const OverlaidRun& run : m_runs) {
        auto* name = m_names.emplace_back(new QCPItemText(&m_plot));
        name->setText(QStringLiteral("%1").arg(run.run));
        name->setFont(Theme::font(kTextSize, true));
        name->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
        name->setPadding({2, 0, 2, 1});
        name->setClipAxisRect(m_charts.front().rect);
        name->position->setAxisRect(m_charts.front().rect);
        name->position->setAxes(m_charts.front().rect->axis(QCPAxis::atBottom),
                                m_charts.front().rect->axis(QCPAxis::atLeft));
    }
    dress(theme, accent);
}

void CurveOverlay::dress(const Theme& theme, const QColor& accent) {
    QColor band = accent;
    band.setAlphaF(0.16F);
    for (const Chart& chart : m_charts) {
        for (std::size_t i = 0; i < chart.runs.size(); ++i)
            chart.runs[i]->setPen(m_hasMean ? penOf(Theme::mix(accent, theme.background, .35), 1)
                                            : penOf(theme.device(DeviceId(i)), 1.5));
        if (!m_hasMean)
            continue;
        chart.low->setPen(Qt::NoPen);
        chart.high->setPen(Qt::NoPen);
        chart.low->setBrush(band);
        chart.mean->setPen(penOf(theme.text, 2));
    }
    for (std::size_t i = 0; i < m_names.size(); ++i)
        m_names[i]->setColor(m_hasMean ? theme.dimText : theme.device(DeviceId(i)));
}

QCPRange CurveOverlay::whole(CurveAxis axis) const {
    QCPRange range;
    bool isFirst = true;
    for (const OverlaidRun& run : m_runs) {
        if (run.curve.empty())
            continue;
        const QCPRange own(run.curve.x(axis).front(), run.curve.x(axis).back());
        range = isFirst ? own : range.expanded(own);
        isFirst = false;
    }
    return range;
}

void CurveOverlay::sample(const QCPAxisRect& rect, CurveAxis axis, int columns) {
    for (const Chart& chart : m_charts) {
        if (chart.rect != &rect || m_runs.empty())
            continue;
        const QCPRange seen = rect.axis(QCPAxis::atBottom)->range();
        std::vector<const CurveColumns*> curves;
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            const CurveColumns& curve = m_runs[i].curve;
            curves.push_back(&curve);
            const CurveSample points = sampled(curve.x(axis), curve.y(chart.figure), seen.lower, seen.upper, columns);
            chart.runs[i]->setData(vectorOf(points.x), vectorOf(points.y), true);
            if (&chart == m_charts.data() && !points.x.empty()) {
                const auto last = std::ranges::upper_bound(points.x, seen.upper) - points.x.begin();
                const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, last) - 1);
                m_names[i]->position->setCoords(points.x[at], points.y[at]);
            }
        }
        if (!m_hasMean)
            continue;
        const CurveSpread spread = spreadOf(curves, axis, chart.figure, kPlacesOfMean);
        chart.low->setData(vectorOf(spread.x), vectorOf(spread.low), true);
        chart.high->setData(vectorOf(spread.x), vectorOf(spread.high), true);
        chart.mean->setData(vectorOf(spread.x), vectorOf(spread.mean), true);
    }
}

std::vector<const QCPGraph*> CurveOverlay::lines(const QCPAxisRect& rect) const {
    std::vector<const QCPGraph*> found;
    for (const Chart& chart : m_charts) {
        if (chart.rect == &rect)
            found.insert(found.end(), chart.runs.begin(), chart.runs.end());
    }
    return found;
}

} // namespace opscape
