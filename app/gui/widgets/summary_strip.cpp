// SPDX-License-Identifier: MIT
#include "gui/widgets/summary_strip.h"

#include "gui/shown_text.h"
#include "service/file_plan.h"

#include <opscape/base/units.h>

#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>

namespace opscape {
namespace {

QString peakTip(const ShownRun& run) {
    QStringList lines;
    const auto& devices = run.outcome->schedule.devices;
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const std::int64_t capacity = run.cluster().kindOf(DeviceId(d)).memoryBytes;
        lines << QStringLiteral("%1: %2%3")
                     .arg(deviceText(run.cluster(), DeviceId(d)), qs(formatBytes(devices[d].peakBytes)),
                          capacity > 0 ? QStringLiteral(" of %1").arg(qs(formatBytes(capacity))) : QString());
    }
    return lines.join(u'\n');
}

} // namespace

std::vector<Figure> summaryFigures(const OpenedGraph* opened, const ShownRun* run) {
    const QString dash = QStringLiteral("–");
    std::vector<Figure> figures{{SummaryStrip::tr("Graph"), dash, {}},       {SummaryStrip::tr("Step time"), dash, {}},
                                {SummaryStrip::tr("Lower bound"), dash, {}}, {SummaryStrip::tr("Gap"), dash, {}},
                                {SummaryStrip::tr("Peak memory"), dash, {}}, {SummaryStrip::tr("Moved"), dash, {}},
                                {SummaryStrip::tr("Optimizer"), dash, {}},   {SummaryStrip::tr("Cluster"), dash, {}},
                                {SummaryStrip::tr("Links"), dash, {}}};
    if (opened != nullptr) {
        const Graph& graph = *opened->graph;
        figures[0].value = seen(graph.name());
        figures[0].tip = QStringLiteral("%1\n%2, %3")
                             .arg(seen(opened->path.empty() ? graph.name() : opened->path),
                                  countedText(graph.opCount(), "op"), countedText(graph.edgeCount(), "edge"));
    }
    if (run == nullptr)
        return figures;
    const Schedule& schedule = run->outcome->schedule;
    const Bounds& bounds = run->outcome->bounds;
    figures[1].value = stepTimeText(*run);
    figures[1].tip = SummaryStrip::tr("Time of one step as simulated");
    if (run->start != nullptr)
        figures[1].tip += SummaryStrip::tr("\nThe start, %1: %2")
                              .arg(methodText(*run->start), qs(formatTime(run->start->outcome->schedule.makespanNs)));
    figures[2].value = qs(formatTime(bounds.bestNs));
    figures[2].tip = SummaryStrip::tr("No plan can be faster: %1").arg(qs(bounds.bestName));
    figures[3].value = gapText(schedule.makespanNs, bounds.bestNs);
    figures[3].tip = SummaryStrip::tr("How far the step time is above the lower bound");
    figures[4].value = qs(formatBytes(schedule.peakBytes));
    figures[4].tip = peakTip(*run);
    if (!schedule.feasible) {
        figures[4].value = SummaryStrip::tr("%1, too much").arg(figures[4].value);
        figures[4].tip = qs(outOfMemoryReport(run->cluster(), schedule));
        figures[4].alarming = true;
    }
    figures[5].value = qs(formatBytes(schedule.bytesMoved));
    figures[5].tip = SummaryStrip::tr("Bytes sent between devices in one step, in %1 transfers")
                         .arg(qs(formatCount(static_cast<std::int64_t>(schedule.transfers.size()))));
    figures[6].value = methodText(*run);
    figures[6].tip = run->start && run->outcome->run.id == 0
                         ? SummaryStrip::tr("Edited by hand; not kept as a run until it is saved")
                     : run->goesOn  ? SummaryStrip::tr("A preview: the best plan so far of a run that goes on")
                     : run->preview ? SummaryStrip::tr("Placed when the graph was opened; not kept as a run")
                                    : SummaryStrip::tr("Kept under Runs");
    if (run->outcome->run.optimizer == kAsInFile && !run->start)
        figures[6].tip = qs(run->outcome->run.notes) + u'\n' + figures[6].tip;
    figures[7].value = qs(run->cluster().id());
    figures[7].tip = qs(run->cluster().title());
    figures[8].value = qs(toString(run->cluster().linkModel()));
    figures[8].tip = SummaryStrip::tr(
        "How transfers share a channel: none is without contention, fifo one at a time, fair an even share");
    return figures;
}

SummaryStrip::SummaryStrip(Session& session, Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look) {
    setObjectName(QStringLiteral("summaryStrip"));
    setAccessibleName(tr("Summary"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 5, 14, 6);
    layout->setSpacing(26);
    for (const Figure& figure : summaryFigures(nullptr, nullptr)) {
        auto* column = new QVBoxLayout;
        column->setSpacing(0);
        auto* title = new QLabel(figure.title);
        auto* value = new QLabel(figure.value);
        title->setEnabled(false);
        QFont small = title->font();
        small.setPointSizeF(small.pointSizeF() * 0.88);
        title->setFont(small);
        QFont bold = value->font();
        bold.setBold(true);
        bold.setPointSizeF(bold.pointSizeF() * 1.06);
        value->setFont(bold);
        value->setTextFormat(Qt::PlainText);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        value->setFocusPolicy(Qt::NoFocus);
        value->setAccessibleName(figure.title);
        value->setObjectName(QStringLiteral("figure%1").arg(m_values.size()));
        column->addWidget(title);
        column->addWidget(value);
        layout->addLayout(column);
        m_titles.push_back(title);
        m_values.push_back(value);
    }
    layout->addStretch(1);
    connect(&session, &Session::openedChanged, this, &SummaryStrip::refresh);
    connect(&session, &Session::shownChanged, this, &SummaryStrip::refresh);
    connect(&look, &Look::changed, this, &SummaryStrip::refresh);
}

void SummaryStrip::refresh() {
    constexpr int kWidest = 330;
    const auto figures = summaryFigures(m_session.opened().get(), m_session.shown().get());
    for (std::size_t i = 0; i < figures.size(); ++i) {
        m_values[i]->setText(m_values[i]->fontMetrics().elidedText(figures[i].value, Qt::ElideMiddle, kWidest));
        m_values[i]->setToolTip(figures[i].tip);
        m_titles[i]->setToolTip(figures[i].tip);
        m_values[i]->setStyleSheet(figures[i].alarming ? QStringLiteral("color: %1").arg(m_look.error().name())
                                                       : QString());
    }
}

void SummaryStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    painter.setPen(m_look.border());
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

} // namespace opscape
