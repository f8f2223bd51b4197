// SPDX-License-Identifier: MIT
#include "gui/models/curve_table_model.h"

#include "gui/views/curve_ticker.h"
#include "gui/words.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace opscape {
namespace {

double valueOf(const CurveTableRow& row, int column) {
    switch (column) {
    case CurveTableModel::Run:
        return static_cast<double>(row.run);
    case CurveTableModel::Update:
        return row.update;
    case CurveTableModel::Seconds:
        return row.seconds;
    case CurveTableModel::Simulations:
        return row.simulations;
    default:
        return row.figures[static_cast<std::size_t>(column - CurveTableModel::FirstFigure)];
    }
}

QString textOf(double value, int column) {
    if (std::isnan(value))
        return QStringLiteral("–");
    if (column == CurveTableModel::Run || column == CurveTableModel::Update || column == CurveTableModel::Simulations)
        return qs(formatCount(static_cast<std::int64_t>(value)));
    if (column < CurveTableModel::FirstFigure)
        return figureText(value);
    switch (static_cast<CurveFigure>(column - CurveTableModel::FirstFigure)) {
    case CurveFigure::Best:
        return qs(formatTime(static_cast<std::int64_t>(value)));
    case CurveFigure::ClipFraction:
        return qs(formatPercent(value));
    default:
        return figureText(value);
    }
}

} // namespace

CurveTableRow curveRow(qint64 run, const CurveColumns& curve, CurveAxis axis, double at) {
    const std::size_t point = nearestPoint(curve.x(axis), at);
    CurveTableRow row{run, curve.x(CurveAxis::Updates)[point], curve.x(CurveAxis::Seconds)[point],
                      curve.x(CurveAxis::Simulations)[point]};
    for (std::size_t i = 0; i < kCurveFigures; ++i)
        row.figures[i] = curve.y(static_cast<CurveFigure>(i))[point];
    return row;
}

void CurveTableModel::setRows(std::vector<CurveTableRow> rows) {
    const auto runOf = [](const CurveTableRow& row) { return row.run; };
    const bool same = std::ranges::equal(rows, m_rows, {}, runOf, runOf);
    if (!same) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    if (!m_rows.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int CurveTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CurveTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant CurveTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const double value = valueOf(m_rows[static_cast<std::size_t>(index.row())], index.column());
    if (role == Qt::DisplayRole)
        return textOf(value, index.column());
    if (role == SortRole)
        return std::isnan(value) ? QVariant() : QVariant(value);
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant CurveTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const std::array<QString, ColumnCount> names{
        tr("Run"),      tr("Update"),  tr("Seconds"), tr("Simulations"), tr("Step time"),   tr("Reward"),
        tr("Expected"), tr("Entropy"), tr("KL"),      tr("Clipped"),     tr("Policy loss"), tr("Imitation loss")};
    return names[static_cast<std::size_t>(section)];
}

} // namespace opscape
