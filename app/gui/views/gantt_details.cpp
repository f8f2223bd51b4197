// SPDX-License-Identifier: MIT
#include "gui/views/gantt_details.h"

#include "gui/shown_text.h"
#include "gui/views/gantt_words.h"
#include "gui/words.h"
#include "render/gantt_statistics.h"

#include <opscape/base/units.h>

#include <QHeaderView>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace opscape {
namespace {

QString time(std::int64_t ns) { return qs(formatTime(ns)); }
QString bytes(std::int64_t n) { return qs(formatBytes(n)); }
QString counted(std::size_t n) { return qs(formatCount(static_cast<std::int64_t>(n))); }

QString share(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? qs(formatPercent(static_cast<double>(part) / static_cast<double>(whole))) : QStringLiteral("–");
}

QString laneText(const GanttData::Lane& lane) {
    QString name = qs(lane.key);
    name[0] = name[0].toUpper();
    return name;
}

constexpr int kNameWidth = 130;

/// Numbers as wide as they are, names in what is left.
class NamesAndNumbers : public QTableView {
public:
    void fitColumns() {
        int others = 0;
        for (int column = 1; column < horizontalHeader()->count(); ++column) {
            resizeColumnToContents(column);
            others += columnWidth(column);
        }
        setColumnWidth(0, std::max(kNameWidth, viewport()->width() - others));
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QTableView::resizeEvent(event);
        fitColumns();
    }
};

/// Names of ops without the groups that they are in: a list has room for little more, and the tooltip has all of it.
QString withoutScopes(QString sentence) {
    static const QRegularExpression scopes(QStringLiteral(R"(([^\s/]+/)+)"));
    return sentence.replace(scopes, QStringLiteral("…/"));
}

bool waits(const CriticalSegment& segment) {
    return segment.kind != CriticalSegment::Kind::Op && segment.kind != CriticalSegment::Kind::Transfer;
}

} // namespace

GanttDetails::List GanttDetails::addList(QLayout* layout, const QString& name, const QString& title) {
    auto* table = new NamesAndNumbers;
    List list{new QLabel, table, new RowsModel(this)};
    list.head->setWordWrap(true);
    list.head->setTextFormat(Qt::PlainText);
    list.head->setObjectName(name + QStringLiteral("Head"));
    list.table->setObjectName(name);
    list.table->setAccessibleName(title);
    list.table->setModel(list.model);
    list.table->setSelectionBehavior(QAbstractItemView::SelectRows);
    list.table->setShowGrid(false);
    list.table->setWordWrap(false);
    list.table->setTabKeyNavigation(false);
    list.table->setTextElideMode(Qt::ElideLeft); // names of one group differ at their ends
    list.table->verticalHeader()->hide();
    list.table->verticalHeader()->setDefaultSectionSize(list.table->fontMetrics().height() + 6);
    list.table->horizontalHeader()->setHighlightSections(false);
    list.table->horizontalHeader()->setDefaultSectionSize(76);
    list.table->horizontalHeader()->setMinimumSectionSize(40);
    connect(list.model, &QAbstractItemModel::modelReset, table, &NamesAndNumbers::fitColumns);
    layout->addWidget(list.head);
    layout->addWidget(list.table);
    return list;
}

