// SPDX-License-Identifier: MIT
// The schedules of the compared plans one above the other on one time axis; whichever is moved, the others follow.
#pragma once

#include "gui/look.h"
#include "gui/views/gantt_widget.h"

#include <QLabel>
#include <QSplitter>

namespace opscape {

class CompareSchedules : public QWidget {
    Q_OBJECT
public:
    CompareSchedules(Session& session, const Look& look, QWidget* parent = nullptr);

    void setRuns(const std::vector<ShownRunPtr>& runs);
    [[nodiscard]] const std::vector<GanttWidget*>& charts() const { return m_charts; }
    /// The one that has the focus, else the first; null when there is none.
    [[nodiscard]] GanttWidget* current() const;
    /// All but the leader, which may be null, look there.
    void follow(const QWidget* leader, double startNs, double nsPerPixel, bool fitted);

signals:
    void moved(QWidget* chart, double startNs, double nsPerPixel, bool fitted);

private:
    void addChart();

    Session& m_session;
    const Look& m_look;
    QSplitter* m_split;
    std::vector<GanttWidget*> m_charts;
    std::vector<QLabel*> m_titles;
    bool m_fitted = true;
};

} // namespace opscape
