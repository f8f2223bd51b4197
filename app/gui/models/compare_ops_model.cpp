// SPDX-License-Identifier: MIT
#include "gui/models/compare_ops_model.h"

#include "gui/words.h"

#include <opscape/base/units.h>

#include <limits>

namespace opscape {
namespace {

QString time(std::int64_t ns) { return qs(formatTime(ns)); }

bool isNumber(int column) { return column >= CompareOpsModel::Alone && column != CompareOpsModel::Group; }

QString costText(const std::optional<Result<MoveCost>>& cost) {
    if (!cost)
        return QStringLiteral("…");
    if (!*cost)
        return QStringLiteral("–");
    const std::int64_t ns = (*cost)->changeNs;
    const QString sign = ns < 0 ? QStringLiteral("-") : ns > 0 ? QStringLiteral("+") : QString();
    return sign + time(std::abs(ns)) + ((*cost)->feasible ? QString() : QStringLiteral(", too much memory"));
}

} // namespace

void CompareOpsModel::setPair(ShownRunPtr a, ShownRunPtr b, std::shared_ptr<const PlanDifferences> found, int numberA,
                              int numberB) {
    beginResetModel();
    m_a = std::move(a);
    m_b = std::move(b);
    m_found = std::move(found);
    m_numberA = numberA;
    m_numberB = numberB;
    m_alone.assign(m_found ? m_found->ops.size() : 0, {});
    m_together.assign(m_found ? m_found->groups.size() : 0, {});
    endResetModel();
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

void CompareOpsModel::setCost(std::size_t row, const Result<MoveCost>& cost) {
    m_alone[row] = cost;
    const QModelIndex cell = index(static_cast<int>(row), Alone);
    emit dataChanged(cell, cell);
}

void CompareOpsModel::setGroupCost(std::size_t group, const Result<MoveCost>& cost) {
    m_together[group] = cost;
    const auto rowOf = [this](OpId op) {
        return static_cast<int>(std::ranges::lower_bound(m_found->ops, op, {}, &OpDifference::op) -
                                m_found->ops.begin());
    };
    const auto& ops = m_found->groups[group];
    emit dataChanged(index(rowOf(ops.front()), Together), index(rowOf(ops.back()), Together));
}

int CompareOpsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_found ? 0 : static_cast<int>(m_found->ops.size());
}

int CompareOpsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

const CompareOpsModel::Cost& CompareOpsModel::costAt(const OpDifference& op, int row, int column) const {
    return column == Alone ? m_alone[static_cast<std::size_t>(row)] : m_together[op.group];
}

QVariant CompareOpsModel::text(const OpDifference& op, int row, int column) const {
    const OpRun &inA = m_a->outcome->schedule.ops[op.op.index()], &inB = m_b->outcome->schedule.ops[op.op.index()];
    switch (column) {
    case Name:
        return qs(m_a->problem().graph->op(op.op).name);
    case DeviceA:
        return deviceText(m_a->cluster(), op.a);
    case DeviceB:
        return deviceText(m_b->cluster(), op.b);
    case StartA:
        return time(inA.startNs);
    case EndA:
        return time(inA.endNs);
    case StartB:
        return time(inB.startNs);
    case EndB:
        return time(inB.endNs);
    case Group: {
        const std::size_t size = m_found->groups[op.group].size();
        return size == 1 ? tr("%1: alone").arg(op.group + 1)
                         : tr("%1: %2 ops").arg(op.group + 1).arg(qs(formatCount(static_cast<std::int64_t>(size))));
    }
    default:
        return costText(costAt(op, row, column));
    }
}

QVariant CompareOpsModel::sortKey(const OpDifference& op, int row, int column) const {
    const OpRun &inA = m_a->outcome->schedule.ops[op.op.index()], &inB = m_b->outcome->schedule.ops[op.op.index()];
    switch (column) {
    case DeviceA:
        return op.a.value;
    case DeviceB:
        return op.b.value;
    case StartA:
        return static_cast<qlonglong>(inA.startNs);
    case EndA:
        return static_cast<qlonglong>(inA.endNs);
    case StartB:
        return static_cast<qlonglong>(inB.startNs);
    case EndB:
        return static_cast<qlonglong>(inB.endNs);
    case Group:
        return op.group;
    case Alone:
    case Together: {
        const Cost& cost = costAt(op, row, column);
        return static_cast<qlonglong>(cost && *cost ? (*cost)->changeNs : std::numeric_limits<qlonglong>::max());
    }
    default:
        return text(op, row, column);
    }
}

QVariant CompareOpsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const OpDifference& op = m_found->ops[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(op, index.row(), column);
    case SortRole:
        return sortKey(op, index.row(), column);
    case OpRole:
        return op.op.value;
    case WordsRole:
        return QStringList{qs(m_a->problem().graph->op(op.op).name), qs(m_a->problem().graph->op(op.op).type),
                           deviceText(m_a->cluster(), op.a), deviceText(m_b->cluster(), op.b)}
            .join(u' ');
    case Qt::ToolTipRole:
        if (const bool isCost = column == Alone || column == Together; isCost) {
            const Cost& cost = costAt(op, index.row(), column);
            return !cost    ? tr("Not simulated yet")
                   : !*cost ? qs(cost->error().message)
                            : tr("So much the step of %1 would change if %2 alone took the device it has in %3")
                                  .arg(m_numberA)
                                  .arg(column == Alone ? tr("this op") : tr("the ops of this group"))
                                  .arg(m_numberB);
        }
        return opTip(*m_a->outcome->opened, m_a.get(), op.op);
    case Qt::TextAlignmentRole:
        return int((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant CompareOpsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::ToolTipRole) {
        if (section == Alone)
            return tr("Change of the step time of %1 if the op alone took the device it has in %2")
                .arg(m_numberA)
                .arg(m_numberB);
        if (section == Together)
            return tr("The same for all ops of the group: those joined by edges and on the same pair of devices");
        return {};
    }
    if (role == Qt::TextAlignmentRole)
        return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QString a = QString::number(m_numberA), b = QString::number(m_numberB);
    const QString titles[] = {tr("Op"),
                              tr("In %1 on").arg(a),
                              tr("In %1 on").arg(b),
                              tr("Cost alone"),
                              tr("Group"),
                              tr("Cost of the group"),
                              tr("Starts in %1").arg(a),
                              tr("Ends in %1").arg(a),
                              tr("Starts in %1").arg(b),
                              tr("Ends in %1").arg(b)};
    return titles[section];
}

CompareOpsFilter::CompareOpsFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(CompareOpsModel::SortRole);
}

void CompareOpsFilter::setWords(const QString& words) {
    m_words = words.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool CompareOpsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QString text = sourceModel()->index(row, 0, parent).data(CompareOpsModel::WordsRole).toString();
    return std::ranges::all_of(m_words,
                               [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace opscape
