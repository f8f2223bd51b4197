// SPDX-License-Identifier: MIT
// What matters most of the schedule that is shown, always in view: step time, bound, gap, memory, traffic, and under
// which cluster, links and optimizer they hold.
#pragma once

#include "gui/look.h"
#include "gui/session.h"

#include <QLabel>
#include <QWidget>

#include <vector>

namespace opscape {

/// Title and value of each figure, in order; also for the text report. Values are dashes where nothing is shown.
struct Figure {
    QString title, value, tip;
    bool alarming = false;
};
[[nodiscard]] std::vector<Figure> summaryFigures(const OpenedGraph* opened, const ShownRun* run);

class SummaryStrip : public QWidget {
    Q_OBJECT
public:
    SummaryStrip(Session& session, Look& look, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    Session& m_session;
    Look& m_look;
    std::vector<QLabel*> m_titles, m_values;
};

} // namespace opscape
