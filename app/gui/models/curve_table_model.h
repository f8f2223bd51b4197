// SPDX-License-Identifier: MIT
// What the curves of several runs have at one place of the horizontal axis: a row per run, to be sorted by any figure.
#pragma once

#include "gui/models/curve_columns.h"

#include <QAbstractTableModel>

namespace opscape {

struct CurveTableRow {
    qint64 run = 0;
    double update = 0, seconds = 0, simulations = 0;
    std::array<double, kCurveFigures> figures{}; ///< by CurveFigure; not a number where there is none
};

/// The point of the curve that is nearest to `at`; the curve is not empty.
[[nodiscard]] CurveTableRow curveRow(qint64 run, const CurveColumns& curve, CurveAxis axis, double at);

class CurveTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Run, Update, Seconds, Simulations, FirstFigure, ColumnCount = FirstFigure + int(kCurveFigures) };
    enum Role { SortRole = Qt::UserRole + 1 };

    explicit CurveTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void setRows(std::vector<CurveTableRow> rows);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    std::vector<CurveTableRow> m_rows;
};

} // namespace opscape
