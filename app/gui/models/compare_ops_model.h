// SPDX-License-Identifier: MIT
// The ops that two compared plans have on different devices, as a table: where and when each runs in the one and in the
// other, and what it costs. Costs arrive while they are worked out.
#pragma once

#include "gui/shown_run.h"
#include "service/comparison_ops.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace opscape {

class CompareOpsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, DeviceA, DeviceB, Alone, Group, Together, StartA, EndA, StartB, EndB, ColumnCount };
    enum Role { SortRole = Qt::UserRole + 1, OpRole, WordsRole }; ///< WordsRole: what a filter looks in

    explicit CompareOpsModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// `numberA` and `numberB` name the plans in the headings. Costs are forgotten.
    void setPair(ShownRunPtr a, ShownRunPtr b, std::shared_ptr<const PlanDifferences> found, int numberA, int numberB);
    void setCost(std::size_t row, const Result<MoveCost>& cost);
    void setGroupCost(std::size_t group, const Result<MoveCost>& cost);
    [[nodiscard]] const std::shared_ptr<const PlanDifferences>& found() const { return m_found; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    using Cost = std::optional<Result<MoveCost>>; ///< none: not worked out

    [[nodiscard]] QVariant text(const OpDifference& op, int row, int column) const;
    [[nodiscard]] QVariant sortKey(const OpDifference& op, int row, int column) const;
    [[nodiscard]] const Cost& costAt(const OpDifference& op, int row, int column) const;

    ShownRunPtr m_a, m_b;
    std::shared_ptr<const PlanDifferences> m_found;
    int m_numberA = 1, m_numberB = 2;
    std::vector<Cost> m_alone, m_together;
};

/// Rows with all of some words in name, type or devices.
class CompareOpsFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit CompareOpsFilter(QObject* parent = nullptr);
    void setWords(const QString& words);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

} // namespace opscape
