// SPDX-License-Identifier: MIT
// Other runs drawn over the charts of one: a thin line each, named at its end, and where they are alike but for their
// seeds their mean with the space between the lowest and the highest of them filled.
#pragma once

#include "gui/models/curve_spread.h"
#include "gui/views/curve_graph.h"
#include "render/theme.h"

#include <qcustomplot.h>

#include <optional>

namespace opscape {

struct OverlaidRun {
    std::int64_t run = 0;
    CurveColumns curve;
};

class CurveOverlay {
public:
    explicit CurveOverlay(QCustomPlot& plot) : m_plot(plot) {}

    /// Once for every chart, before anything is shown; the first chart gets the names.
    void addChart(QCPAxisRect& chart, CurveFigure figure) { m_charts.push_back({&chart, figure}); }
    void set(std::vector<OverlaidRun> runs, bool areAlike, const Theme& theme, const QColor& accent);
    void dress(const Theme& theme, const QColor& accent);
    [[nodiscard]] bool empty() const { return m_runs.empty(); }
    [[nodiscard]] bool hasMean() const { return m_hasMean; }
    [[nodiscard]] const std::vector<OverlaidRun>& runs() const { return m_runs; }
    /// More of the curve of one run, or `anew` all of it.
    void grow(std::size_t run, std::span<const CurvePoint> points, bool anew);
    /// Chooses the points that are drawn in a chart.
    void sample(const QCPAxisRect& chart, CurveAxis axis, const CurveWindow& window);
    /// The lines of a chart, for its scale.
    [[nodiscard]] std::vector<const QCPGraph*> lines(const QCPAxisRect& chart) const;

private:
    struct Chart {
        QCPAxisRect* rect;
        CurveFigure figure;
        std::vector<CurveGraph*> runs{};
        CurveGraph *low = nullptr, *high = nullptr, *mean = nullptr;
    };

    CurveGraph* addGraph(const Chart& chart);
    const SpreadPlaces& places(CurveAxis axis, const CurveWindow& window);

    QCustomPlot& m_plot;
    std::vector<Chart> m_charts;
    std::vector<OverlaidRun> m_runs;
    std::vector<QCPItemText*> m_names; ///< per run, in the first chart
    bool m_hasMean = false;
    // The places of mean and spread, and what they were found for.
    std::optional<SpreadPlaces> m_places;
    CurveAxis m_placesAxis = CurveAxis::Updates;
    CurveWindow m_placesWindow;
};

} // namespace opscape
