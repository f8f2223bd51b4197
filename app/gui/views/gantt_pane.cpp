// SPDX-License-Identifier: MIT
#include "gui/views/gantt_pane.h"

#include "gui/widgets/pane_command.h"
#include "gui/words.h"

#include <opscape/base/units.h>

#include <QVBoxLayout>

namespace opscape {
namespace {

constexpr double kZoomStep = 1.5;
constexpr double kPanStep = 0.2;

} // namespace

GanttPane::GanttPane(Session& session, Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_header(new PaneHeader(tr("Schedule"))),
      m_canvas(new GanttWidget(session, look)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_canvas);
    setFocusProxy(m_canvas);
    m_canvas->setNotice(tr("No schedule yet: open a graph, and it is placed and simulated at once."));
    makeCommands();
    connect(&session, &Session::shownChanged, this, &GanttPane::shownChanged);
}

QAction* GanttPane::command(const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                            const std::function<void()>& act) {
    QAction* action = addPaneCommand(this, m_canvas, m_look, text, icon, keys, act);
    m_commands << action;
    return action;
}

void GanttPane::makeCommands() {
    auto* critical = command(tr("&Critical path"), QStringLiteral("critical"), {Qt::Key_P}, [] {});
    critical->setCheckable(true);
    connect(critical, &QAction::toggled, m_canvas, &GanttWidget::showCritical);
    m_commands << nullptr;
    auto* in = command(tr("Zoom &in"), QStringLiteral("zoom-in"), {Qt::Key_W, Qt::Key_Plus},
                       [this] { m_canvas->zoomBy(kZoomStep); });
    auto* out = command(tr("Zoom &out"), QStringLiteral("zoom-out"), {Qt::Key_S, Qt::Key_Minus},
                        [this] { m_canvas->zoomBy(1 / kZoomStep); });
    command(tr("&Earlier"), {}, {Qt::Key_A}, [this] { m_canvas->panBy(-kPanStep); });
    command(tr("&Later"), {}, {Qt::Key_D}, [this] { m_canvas->panBy(kPanStep); });
    auto* fit = command(tr("&Fit"), QStringLiteral("fit"), {Qt::Key_Space, Qt::Key_Home}, [this] { m_canvas->fit(); });
    command(tr("Centre on the &selection, then zoom to it"), {}, {Qt::Key_F},
            [this] { m_canvas->centreOnSelection(); });
    m_commands << nullptr;
    command(tr("&Next bar"), {}, {Qt::Key_Period}, [this] { m_canvas->stepBar(1); });
    command(tr("&Previous bar"), {}, {Qt::Key_Comma}, [this] { m_canvas->stepBar(-1); });
    for (QAction* action : {critical, in, out, fit})
        m_header->addTool(action);
}

void GanttPane::shownChanged() {
    const ShownRun* run = m_session.shown().get();
    m_canvas->setRun(m_session.shown());
    m_header->setRemark(
        run == nullptr
            ? QString()
            : tr("%1 on %2; %3 a step, %4 transfers")
                  .arg(methodText(*run), clusterText(run->cluster()), qs(formatTime(run->outcome->schedule.makespanNs)),
                       qs(formatCount(static_cast<std::int64_t>(run->outcome->schedule.transfers.size())))));
}

} // namespace opscape
