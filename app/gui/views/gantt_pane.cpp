// SPDX-License-Identifier: MIT
#include "gui/views/gantt_pane.h"

#include "gui/shown_text.h"
#include "gui/views/kept_views.h"
#include "gui/widgets/pane_command.h"
#include "gui/words.h"

#include <opscape/base/units.h>

#include <QSplitter>
#include <QVBoxLayout>

namespace opscape {
namespace {

constexpr double kZoomStep = 1.5;
constexpr double kPanStep = 0.2;
constexpr int kDetailsWidth = 380;

QString laneKey(const QString& cluster, const char* what) {
    return QStringLiteral("schedule/lanes/%1/%2").arg(cluster, QLatin1String(what));
}

template <class Keys>
QStringList toList(const Keys& keys) {
    QStringList list;
    for (const std::string& key : keys)
        list << qs(key);
    return list;
}

template <class Keys>
void fromList(const QStringList& list, Keys& keys) {
    for (const QString& key : list)
        keys.insert(keys.end(), key.toStdString());
}

} // namespace

GanttPane::GanttPane(Session& session, Look& look, QSettings* settings, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_settings(settings),
      m_header(new PaneHeader(tr("Schedule"))),
      m_canvas(new GanttWidget(session, look)),
      m_find(new FindBar(session, look, nullptr, QStringLiteral("scheduleFind"))),
      m_details(new GanttDetails(session, *m_canvas)) {
    auto* split = new QSplitter(Qt::Horizontal);
    split->addWidget(m_canvas);
    split->addWidget(m_details);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 0);
    split->setCollapsible(0, false);
    m_details->setMinimumWidth(240);
    m_details->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_find);
    layout->addWidget(split, 1);
    setFocusProxy(m_canvas);
    m_canvas->setNotice(tr("No schedule yet: open a graph, and it is placed and simulated at once."));
    makeCommands();
    connect(m_find, &FindBar::closed, m_canvas, qOverload<>(&QWidget::setFocus));
    connect(m_find, &FindBar::marksChanged, this,
            [this] { m_canvas->setFound(m_find->isVisible() ? m_find->found() : std::vector<OpId>()); });
    connect(m_canvas, &GanttWidget::memoryAsked, this, [this](DeviceId device, qint64 ns) {
        showDetails(GanttDetails::Memory);
        m_details->showMemory(device, ns);
    });
    connect(m_canvas, &GanttWidget::rangeChanged, this, [this] {
        if (m_canvas->range())
            showDetails(GanttDetails::Range);
    });
    connect(m_canvas, &GanttWidget::lanesChanged, this, &GanttPane::keepLanes);
    connect(m_canvas, &GanttWidget::marksChanged, this, &GanttPane::keepMarks);
    connect(m_canvas, &GanttWidget::rangeChanged, this, &GanttPane::keepMarks);
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
    m_showDetails = command(tr("&Lists beside it"), QStringLiteral("info"), {Qt::Key_I}, [] {});
    m_showDetails->setCheckable(true);
    connect(m_showDetails, &QAction::toggled, this, [this](bool on) {
        m_details->setVisible(on);
        if (on && m_details->width() < kDetailsWidth)
            qobject_cast<QSplitter*>(m_canvas->parentWidget())->setSizes({width() - kDetailsWidth, kDetailsWidth});
    });
    command(tr("Fin&d in the schedule"), {}, {Qt::Key_Slash}, [this] { m_find->open(); });
    m_commands << nullptr;
    auto* in = command(tr("Zoom &in"), QStringLiteral("zoom-in"), {Qt::Key_W, Qt::Key_Plus},
                       [this] { m_canvas->zoomBy(kZoomStep); });
    auto* out = command(tr("Zoom &out"), QStringLiteral("zoom-out"), {Qt::Key_S, Qt::Key_Minus},
                        [this] { m_canvas->zoomBy(1 / kZoomStep); });
    command(tr("&Earlier"), {}, {Qt::Key_A}, [this] { m_canvas->panBy(-kPanStep); });
    command(tr("L&ater"), {}, {Qt::Key_D}, [this] { m_canvas->panBy(kPanStep); });
    auto* fit = command(tr("&Fit"), QStringLiteral("fit"), {Qt::Key_Space, Qt::Key_Home}, [this] { m_canvas->fit(); });
    command(tr("Centre on the &selection, then zoom to it"), {}, {Qt::Key_F},
            [this] { m_canvas->centreOnSelection(); });
    m_commands << nullptr;
    command(tr("&Next bar"), {}, {Qt::Key_Period}, [this] { m_canvas->stepBar(1); });
    command(tr("&Previous bar"), {}, {Qt::Key_Comma}, [this] { m_canvas->stepBar(-1); });
    command(tr("To what it &waited for"), {}, {Qt::Key_BracketLeft}, [this] { m_canvas->stepToCause(); });
    command(tr("To what waits &for it"), {}, {Qt::Key_BracketRight}, [this] { m_canvas->stepToEffect(); });
    m_commands << nullptr;
    command(tr("&Mark this moment"), {}, {Qt::Key_M}, [this] {
        m_canvas->addMark();
        m_details->setCurrentIndex(GanttDetails::Marks);
    });
    command(tr("Meas&ure"), {}, {Qt::Key_R}, [this] { m_canvas->measure(); });
    command(tr("Statis&tics of the selected time"), {}, {Qt::Key_T}, [this] { m_canvas->rangeOfSelection(); });
    command(tr("Clear range, ruler and what is looked at"), {}, {}, [this] { m_canvas->clearLooks(); });
    m_commands << nullptr;
    makeLaneCommands();
    for (QAction* action : {critical, m_showDetails, in, out, fit})
        m_header->addTool(action);
}

