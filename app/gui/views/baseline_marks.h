// SPDX-License-Identifier: MIT
// What a run is compared with, as dashed lines across the chart of the step time, each named beside it; one that lies
// beyond the axis is named at its border.
#pragma once

#include "render/theme.h"

#include <opscape/base/run_context.h>

#include <qcustomplot.h>

#include <vector>

namespace opscape {

class BaselineMarks {
public:
    BaselineMarks(QCustomPlot& plot, QCPAxisRect& chart) : m_plot(plot), m_chart(chart) {}

    void set(std::vector<NamedTime> baselines, const Theme& theme);
    /// Slowest first.
    [[nodiscard]] const std::vector<NamedTime>& baselines() const { return m_baselines; }
    void dress(const Theme& theme) { set(std::move(m_baselines), theme); }
    /// Puts the names where the axis has the lines; to be called when the layout is known.
    void place();

private:
    struct Mark {
        QCPItemLine* line;   ///< across the chart
        QCPItemLine* leader; ///< from there to the name
        QCPItemText* name;
    };

    QCustomPlot& m_plot;
    QCPAxisRect& m_chart;
    std::vector<NamedTime> m_baselines;
    std::vector<Mark> m_marks;
};

} // namespace opscape
