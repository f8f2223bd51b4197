// SPDX-License-Identifier: MIT
#include "gui/views/compare_schedules.h"

#include "gui/words.h"

#include <opscape/base/units.h>

#include <QVBoxLayout>

#include <algorithm>

namespace opscape {

namespace {

constexpr int kLeastHeight = 70; ///< of one of four, in a window 700 pixels high

} // namespace

CompareSchedules::CompareSchedules(Session& session, const Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_split(new QSplitter(Qt::Vertical)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_split);
}

void CompareSchedules::setRuns(const std::vector<ShownRunPtr>& runs) {
    while (m_charts.size() > runs.size()) {
        delete m_charts.back()->parentWidget();
        m_charts.pop_back();
        m_titles.pop_back();
    }
    while (m_charts.size() < runs.size())
        addChart();
    std::int64_t shortest = 0, longest = 0;
    for (const ShownRunPtr& run : runs) {
        const std::int64_t own = run->outcome->schedule.makespanNs;
        shortest = run == runs.front() ? own : std::min(shortest, own);
        longest = std::max(longest, own);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const ShownRun& run = *runs[i];
        const std::int64_t own = run.outcome->schedule.makespanNs;
        GanttWidget* chart = m_charts[i];
        m_titles[i]->setText(
            QStringLiteral("%1  %2  ·  %3 a step  ·  %4")
                .arg(QString::number(i + 1), methodText(run), qs(formatTime(own)), clusterText(run.cluster())));
        chart->setAccessibleName(tr("Schedule of %1  %2").arg(QString::number(i + 1), methodText(run)));
        // An edited plan, and what it is compared with, leave the view where it is.
        const GanttCamera before = chart->camera();
        const bool stays = chart->run() && chart->run()->outcome->opened == run.outcome->opened && !m_fitted;
        if (chart->run() != runs[i])
            chart->setRun(runs[i]);
        chart->setSpan(longest); // and with it all of it is seen
        if (stays)
            chart->follow(before.startNs, before.nsPerPixel, false);
        // The fastest plan shows where the slowest ends, the others where the fastest does.
        chart->setMark(shortest == longest ? -1 : own == shortest ? longest : shortest);
    }
}

void CompareSchedules::addChart() {
    auto* box = new QWidget;
    auto* title = new QLabel;
    title->setTextFormat(Qt::PlainText);
    title->setContentsMargins(10, 3, 10, 3);
    title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* chart = new GanttWidget(m_session, m_look);
    chart->setObjectName(QStringLiteral("compareGantt"));
    chart->setMinimumHeight(kLeastHeight);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(title);
    layout->addWidget(chart, 1);
    m_split->addWidget(box);
    m_charts.push_back(chart);
    m_titles.push_back(title);
    connect(chart, &GanttWidget::moved, this, [this, chart](double startNs, double nsPerPixel, bool fitted) {
        emit moved(chart, startNs, nsPerPixel, fitted);
    });
}

void CompareSchedules::follow(const QWidget* leader, double startNs, double nsPerPixel, bool fitted) {
    m_fitted = fitted;
    for (GanttWidget* chart : m_charts) {
        if (chart != leader)
            chart->follow(startNs, nsPerPixel, fitted);
    }
}

GanttWidget* CompareSchedules::current() const {
    for (GanttWidget* chart : m_charts) {
        if (chart->hasFocus())
            return chart;
    }
    return m_charts.empty() ? nullptr : m_charts.front();
}

} // namespace opscape
