// SPDX-License-Identifier: MIT
// Plans of one graph side by side: a column per plan, a row per figure, the best value of each row marked. What the
// rows are is said once for window, command line and report, in service/comparison.h.
#pragma once

#include "gui/shown_run.h"
#include "service/comparison.h"

#include <QAbstractTableModel>

namespace opscape {

class CompareModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { BestRole = Qt::UserRole + 1 }; ///< true in the cell with the better value

    explicit CompareModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Where only figures change, as while a plan is edited, the rows stay.
    void setRuns(std::vector<ShownRunPtr> runs);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    std::vector<ShownRunPtr> m_runs;
    std::vector<ComparedRow> m_rows;
};

} // namespace opscape
