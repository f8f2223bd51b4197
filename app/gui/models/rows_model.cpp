// SPDX-License-Identifier: MIT
#include "gui/models/rows_model.h"

namespace opscape {

void RowsModel::setRows(Rows rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int RowsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows.count; }

int RowsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.titles.size());
}

QVariant RowsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((index.column() < m_rows.firstNumber ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && m_rows.tip)
        return m_rows.tip(index.row(), index.column());
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return m_rows.text(index.row(), index.column());
    return {};
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= m_rows.titles.size())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section < m_rows.firstNumber ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? m_rows.titles[section] : QVariant();
}

} // namespace opscape