GanttDetails::GanttDetails(Session& session, GanttWidget& canvas, QWidget* parent)
    : QTabWidget(parent),
      m_session(session),
      m_canvas(canvas),
      m_lanes(new GanttLaneList(canvas)),
      m_onlyWaits(new QCheckBox(tr("Only &waits"))),
      m_marks(new QTreeWidget) {
    setObjectName(QStringLiteral("scheduleDetails"));
    setDocumentMode(true);
    setUsesScrollButtons(true);
    tabBar()->setAccessibleName(tr("Lists of the schedule"));
    const auto page = [this](const QString& title) {
        auto* widget = new QWidget;
        auto* layout = new QVBoxLayout(widget);
        layout->setContentsMargins(6, 6, 6, 6);
        addTab(widget, title);
        return layout;
    };
    addTab(m_lanes, tr("Lanes"));
    auto* range = page(tr("Range"));
    m_rangeLanes = addList(range, QStringLiteral("rangeLanes"), tr("Lanes in the range"));
    m_rangeOps = addList(range, QStringLiteral("rangeOps"), tr("Ops that take most of the range"));
    auto* path = page(tr("Critical path"));
    m_path = addList(path, QStringLiteral("criticalPath"), tr("Critical path"));
    m_onlyWaits->setObjectName(QStringLiteral("onlyWaits"));
    path->addWidget(m_onlyWaits);
    auto* memory = page(tr("Memory"));
    m_memory = addList(memory, QStringLiteral("aliveTensors"), tr("Tensors in memory"));
    auto* marks = page(tr("Marks"));
    m_marks->setObjectName(QStringLiteral("marks"));
    m_marks->setAccessibleName(tr("Marks"));
    m_marks->setHeaderLabels({tr("Mark"), tr("At")});
    m_marks->setRootIsDecorated(false);
    m_marks->setToolTip(tr("F2 names a mark, Enter goes there, Delete removes it"));
    m_marks->header()->setStretchLastSection(false);
    m_marks->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_marks->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto* remove = new QAction(tr("Remove the mark"), m_marks);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    m_marks->addAction(remove);
    m_marks->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* push = new QPushButton(tr("Remove"));
    marks->addWidget(m_marks);
    marks->addWidget(push);

    for (QTableView* table : {m_rangeLanes.table, m_rangeOps.table, m_path.table})
        table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_path.table->setTextElideMode(Qt::ElideRight);
    connect(remove, &QAction::triggered, this, &GanttDetails::removeMark);
    connect(push, &QPushButton::clicked, this, &GanttDetails::removeMark);
    connect(m_marks, &QTreeWidget::itemChanged, this, &GanttDetails::readMark);
    connect(m_marks, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item) { m_canvas.goTo(item->data(0, Qt::UserRole).toLongLong()); });
    connect(m_rangeOps.table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (now.isValid())
                    m_session.selectOps({m_topOps[static_cast<std::size_t>(now.row())]});
            });
    connect(m_path.table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) { chooseSegment(now.row()); });
    connect(m_memory.table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &GanttDetails::chooseMemory);
    connect(m_onlyWaits, &QCheckBox::toggled, this, &GanttDetails::showPath);
    connect(&canvas, &GanttWidget::rangeChanged, this, &GanttDetails::showRange);
    connect(&canvas, &GanttWidget::marksChanged, this, &GanttDetails::showMarks);
    refresh();
}

void GanttDetails::refresh() {
    m_lanes->refresh();
    showRange();
    showPath();
    showMarks();
    m_alive.clear();
    m_memory.model->setRows({});
    m_memory.head->setText(
        tr("Click into a memory lane, or on the mark of its peak, to list the tensors that are there."));
}

