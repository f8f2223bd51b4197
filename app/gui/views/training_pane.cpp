// SPDX-License-Identifier: MIT
#include "gui/views/training_pane.h"

#include "gui/shown_text.h"
#include "gui/widgets/pane_command.h"
#include "gui/words.h"
#include "service/curve_csv.h"
#include "service/run_control.h"

#include <opscape/base/units.h>

#include <QAction>
#include <QFileDialog>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <array>

namespace opscape {
namespace {

constexpr double kZoomStep = 1.5, kPanStep = 0.2;
constexpr std::ptrdiff_t kLeap = 20; ///< points
constexpr std::size_t kMostOffered = 200, kMostOverlaid = 12;
constexpr std::array kSmoothings{0.0, 0.8, 0.97}; ///< weights, as in the box

} // namespace

TrainingPane::TrainingPane(Session& session, Look& look, QSettings* settings, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_settings(settings),
      m_header(new PaneHeader(tr("Training"))),
      m_choice(new QComboBox),
      m_axis(new QComboBox),
      m_smoothing(new QComboBox),
      m_stack(new QStackedWidget),
      m_plot(new TrainingPlot(look)),
      m_table(new CurveTable),
      m_hint(new QLabel) {
    m_choice->setObjectName(QStringLiteral("trainingRun"));
    m_choice->setAccessibleName(tr("Run whose training is shown"));
    m_choice->setToolTip(tr("Run whose training is shown"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setFixedWidth(270); // "Run 1234  ·  go  ·  rnnlm4  ·  learning"
    m_axis->setObjectName(QStringLiteral("trainingAxis"));
    m_axis->setAccessibleName(tr("Horizontal axis"));
    m_axis->setToolTip(tr("Horizontal axis  (X)"));
    m_axis->addItems({tr("by update"), tr("by time"), tr("by simulation")});
    m_smoothing->setObjectName(QStringLiteral("trainingSmoothing"));
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothing->setToolTip(tr("Smoothing  (M)"));
    m_smoothing->addItems({tr("as it is"), tr("smooth"), tr("smoother")});
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_hint->setEnabled(false);
    m_hint->setMargin(24);
    m_hint->setFocusPolicy(Qt::StrongFocus);
    m_hint->setAccessibleName(tr("Training"));
    m_stack->addWidget(m_hint);
    auto* halves = new QSplitter(Qt::Vertical);
    halves->addWidget(m_plot);
    halves->addWidget(m_table);
    halves->setStretchFactor(0, 3);
    halves->setStretchFactor(1, 1);
    halves->setChildrenCollapsible(false);
    halves->setFocusProxy(m_plot);
    m_table->hide();
    m_stack->addWidget(halves);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    m_header->addTool(m_choice);
    m_header->addTool(m_axis);
    m_header->addTool(m_smoothing);
    makeCommands();
    connect(m_choice, &QComboBox::activated, this, &TrainingPane::choose);
    connect(m_plot, &TrainingPlot::readingChanged, this, &TrainingPane::fillTable);
    connect(m_axis, &QComboBox::currentIndexChanged, m_plot,
            [this](int axis) { m_plot->setAxis(static_cast<CurveAxis>(axis)); });
    connect(m_smoothing, &QComboBox::currentIndexChanged, m_plot,
            [this](int item) { m_plot->setSmoothing(kSmoothings[static_cast<std::size_t>(item)]); });
    connect(&session, &Session::openedChanged, this, &TrainingPane::follow);
    connect(&session, &Session::shownChanged, this, [this] {
        if (m_session.shown() && m_session.shown()->outcome->run.learns)
            m_chosen = m_session.shown()->outcome->run.id; // the person looks at that one now
        follow();
    });
    refresh();
}

QAction* TrainingPane::command(const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                               const std::function<void()>& act) {
    QAction* action = addPaneCommand(this, m_plot, m_look, text, icon, keys, act);
    m_commands << action;
    return action;
}

QAction* TrainingPane::choice(const QString& text, const QString& icon, const QKeySequence& key, const char* name) {
    QAction* action = command(text, icon, {key}, [] {});
    const QString kept = QString::fromLatin1(name);
    action->setCheckable(true);
    action->setChecked(m_settings != nullptr && m_settings->value(kept).toBool());
    connect(action, &QAction::toggled, this, [this, kept](bool on) {
        if (m_settings != nullptr)
            m_settings->setValue(kept, on);
    });
    return action;
}

void TrainingPane::makeCommands() {
    command(tr("Next horizontal &axis"), {}, {Qt::Key_X},
            [this] { m_axis->setCurrentIndex((m_axis->currentIndex() + 1) % m_axis->count()); });
    auto* logarithmic = choice(tr("&Logarithmic"), QStringLiteral("log"), Qt::Key_L, "training/logarithmic");
    connect(logarithmic, &QAction::toggled, m_plot, &TrainingPlot::setLogarithmic);
    auto* along = choice(tr("Logarithmic hori&zontal axis"), {}, Qt::SHIFT | Qt::Key_L, "training/logarithmicAxis");
    connect(along, &QAction::toggled, m_plot, &TrainingPlot::setAxisLogarithmic);
    m_plot->setLogarithmic(logarithmic->isChecked());
    m_plot->setAxisLogarithmic(along->isChecked());
    command(tr("Next s&moothing"), {}, {Qt::Key_M},
            [this] { m_smoothing->setCurrentIndex((m_smoothing->currentIndex() + 1) % m_smoothing->count()); });
    auto* all = command(tr("All &baselines"), {}, {Qt::Key_B}, [] {});
    all->setCheckable(true);
    connect(all, &QAction::toggled, m_plot, &TrainingPlot::showAllBaselines);
    m_commands << nullptr;
    auto* in = command(tr("Zoom &in"), QStringLiteral("zoom-in"), {Qt::Key_W, Qt::Key_Plus},
                       [this] { m_plot->zoomBy(kZoomStep); });
    auto* out = command(tr("Zoom &out"), QStringLiteral("zoom-out"), {Qt::Key_S, Qt::Key_Minus},
                        [this] { m_plot->zoomBy(1 / kZoomStep); });
    command(tr("&Earlier"), {}, {Qt::Key_A}, [this] { m_plot->panBy(-kPanStep); });
    command(tr("La&ter"), {}, {Qt::Key_D}, [this] { m_plot->panBy(kPanStep); });
    auto* fit = command(tr("&Fit"), QStringLiteral("fit"), {Qt::Key_Space}, [this] { m_plot->fit(); });
    m_commands << nullptr;
    command(tr("&Next point"), {}, {Qt::Key_Right}, [this] { m_plot->stepReading(1); });
    command(tr("&Previous point"), {}, {Qt::Key_Left}, [this] { m_plot->stepReading(-1); });
    command(tr("Twenty points &later"), {}, {Qt::SHIFT | Qt::Key_Right}, [this] { m_plot->stepReading(kLeap); });
    command(tr("Twenty points ea&rlier"), {}, {Qt::SHIFT | Qt::Key_Left}, [this] { m_plot->stepReading(-kLeap); });
    command(tr("Read the last point a&gain"), {}, {Qt::Key_End}, [this] { m_plot->readLast(); });
    m_commands << nullptr;
    auto* table = command(tr("&Table of figures"), QStringLiteral("table"), {Qt::Key_F}, [] {});
    table->setCheckable(true);
    connect(table, &QAction::toggled, this, [this](bool on) {
        m_table->setVisible(on);
        fillTable();
    });
    m_pause = command({}, {}, {Qt::Key_P}, [this] { pauseOrGoOn(); });
    connect(&m_look, &Look::changed, m_pause, [this] { m_pause->setIcon(m_look.icon(m_pauseIcon)); });
    m_stop = command(tr("&Stop the training"), QStringLiteral("stop"), {Qt::Key_T}, [this] { stop(); });
    m_commands << nullptr;
    auto* toFile = command(tr("E&xport the curve…"), QStringLiteral("export"), {Qt::CTRL | Qt::SHIFT | Qt::Key_S},
                           [this] { askWhereTo(); });
    for (QAction* action : {m_pause, m_stop, table, logarithmic, in, out, fit, toFile})
        m_header->addTool(action);
}

const RunRecord* TrainingPane::find(qint64 run) const {
    const auto it = std::ranges::find(m_runs, run, &RunRecord::id);
    return it == m_runs.end() ? nullptr : &*it;
}

qint64 TrainingPane::pick() const {
    if (m_chosen != 0 && find(m_chosen) != nullptr)
        return m_chosen;
    for (const RunRecord& run : m_runs) {
        if (run.status == RunStatus::Running && m_session.opened() &&
            run.graphHash == m_session.opened()->graph->hash())
            return run.id;
    }
    const qint64 shown = m_session.shown() ? m_session.shown()->outcome->run.id : 0;
    return find(shown) != nullptr ? shown : 0;
}

void TrainingPane::setRuns(const RunList& runs) {
    const RunRecord* before = find(m_followed);
    const bool ran = before != nullptr && before->status == RunStatus::Running;
    m_runs.clear();
    for (const RunRecord& run : *runs) {
        if (run.learns && m_runs.size() < kMostOffered)
            m_runs.push_back(run);
    }
    const qint64 newest = m_runs.empty() ? 0 : m_runs.front().id;
    if (newest > m_newest && m_newest >= 0) {
        if (m_runs.front().status == RunStatus::Running)
            m_chosen = 0; // a training has begun
        else if (m_runs.front().status == RunStatus::Interrupted)
            m_chosen = newest; // and died before it was looked at
    }
    m_newest = std::max(m_newest, newest);
    const RunRecord* followed = find(m_followed);
    if (ran && followed != nullptr && followed->status == RunStatus::Interrupted)
        m_chosen = m_followed; // what it died of and how it goes on stays in sight
    fillChoice();
    follow();
}

void TrainingPane::fillChoice() {
    const QSignalBlocker quiet(m_choice);
    m_choice->clear();
    m_choice->setPlaceholderText(m_runs.empty() ? tr("No training yet") : tr("Choose a training"));
    for (const RunRecord& run : m_runs) {
        m_choice->addItem(tr("Run %1  ·  %2  ·  %3%4")
                              .arg(run.id)
                              .arg(qs(run.optimizer), qs(elide(run.graphName, 18)),
                                   run.status == RunStatus::Running ? tr("  ·  learning") : QString()),
                          QVariant::fromValue<qint64>(run.id));
    }
    m_choice->setEnabled(!m_runs.empty());
}

void TrainingPane::choose(int item) {
    m_chosen = m_choice->itemData(item).toLongLong();
    follow();
}

void TrainingPane::pauseOrGoOn() {
    const RunRecord* run = find(m_followed);
    if (run == nullptr)
        return;
    if (run->status == RunStatus::Running)
        m_session.askTraining(run->id, m_paused ? RunWish::Resume : RunWish::Pause);
    else
        m_session.resumeTraining(run->id);
}

void TrainingPane::stop() { m_session.askTraining(m_followed, RunWish::Stop); }

void TrainingPane::enableControl() {
    const RunRecord* run = find(m_followed);
    const bool runs = run != nullptr && run->status == RunStatus::Running;
    const bool resumable = run != nullptr && !runs && run->status != RunStatus::Finished && m_resumable;
    m_pause->setText(runs && !m_paused ? tr("&Pause the training")
                     : runs            ? tr("Let the training go &on")
                                       : tr("&Resume the training"));
    m_pauseIcon = runs && !m_paused ? QStringLiteral("pause") : QStringLiteral("run");
    m_pause->setIcon(m_look.icon(m_pauseIcon));
    m_pause->setEnabled(runs || resumable);
    m_stop->setEnabled(runs);
}

void TrainingPane::fillTable() {
    if (!m_table->isVisibleTo(this))
        return;
    std::vector<CurveTableRow> rows;
    const auto add = [&](qint64 run, const CurveColumns& curve) {
        if (!curve.empty())
            rows.push_back(
                curveRow(run, curve, m_plot->axis(), m_plot->placeRead().value_or(curve.x(m_plot->axis()).back())));
    };
    for (const OverlaidRun& overlaid : m_plot->overlay().runs())
        add(overlaid.run, overlaid.curve);
    if (rows.empty())
        add(m_followed, m_plot->curve());
    m_table->setRows(std::move(rows));
}

void TrainingPane::follow() {
    if (const qint64 run = pick(); run != m_followed) {
        m_followed = run;
        m_paused = m_resumable = false;
        m_plot->clear();
        m_baselines.clear();
        emit followedChanged(run);
    }
    {
        const QSignalBlocker quiet(m_choice);
        m_choice->setCurrentIndex(m_choice->findData(QVariant::fromValue<qint64>(m_followed)));
    }
    refresh();
}

void TrainingPane::addCurve(const CurvePart& part) {
    if (part.run == m_followed) {
        m_paused = part.paused;
        m_resumable = part.resumable;
        if (part.anew) {
            m_plot->clear();
            m_baselines.clear();
        }
    }
    if (part.run != m_followed || part.after < m_plot->curve().size())
        return enableControl();                // asked for before another one was followed
    if (part.after > m_plot->curve().size()) { // the piece before went to the one followed before
        m_plot->clear();
        m_baselines.clear();
        emit followedChanged(m_followed);
        return;
    }
    const auto same = [](const NamedTime& a, const NamedTime& b) { return a.name == b.name && a.ns == b.ns; };
    if (!std::ranges::equal(m_baselines, part.curve.baselines, same)) {
        m_baselines = part.curve.baselines;
        m_plot->setBaselines(m_baselines);
    }
    m_plot->append(part.curve.points);
    refresh();
}

bool TrainingPane::areAlike(const std::vector<qint64>& runs) const {
    const RunRecord* first = runs.empty() ? nullptr : find(runs.front());
    return first != nullptr && std::ranges::all_of(runs, [&](qint64 id) {
               const RunRecord* run = find(id);
               return run != nullptr && run->graphHash == first->graphHash && run->optimizer == first->optimizer;
           });
}

void TrainingPane::overlayRuns(const std::vector<qint64>& runs) {
    std::vector<qint64> learned;
    std::ranges::copy_if(runs, std::back_inserter(learned), [this](qint64 run) { return find(run) != nullptr; });
    if (learned.size() < 2)
        learned.clear();
    if (learned.size() > kMostOverlaid)
        learned.erase(learned.begin(), learned.end() - static_cast<std::ptrdiff_t>(kMostOverlaid)); // the newest stay
    if (learned == m_overlaid)
        return;
    m_overlaid = std::move(learned);
    if (!m_overlaid.empty() && std::ranges::count(m_overlaid, m_followed) == 0)
        m_chosen = m_overlaid.back(); // the one that is read out is one of them
    emit overlayChanged(m_overlaid);
    follow();
}

void TrainingPane::setOverlay(const OverlaidCurves& curves) {
    const auto isAskedFor = [this](const OverlaidCurve& curve) {
        return std::ranges::count(m_overlaid, curve.run) > 0;
    };
    if (curves->size() != m_overlaid.size() || !std::ranges::all_of(*curves, isAskedFor))
        return; // of the runs before
    const auto runOf = [](const auto& curve) { return curve.run; };
    if (!std::ranges::equal(*curves, m_plot->overlay().runs(), {}, runOf, runOf)) {
        std::vector<OverlaidRun> runs;
        for (const OverlaidCurve& curve : *curves)
            runs.push_back({curve.run, {}});
        m_plot->setOverlay(std::move(runs), areAlike(m_overlaid));
    }
    for (std::size_t i = 0; i < curves->size(); ++i) {
        const OverlaidCurve& part = (*curves)[i];
        const bool anew = part.after == 0 && !m_plot->overlay().runs()[i].curve.empty();
        if (!anew && part.after != m_plot->overlay().runs()[i].curve.size()) { // the piece before was of others
            emit overlayChanged(m_overlaid);
            break;
        }
        if (anew || !part.points.empty())
            m_plot->growOverlay(i, part.points, anew);
    }
    refresh();
}

void TrainingPane::askWhereTo() {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export the curve"), QStringLiteral("run%1.csv").arg(m_followed),
                                     tr("Table (*.csv);;Events for TensorBoard (*tfevents*)"));
    if (!path.isEmpty())
        exportCurve(path);
}

void TrainingPane::exportCurve(const QString& path) {
    m_session.jobs().start(
        QStringLiteral("export curve"), tr("Writing %1").arg(path),
        [this, path, run = m_followed, database = m_session.database()](const RunContext&) -> JobRunner::Deliver {
            const auto store = RunStore::open(database);
            const auto written = store ? writeCurve(*store, run, path.toStdString()) : Result<>(fail(store.error()));
            return [this, written, text = tr("The curve of run %1 is in %2.").arg(run).arg(path)] {
                emit m_session.said(written ? Severity::Info : Severity::Error,
                                    written ? text : qs(written.error().message));
            };
        },
        true, this);
}

void TrainingPane::refresh() {
    const RunRecord* run = find(m_followed);
    const bool drawn = run != nullptr && (!m_plot->curve().empty() || !m_plot->baselines().empty());
    const bool hadFocus = m_stack->currentWidget()->hasFocus();
    m_stack->setCurrentIndex(drawn ? 1 : 0);
    setFocusProxy(m_stack->currentWidget());
    if (hadFocus)
        m_stack->currentWidget()->setFocus();
    if (run != nullptr)
        m_hint->setText(tr("Run %1 has begun to learn; its curves appear with its first update.").arg(run->id));
    else if (m_runs.empty())
        m_hint->setText(tr("No training yet. Press Ctrl+R and choose an optimizer that learns, such as GO: its curves "
                           "are drawn here while it learns, and kept with the run."));
    else
        m_hint->setText(tr("The run that is shown, if any, did not learn; choose one that did in the list above."));
    for (QAction* action : m_commands) {
        if (action != nullptr)
            action->setEnabled(drawn);
    }
    enableControl();
    m_axis->setEnabled(drawn);
    m_smoothing->setEnabled(drawn);
    if (run == nullptr)
        return m_header->setRemark({});
    if (!m_overlaid.empty()) {
        QStringList names;
        for (const qint64 id : m_overlaid)
            names << QString::number(id);
        return m_header->setRemark(
            (areAlike(m_overlaid) ? tr("runs %1: each, their mean and their spread") : tr("runs %1"))
                .arg(names.join(QStringLiteral(", "))));
    }
    m_header->setRemark(tr("%1 on %2, %3; %4")
                            .arg(qs(run->optimizer), qs(run->clusterId),
                                 run->status != RunStatus::Running ? qs(toString(run->status))
                                 : m_paused                        ? tr("paused")
                                                                   : tr("learning"),
                                 countedText(m_plot->curve().size(), "update")));
}

} // namespace opscape
