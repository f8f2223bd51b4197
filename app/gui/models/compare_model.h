// SPDX-License-Identifier: MIT
// Runs of one graph side by side: a column per run, a row per figure, the best value of each row marked.
#pragma once

#include "gui/shown_run.h"

#include <QAbstractTableModel>

namespace opscape {

class CompareModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { BestRole = Qt::UserRole + 1 }; ///< true in the cell with the better value

    explicit CompareModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setRuns(std::vector<ShownRunPtr> runs);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    struct Row {
        QString title;
        std::vector<QString> texts;
        std::vector<bool> best;
    };

    void addText(const QString& title, const std::function<QString(const ShownRun&)>& text);
    /// Smaller is better. Negative: this run has no such value.
    void addValue(const QString& title, const std::function<double(const ShownRun&)>& value,
                  const std::function<QString(double)>& text);

    std::vector<ShownRunPtr> m_runs;
    std::vector<Row> m_rows;
};

} // namespace opscape
