// SPDX-License-Identifier: MIT
#include "gui/views/curve_overlay.h"

#include "gui/views/overlay.h"

#include <algorithm>

namespace opscape {
namespace {

constexpr int kPlacesOfMean = 150, kTextSize = 11;

} // namespace

CurveGraph* CurveOverlay::addGraph(const Chart& chart) {
    auto* graph = new CurveGraph(chart.rect->axis(QCPAxis::atBottom), chart.rect->axis(QCPAxis::atLeft));
    graph->setLayer(QStringLiteral("grid")); // under the run that is read out
    return graph;
}

void CurveOverlay::set(std::vector<OverlaidRun> runs, bool areAlike, const Theme& theme, const QColor& accent) {
    for (Chart& chart : m_charts) {
        for (CurveGraph* graph : chart.runs)
            m_plot.removeGraph(graph);
        chart.runs.clear();
        if (chart.low != nullptr)
            chart.low->setChannelFillGraph(nullptr);
        for (CurveGraph** graph : {&chart.low, &chart.high, &chart.mean}) {
            if (*graph != nullptr)
                m_plot.removeGraph(*graph);
            *graph = nullptr;
        }
    }
    for (QCPItemText* name : m_names)
        m_plot.removeItem(name);
    m_names.clear();
    m_runs = std::move(runs);
    m_places.reset();
    m_hasMean = areAlike && m_runs.size() > 1;
    for (Chart& chart : m_charts) {
        if (m_hasMean) {
            chart.low = addGraph(chart);
            chart.high = addGraph(chart);
            chart.low->setChannelFillGraph(chart.high);
        }
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            CurveGraph* graph = chart.runs.emplace_back(addGraph(chart));
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

void CurveOverlay::grow(std::size_t run, std::span<const CurvePoint> points, bool anew) {
    if (anew)
        m_runs[run].curve.clear();
    m_runs[run].curve.append(points);
    m_places.reset();
}

const SpreadPlaces& CurveOverlay::places(CurveAxis axis, const CurveWindow& window) {
    const CurveWindow& before = m_placesWindow;
    if (!m_places || m_placesAxis != axis || before.from != window.from || before.to != window.to ||
        before.logarithmic != window.logarithmic) {
        std::vector<const CurveColumns*> curves;
        for (const OverlaidRun& run : m_runs)
            curves.push_back(&run.curve);
        m_places.emplace(curves, axis, window, kPlacesOfMean);
        m_placesAxis = axis;
        m_placesWindow = window;
    }
    return *m_places;
}

void CurveOverlay::sample(const QCPAxisRect& rect, CurveAxis axis, const CurveWindow& window) {
    for (const Chart& chart : m_charts) {
        if (chart.rect != &rect || m_runs.empty())
            continue;
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            const CurveColumns& curve = m_runs[i].curve;
            const CurveSample points = sampled(curve.x(axis), curve.series(chart.figure), window);
            chart.runs[i]->setPoints(points.x, points.y);
            if (&chart == m_charts.data() && !points.x.empty()) {
                const auto last = std::ranges::upper_bound(points.x, window.to) - points.x.begin();
                const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, last) - 1);
                m_names[i]->position->setCoords(points.x[at], points.y[at]);
            }
        }
        if (!m_hasMean)
            continue;
        const CurveSpread spread = places(axis, window).of(chart.figure);
        chart.low->setPoints(spread.x, spread.low);
        chart.high->setPoints(spread.x, spread.high);
        chart.mean->setPoints(spread.x, spread.mean);
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