void GanttDetails::showRange() {
    m_topOps.clear();
    const ShownRunPtr run = m_canvas.run();
    if (!run || !m_canvas.range()) {
        m_rangeLanes.model->setRows({});
        m_rangeOps.model->setRows({});
        m_rangeLanes.head->setText(tr("Drag over the schedule, or press T, to see what happens in a range of time."));
        m_rangeOps.head->setText({});
        return;
    }
    auto found = std::make_shared<const RangeStatistics>(rangeStatistics(run->gantt, *m_canvas.range()));
    const TimeRange& range = found->range;
    std::vector<LaneStatistics> lanes;
    for (const LaneStack::Slot& slot : m_canvas.stack().inOrder()) {
        if (slot.isShown)
            lanes.push_back(found->lanes[static_cast<std::size_t>(slot.lane)]);
    }
    m_rangeLanes.head->setText(
        tr("%1, from %2 to %3").arg(time(range.lengthNs()), time(range.fromNs), time(range.toNs)));
    m_rangeLanes.model->setRows({{tr("Lane"), tr("Busy"), tr("Share"), tr("Idle"), tr("Bytes"), tr("Bars")},
                                 static_cast<int>(lanes.size()),
                                 [run, lanes, range](int row, int column) {
                                     const LaneStatistics& of = lanes[static_cast<std::size_t>(row)];
                                     const GanttData::Lane& lane =
                                         run->gantt.lanes()[static_cast<std::size_t>(of.lane)];
                                     const bool isMemory = lane.kind == GanttData::LaneKind::Memory;
                                     if (column == 0)
                                         return laneText(lane);
                                     if (column == 4)
                                         return lane.kind == GanttData::LaneKind::Device ? QString() : bytes(of.bytes);
                                     if (isMemory)
                                         return QString();
                                     return column == 1   ? time(of.busyNs)
                                            : column == 2 ? share(of.busyNs, of.busyNs + of.idleNs)
                                            : column == 3 ? time(of.idleNs)
                                                          : counted(of.bars);
                                 }});
    for (const OpTime& op : found->ops)
        m_topOps.push_back(op.op);
    m_rangeOps.head->setText(
        found->opCount > found->ops.size()
            ? tr("The %1 of %2 ops that take most").arg(found->ops.size()).arg(counted(found->opCount))
            : tr("%1, most time first").arg(countedText(found->opCount, "op")));
    m_rangeOps.model->setRows(
        {{tr("Op"), tr("Time"), tr("Share")}, static_cast<int>(found->ops.size()), [run, found](int row, int column) {
             const OpTime& op = found->ops[static_cast<std::size_t>(row)];
             return column == 0   ? qs(run->problem().graph->op(op.op).name)
                    : column == 1 ? time(op.ns)
                                  : share(op.ns, found->opNs);
         }});
}

void GanttDetails::showPath() {
    m_segments.clear();
    const ShownRunPtr run = m_canvas.run();
    if (!run) {
        m_path.model->setRows({});
        return m_path.head->setText({});
    }
    std::int64_t waitNs = 0;
    for (std::size_t i = 0; i < run->critical.size(); ++i) {
        const CriticalSegment& segment = run->critical[i];
        waitNs += waits(segment) ? segment.endNs - segment.startNs : 0;
        if (!m_onlyWaits->isChecked() || waits(segment))
            m_segments.push_back(static_cast<int>(i));
    }
    m_path.head->setText(tr("%1 of time make up the step of %2; it waits for %3 of that (%4).")
                             .arg(countedText(run->critical.size(), "span"), time(run->outcome->schedule.makespanNs),
                                  time(waitNs), share(waitNs, run->outcome->schedule.makespanNs)));
    const auto segmentAt = [run, rows = m_segments](int row) -> const CriticalSegment& {
        return run->critical[static_cast<std::size_t>(rows[static_cast<std::size_t>(row)])];
    };
    const auto told = [run, segmentAt](int row) {
        return qs(explain(run->problem(), run->outcome->schedule, segmentAt(row)));
    };
    m_path.model->setRows({{tr("At"), tr("For"), tr("What")},
                           static_cast<int>(m_segments.size()),
                           [segmentAt, told](int row, int column) {
                               const CriticalSegment& segment = segmentAt(row);
                               return column == 0   ? time(segment.startNs)
                                      : column == 1 ? time(segment.endNs - segment.startNs)
                                                    : withoutScopes(told(row));
                           },
                           3,
                           [told](int row, int) { return told(row); }});
    m_path.table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_path.table->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
}

