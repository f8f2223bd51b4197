// SPDX-License-Identifier: MIT
#include "gui/models/compare_model.h"

#include "gui/words.h"

#include <QFont>

#include <algorithm>

namespace opscape {

void CompareModel::setRuns(std::vector<ShownRunPtr> runs) {
    std::vector<OutcomePtr> outcomes;
    for (const ShownRunPtr& run : runs)
        outcomes.push_back(run->outcome);
    std::vector<ComparedRow> rows = comparisonTable(outcomes);
    const bool sameShape =
        runs.size() == m_runs.size() && std::ranges::equal(rows, m_rows, {}, &ComparedRow::title, &ComparedRow::title);
    if (!sameShape)
        beginResetModel();
    m_runs = std::move(runs);
    m_rows = std::move(rows);
    if (!sameShape) {
        endResetModel();
    } else if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
}

int CompareModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CompareModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

QVariant CompareModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const ComparedRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return (row.best[column] ? QStringLiteral("✓ ") : QString()) + qs(row.texts[column]);
    case Qt::ToolTipRole:
        return row.exact[column].empty() ? QVariant() : qs(row.title + ": " + row.exact[column]);
    case BestRole:
        return static_cast<bool>(row.best[column]);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole: {
        QFont font;
        font.setBold(row.best[column]);
        return font;
    }
    default:
        return {};
    }
}

QVariant CompareModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const auto at = static_cast<std::size_t>(section);
    if (role == Qt::TextAlignmentRole)
        return int((orientation == Qt::Horizontal ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(qs(m_rows[at].title)) : QVariant();
    const QString title = QStringLiteral("%1  %2").arg(section + 1).arg(methodText(*m_runs[at]));
    if (role == Qt::ToolTipRole)
        return title + u'\n' + clusterText(m_runs[at]->cluster());
    return role == Qt::DisplayRole ? QVariant(title) : QVariant();
}

} // namespace opscape
