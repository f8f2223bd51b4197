// SPDX-License-Identifier: MIT
// The scope tree as a table of four columns: name, ops inside, time, device. With a filter it holds the matching ops
// and the scopes around them only.
#pragma once

#include "gui/session.h"

#include <QAbstractItemModel>

namespace opscape {

class OutlineModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Ops, Time, Device, ColumnCount };
    /// Device as a number, -1 when there is none; Mixed: the scope has several.
    enum Role { DeviceRole = Qt::UserRole + 1, MixedRole };

    explicit OutlineModel(QObject* parent = nullptr);

    void setGraph(std::shared_ptr<const OpenedGraph> opened);
    /// A run of the graph; null where there is none.
    void setRun(ShownRunPtr run);
    /// Words that must all be in an op's name, "type:Conv", "device:B" or "device:1"; case does not matter.
    void setFilter(const QString& text);
    [[nodiscard]] bool filtered() const { return m_filtered; }
    /// Ops the filter lets through, ascending; all without one.
    [[nodiscard]] std::size_t matchCount() const { return m_matchCount; }

    [[nodiscard]] QModelIndex indexOf(OpId op) const;
    [[nodiscard]] QModelIndex indexOf(ScopeId scope) const;
    [[nodiscard]] OpId opAt(const QModelIndex& index) const;       ///< invalid for a scope
    [[nodiscard]] ScopeId scopeAt(const QModelIndex& index) const; ///< invalid for an op

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    struct Children {
        std::vector<ScopeId> scopes;
        std::vector<OpId> ops;
    };

    void rebuild();
    [[nodiscard]] std::vector<std::uint8_t> matches();
    [[nodiscard]] QVariant opData(OpId op, int column, int role) const;
    [[nodiscard]] QVariant scopeData(ScopeId scope, int column, int role) const;

    std::shared_ptr<const OpenedGraph> m_opened;
    ShownRunPtr m_run;
    QString m_filter;
    bool m_filtered = false;
    std::size_t m_matchCount = 0;
    std::vector<std::string> m_lowerNames;    ///< made with the first filter
    std::vector<Children> m_children;         ///< per scope, what is to be seen
    std::vector<int> m_rowOfScope, m_rowOfOp; ///< within the parent; -1 where not seen
};

} // namespace opscape
