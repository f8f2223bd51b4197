// SPDX-License-Identifier: MIT
#include "gui/views/curve_table.h"

#include <QHeaderView>

#include <algorithm>

namespace opscape {

CurveTable::CurveTable(QWidget* parent)
    : QTableView(parent),
      m_model(new CurveTableModel(this)),
      m_sorted(new QSortFilterProxyModel(this)) {
    setObjectName(QStringLiteral("curveTable"));
    setAccessibleName(tr("Figures under the pointer"));
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(CurveTableModel::SortRole);
    setModel(m_sorted);
    setSortingEnabled(true);
    sortByColumn(CurveTableModel::Run, Qt::AscendingOrder);
    setSelectionBehavior(SelectRows);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->ensurePolished();
    for (int column = 0; column < CurveTableModel::ColumnCount; ++column)
        setColumnWidth(column,
                       std::max(column == CurveTableModel::Run ? 50 : 92, horizontalHeader()->sectionSizeHint(column)));
}

} // namespace opscape