void GanttDetails::chooseSegment(int row) {
    const ShownRunPtr run = m_canvas.run();
    if (!run || row < 0)
        return m_canvas.setSegment(-1);
    const int index = m_segments[static_cast<std::size_t>(row)];
    const CriticalSegment& segment = run->critical[static_cast<std::size_t>(index)];
    const bool onChannel =
        segment.kind == CriticalSegment::Kind::Transfer || segment.kind == CriticalSegment::Kind::ChannelWait;
    if (onChannel && run == m_session.shown())
        m_session.selectTransfer(static_cast<int>(segment.transfer));
    else
        m_session.selectOps({segment.op});
    m_canvas.setSegment(index);
}

void GanttDetails::showMemory(DeviceId device, std::int64_t ns) {
    const ShownRunPtr run = m_canvas.run();
    if (!run)
        return;
    m_canvas.setMoment(device, ns);
    m_alive = run->memory().aliveAt(device, ns);
    std::int64_t sum = 0;
    std::vector<OpId> makers;
    for (const MemorySpan& span : m_alive) {
        sum += span.bytes;
        if (span.kind != MemorySpan::Kind::Resident)
            makers.push_back(span.op);
    }
    const DeviceReport& report = run->outcome->schedule.devices[device.index()];
    QString head = tr("%1 in %2").arg(memoryText(*run, device, ns), countedText(m_alive.size(), "tensor"));
    if (ns == report.peakNs)
        head += tr("; this is the peak");
    m_memory.head->setText(head);
    m_memory.model->setRows({{tr("Tensor"), tr("Bytes"), tr("Share"), tr("Since"), tr("Until"), tr("What")},
                             static_cast<int>(m_alive.size()),
                             [run, sum, alive = m_alive](int row, int column) {
                                 const MemorySpan& span = alive[static_cast<std::size_t>(row)];
                                 const Graph& graph = *run->problem().graph;
                                 switch (column) {
                                 case 0:
                                     return span.tensor.valid() ? qs(graph.tensor(span.tensor).name)
                                                                : qs(graph.op(span.op).name);
                                 case 1:
                                     return bytes(span.bytes);
                                 case 2:
                                     return share(span.bytes, sum);
                                 case 3:
                                     return time(span.sinceNs);
                                 case 4:
                                     return span.kind == MemorySpan::Kind::Resident ? tr("stays") : time(span.untilNs);
                                 default:
                                     return qs(toString(span.kind));
                                 }
                             }});
    setCurrentIndex(Memory);
    m_session.selectOps(std::move(makers));
}

void GanttDetails::chooseMemory() {
    std::vector<OpId> makers;
    for (const QModelIndex& index : m_memory.table->selectionModel()->selectedRows()) {
        const auto row = static_cast<std::size_t>(index.row());
        if (row < m_alive.size())
            makers.push_back(m_alive[row].op);
    }
    if (!makers.empty())
        m_session.selectOps(std::move(makers));
}

void GanttDetails::showMarks() {
    if (m_filling)
        return;
    m_filling = true;
    m_marks->clear();
    for (const TimeMark& mark : m_canvas.marks()) {
        auto* item = new QTreeWidgetItem(m_marks, {qs(mark.name), time(mark.ns)});
        item->setData(0, Qt::UserRole, QVariant::fromValue<qint64>(mark.ns));
        item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    m_filling = false;
}

void GanttDetails::readMark(QTreeWidgetItem* item) {
    if (m_filling)
        return;
    m_filling = true; // the list says already what is set
    std::vector<TimeMark> marks = m_canvas.marks();
    TimeMark& mark = marks[static_cast<std::size_t>(m_marks->indexOfTopLevelItem(item))];
    if (const QString name = item->text(0).trimmed(); !name.isEmpty())
        mark.name = name.toStdString();
    item->setText(0, qs(mark.name));
    m_canvas.setMarks(std::move(marks));
    m_filling = false;
}

void GanttDetails::removeMark() {
    const int row = m_marks->indexOfTopLevelItem(m_marks->currentItem());
    if (row < 0)
        return;
    std::vector<TimeMark> marks = m_canvas.marks();
    marks.erase(marks.begin() + row);
    m_canvas.setMarks(std::move(marks));
}

} // namespace opscape
