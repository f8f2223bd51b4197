// SPDX-License-Identifier: MIT
#include "gui/views/gantt_lane_list.h"

#include "gui/words.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace opscape {

void LaneTree::moveCurrent(int by) {
    const int from = indexOfTopLevelItem(currentItem()), to = from + by;
    if (from < 0 || to < 0 || to >= topLevelItemCount())
        return;
    QTreeWidgetItem* item = takeTopLevelItem(from);
    insertTopLevelItem(to, item);
    setCurrentItem(item);
    emit reordered();
}

void LaneTree::dropEvent(QDropEvent* event) {
    QTreeWidget::dropEvent(event);
    emit reordered();
}

void LaneTree::keyPressEvent(QKeyEvent* event) {
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    if (alt && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down))
        moveCurrent(event->key() == Qt::Key_Up ? -1 : 1);
    else if (event->key() == Qt::Key_P && currentItem() != nullptr)
        currentItem()->setCheckState(1, currentItem()->checkState(1) == Qt::Checked ? Qt::Unchecked : Qt::Checked);
    else
        QTreeWidget::keyPressEvent(event);
}

GanttLaneList::GanttLaneList(GanttWidget& canvas, QWidget* parent)
    : QWidget(parent),
      m_canvas(canvas),
      m_filter(new QLineEdit),
      m_tree(new LaneTree) {
    m_filter->setObjectName(QStringLiteral("laneFilter"));
    m_filter->setPlaceholderText(tr("Filter the list: gpu:0, memory, pcie"));
    m_filter->setAccessibleName(tr("Filter the list of lanes"));
    m_filter->setClearButtonEnabled(true);
    m_tree->setObjectName(QStringLiteral("lanes"));
    m_tree->setAccessibleName(tr("Lanes"));
    m_tree->setHeaderLabels({tr("Lane"), tr("Pin")});
    m_tree->setRootIsDecorated(false);
    m_tree->setDragDropMode(QAbstractItemView::InternalMove);
    m_tree->setSelectionMode(QAbstractItemView::SingleSelection);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(Shown, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(Pinned, QHeaderView::ResizeToContents);
    m_tree->setToolTip(tr("Space shows or hides, P pins, Alt+Up and Alt+Down or a drag move"));
    auto* buttons = new QHBoxLayout;
    const auto button = [&](const QString& text, const QString& tip, const std::function<void()>& act) {
        auto* push = new QPushButton(text);
        push->setToolTip(tip);
        connect(push, &QPushButton::clicked, this, act);
        buttons->addWidget(push);
    };
    button(tr("Show all"), tr("Show every lane that is listed"), [this] { setListed(Qt::Checked); });
    button(tr("Hide all"), tr("Hide every lane that is listed"), [this] { setListed(Qt::Unchecked); });
    button(tr("Reset"), tr("All lanes as the schedule has them"), [this] { reset(); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_filter);
    layout->addWidget(m_tree, 1);
    layout->addLayout(buttons);
    connect(m_filter, &QLineEdit::textChanged, this, &GanttLaneList::filter);
    connect(m_tree, &QTreeWidget::itemChanged, this, &GanttLaneList::read);
    connect(m_tree, &LaneTree::reordered, this, &GanttLaneList::read);
    connect(&canvas, &GanttWidget::lanesChanged, this, &GanttLaneList::refresh);
}

void GanttLaneList::refresh() {
    if (m_filling)
        return;
    m_filling = true;
    const QString current =
        m_tree->currentItem() != nullptr ? m_tree->currentItem()->data(0, Qt::UserRole).toString() : QString();
    m_tree->clear();
    if (const ShownRun* run = m_canvas.run().get()) {
        const LaneChoice& choice = m_canvas.lanes();
        for (const int l : orderedLanes(run->gantt, choice)) {
            const GanttData::Lane& lane = run->gantt.lanes()[static_cast<std::size_t>(l)];
            auto* item = new QTreeWidgetItem(m_tree);
            QString name = qs(lane.key);
            name[0] = name[0].toUpper();
            item->setText(Shown, isIdle(lane) ? tr("%1, carries nothing").arg(name) : name);
            item->setData(0, Qt::UserRole, qs(lane.key));
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled);
            item->setCheckState(Shown, m_canvas.stack().shows(l) ? Qt::Checked : Qt::Unchecked);
            item->setCheckState(Pinned, choice.pinned.contains(lane.key) ? Qt::Checked : Qt::Unchecked);
            if (qs(lane.key) == current)
                m_tree->setCurrentItem(item);
        }
    }
    filter(m_filter->text());
    m_filling = false;
}

void GanttLaneList::filter(const QString& text) {
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = m_tree->topLevelItem(i);
        item->setHidden(!item->text(Shown).contains(text, Qt::CaseInsensitive));
    }
}

void GanttLaneList::setListed(Qt::CheckState state) {
    m_filling = true;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        if (!m_tree->topLevelItem(i)->isHidden())
            m_tree->topLevelItem(i)->setCheckState(Shown, state);
    }
    m_filling = false;
    read();
}

void GanttLaneList::reset() {
    m_filter->clear();
    m_canvas.setLanes({});
}

void GanttLaneList::read() {
    const ShownRun* run = m_canvas.run().get();
    if (m_filling || run == nullptr)
        return;
    LaneChoice choice = m_canvas.lanes();
    std::vector<std::string> order;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        const QTreeWidgetItem& item = *m_tree->topLevelItem(i);
        const std::string key = item.data(0, Qt::UserRole).toString().toStdString();
        const auto lane = std::ranges::find(run->gantt.lanes(), key, &GanttData::Lane::key);
        if (lane == run->gantt.lanes().end())
            continue;
        order.push_back(key);
        choice.hidden.erase(key);
        choice.wanted.erase(key);
        choice.pinned.erase(key);
        if (item.checkState(Pinned) == Qt::Checked)
            choice.pinned.insert(key);
        if (item.checkState(Shown) == Qt::Checked && isIdle(*lane))
            choice.wanted.insert(key);
        else if (item.checkState(Shown) != Qt::Checked && !isIdle(*lane))
            choice.hidden.insert(key);
        else if (item.checkState(Shown) != Qt::Checked)
            choice.pinned.erase(key); // a pinned lane is shown
    }
    std::vector<std::string> before;
    for (const int l : orderedLanes(run->gantt, choice))
        before.push_back(run->gantt.lanes()[static_cast<std::size_t>(l)].key);
    if (order != before)
        choice.order = order;
    m_filling = true; // the list says already what is set
    m_canvas.setLanes(std::move(choice));
    m_filling = false;
}

} // namespace opscape
