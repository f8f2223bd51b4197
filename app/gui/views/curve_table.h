// SPDX-License-Identifier: MIT
// The figures under the pointer of all runs that are drawn, beside the charts of a training; sorted by a click on a
// column.
#pragma once

#include "gui/models/curve_table_model.h"

#include <QSortFilterProxyModel>
#include <QTableView>

namespace opscape {

class CurveTable : public QTableView {
    Q_OBJECT
public:
    explicit CurveTable(QWidget* parent = nullptr);
    void setRows(std::vector<CurveTableRow> rows) { m_model->setRows(std::move(rows)); }

private:
    CurveTableModel* m_model;
    QSortFilterProxyModel* m_sorted;
};

} // namespace opscape
