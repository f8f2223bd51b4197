// SPDX-License-Identifier: MIT
// Numbered views of a graph that a person keeps, and what is marked in its schedules, by the graph's content, from one
// window to the next. Of the graphs that have some, the ones used least lately are forgotten.
#pragma once

#include "gui/views/view_history.h"
#include "render/gantt_picture.h"
#include "service/workbench.h"

#include <QSettings>

namespace opscape {

class KeptViews {
public:
    static constexpr qsizetype kMostGraphs = 40;

    explicit KeptViews(QSettings& settings) : m_settings(settings) {}

    void keep(const OpenedGraph& opened, int number, const GraphPlace& place);
    /// None where nothing was kept, or the graph's groups are no longer those of then.
    [[nodiscard]] std::optional<GraphPlace> find(const OpenedGraph& opened, int number) const;

    /// What a person marked in a schedule: moments by name, and a range of time.
    struct TimeMarks {
        std::vector<TimeMark> marks;
        std::optional<TimeRange> range;
        friend bool operator==(const TimeMarks&, const TimeMarks&) = default;
    };
    void keepMarks(const OpenedGraph& opened, const TimeMarks& marks);
    [[nodiscard]] TimeMarks marks(const OpenedGraph& opened) const;

private:
    void used(const QString& graph);

    QSettings& m_settings;
};

} // namespace opscape
