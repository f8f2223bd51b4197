// SPDX-License-Identifier: MIT
// What a run is compared with, as dashed lines across the chart of the step time, each named beside it; one that lies
// beyond the axis is named at its border. Where there are many only a few are drawn, until all are asked for.
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
    void showAll(bool all, const Theme& theme);
    /// Slowest first.
    [[nodiscard]] const std::vector<NamedTime>& baselines() const { return m_baselines; }
    /// Those that are drawn, slowest first.
    [[nodiscard]] const std::vector<NamedTime>& shown() const { return m_shown; }
    void dress(const Theme& theme) { set(std::move(m_baselines), theme); }
    /// All of them, a line each.
    [[nodiscard]] QString list() const;
    /// Whether their names are there.
    [[nodiscard]] bool isBeside(const QPoint& place) const;
    /// Puts the names where the axis has the lines; to be called when the layout is known.
    void place();

private:
    QCPItemText* addName(const QColor& color);
    /// Which of those drawn have room for a name, one under the other, and whether how many have none is said below.
    [[nodiscard]] std::vector<std::size_t> named() const;

    struct Mark {
        QCPItemLine* line;   ///< across the chart
        QCPItemLine* leader; ///< from there to the name
        QCPItemText* name;
    };

    QCustomPlot& m_plot;
    QCPAxisRect& m_chart;
    std::vector<NamedTime> m_baselines, m_shown;
    std::vector<Mark> m_marks;
    QCPItemText* m_more = nullptr; ///< says how many are not named
    QColor m_moreColor;
    bool m_all = false;
};

} // namespace opscape