void GanttPane::makeLaneCommands() {
    command(tr("Move the lane &up"), {}, {Qt::ALT | Qt::Key_Up}, [this] { m_canvas->moveLane(-1); });
    command(tr("Move the lane d&own"), {}, {Qt::ALT | Qt::Key_Down}, [this] { m_canvas->moveLane(1); });
    command(tr("Pin the lane to the top, or not"), {}, {Qt::Key_K}, [this] { m_canvas->pinLane(); });
    command(tr("&Hide the lane"), {}, {Qt::Key_X}, [this] { m_canvas->hideLane(); });
    command(tr("All lanes as they &were"), {}, {Qt::SHIFT | Qt::Key_X}, [this] { m_canvas->setLanes({}); });
    command(tr("Choose lanes, and their order"), {}, {Qt::Key_L}, [this] {
        showDetails(GanttDetails::Lanes);
        m_details->lanes().tree().setFocus(Qt::ShortcutFocusReason);
    });
}

void GanttPane::showDetails(int page) {
    m_details->setCurrentIndex(page);
    m_showDetails->setChecked(true);
}

void GanttPane::setColours(std::shared_ptr<const OpColours> colours, const ShownRunPtr& of, int isolated) {
    m_colours = std::move(colours);
    m_coloured = of;
    m_isolated = isolated;
    applyColours();
}

void GanttPane::applyColours() {
    // Those of another run of this graph hold until the new ones are there, unless they say where an op runs.
    const ShownRunPtr& run = m_session.shown();
    const bool isOwn = run && m_colours && m_coloured == run;
    const bool isKin = run && m_colours && m_coloured && m_coloured->outcome->opened == run->outcome->opened &&
                       m_colours->by() != ColourBy::Device;
    m_canvas->setColours(isOwn || isKin ? m_colours : nullptr,
                         m_colours && (isOwn || isKin || m_colours->by() == ColourBy::Device) ? m_isolated : -1);
}

void GanttPane::readLanes() {
    const ShownRun* run = m_session.shown().get();
    const QString cluster = run != nullptr ? qs(run->cluster().id()) : QString();
    if (cluster == m_cluster || m_settings == nullptr || run == nullptr)
        return;
    LaneChoice choice;
    fromList(m_settings->value(laneKey(cluster, "order")).toStringList(), choice.order);
    fromList(m_settings->value(laneKey(cluster, "hidden")).toStringList(), choice.hidden);
    fromList(m_settings->value(laneKey(cluster, "pinned")).toStringList(), choice.pinned);
    fromList(m_settings->value(laneKey(cluster, "wanted")).toStringList(), choice.wanted);
    m_cluster.clear(); // what is read is not kept again
    m_canvas->setLanes(std::move(choice));
    m_cluster = cluster;
}

void GanttPane::keepLanes() {
    if (m_settings == nullptr || m_cluster.isEmpty())
        return;
    const LaneChoice& choice = m_canvas->lanes();
    m_settings->setValue(laneKey(m_cluster, "order"), toList(choice.order));
    m_settings->setValue(laneKey(m_cluster, "hidden"), toList(choice.hidden));
    m_settings->setValue(laneKey(m_cluster, "pinned"), toList(choice.pinned));
    m_settings->setValue(laneKey(m_cluster, "wanted"), toList(choice.wanted));
}

void GanttPane::readMarks() {
    if (m_settings == nullptr)
        return;
    const KeptViews::TimeMarks kept = KeptViews(*m_settings).marks(*m_session.shown()->outcome->opened);
    const bool detailed = !m_details->isHidden();
    m_canvas->setMarks(kept.marks);
    m_canvas->setRange(kept.range);
    if (!detailed && kept.range)
        m_showDetails->setChecked(false); // it is there, but was not asked for just now
}

void GanttPane::keepMarks() {
    if (m_settings != nullptr && m_marked)
        KeptViews(*m_settings).keepMarks(*m_marked, {m_canvas->marks(), m_canvas->range()});
}

void GanttPane::shownChanged() {
    const ShownRun* run = m_session.shown().get();
    readLanes();
    applyColours();
    const std::shared_ptr<const OpenedGraph> opened = run != nullptr ? run->outcome->opened : nullptr;
    const bool isOther = opened != m_marked;
    if (isOther)
        m_marked.reset(); // what the canvas forgets now is not forgotten for the graph before
    m_canvas->setRun(m_session.shown());
    if (isOther) {
        if (opened)
            readMarks();
        m_marked = opened;
    }
    m_canvas->setFound(m_find->isVisible() ? m_find->found() : std::vector<OpId>());
    m_details->refresh();
    m_header->setRemark(run == nullptr ? QString()
                                       : tr("%1 on %2; %3 a step, %4")
                                             .arg(methodText(*run), clusterText(run->cluster()),
                                                  qs(formatTime(run->outcome->schedule.makespanNs)),
                                                  countedText(run->outcome->schedule.transfers.size(), "transfer")));
}

} // namespace opscape
