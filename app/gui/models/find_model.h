// SPDX-License-Identifier: MIT
// Ops that a search found, as a table: name, type, device, time.
#pragma once

#include "gui/search_subject.h"

#include <QAbstractTableModel>

#include <optional>

namespace opscape {

class FindModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Type, Device, Time, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setOps(std::optional<SearchSubject> subject, std::vector<OpId> ops);
    /// Another run of the same graph: the rows stay.
    void setRun(ShownRunPtr run);
    [[nodiscard]] const std::vector<OpId>& ops() const { return m_ops; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    std::optional<SearchSubject> m_subject;
    std::vector<OpId> m_ops;
};

} // namespace opscape
