// SPDX-License-Identifier: MIT
#include "gui/models/find_model.h"

#include "gui/shown_text.h"

namespace opscape {

void FindModel::setOps(std::optional<SearchSubject> subject, std::vector<OpId> ops) {
    beginResetModel();
    m_subject = std::move(subject);
    m_ops = std::move(ops);
    endResetModel();
}

void FindModel::setRun(ShownRunPtr run) {
    if (!m_subject)
        return;
    m_subject->run = std::move(run);
    if (!m_ops.empty())
        emit dataChanged(index(0, Device), index(rowCount() - 1, Time));
}

int FindModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_ops.size());
}

int FindModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant FindModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_subject)
        return {};
    const OpId op = m_ops[static_cast<std::size_t>(index.row())];
    const ShownRun* run = m_subject->run.get();
    if (role == Qt::ToolTipRole)
        return opTip(*m_subject->opened, run, op);
    if (role == Qt::TextAlignmentRole && index.column() == Time)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Name:
        return seen(m_subject->opened->graph->op(op).name);
    case Type:
        return seen(m_subject->opened->graph->op(op).type);
    case Device:
        return run != nullptr ? deviceText(run->cluster(), run->deviceOf(op)) : QVariant();
    default:
        return run != nullptr ? qs(formatTime(run->opNs(op))) : QVariant();
    }
}

QVariant FindModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("Op"), tr("Type"), tr("On"), tr("Time")};
    return titles[section];
}

} // namespace opscape
