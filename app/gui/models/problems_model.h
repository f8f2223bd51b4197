// SPDX-License-Identifier: MIT
// What was dropped, guessed or refused, as a tree: one row per kind with its count, its examples below it. A plugin
// that cannot be loaded is a row too.
#pragma once

#include "service/workbench.h"

#include <QAbstractItemModel>

namespace opscape {

class ProblemsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { What, Count, ColumnCount };
    enum Role { SeverityRole = Qt::UserRole + 1 };

    explicit ProblemsModel(QObject* parent = nullptr) : QAbstractItemModel(parent) {}

    void setEntries(std::vector<Diagnostic> entries);
    [[nodiscard]] const std::vector<Diagnostic>& entries() const { return m_entries; }
    /// Kinds that are more than a remark.
    [[nodiscard]] int seriousCount() const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    std::vector<Diagnostic> m_entries;
};

/// Everything there is to report: of the plugins, of the file and of the outcome, errors first. Any may be null.
[[nodiscard]] std::vector<Diagnostic> problemsOf(const Workbench* workbench, const OpenedGraph* opened,
                                                 const Outcome* outcome);

} // namespace opscape
