// SPDX-License-Identifier: MIT
// A table of which every cell is asked for when it is seen: as long as it may be, it is there at once.
#pragma once

#include <QAbstractTableModel>

#include <functional>

namespace opscape {

class RowsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    struct Rows {
        QStringList titles;
        int count = 0;
        std::function<QString(int row, int column)> text;
        int firstNumber = 1;                                  ///< columns from this one on are set to the right
        std::function<QString(int row, int column)> tip = {}; ///< where a cell says less than there is to say
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(Rows rows);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    Rows m_rows;
};

} // namespace opscape
