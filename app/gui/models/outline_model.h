// SPDX-License-Identifier: MIT
// The scope tree as a table of four columns: name, ops inside, time, device. Of the ops that a search found it holds
// those and the scopes around them only.
#pragma once

#include "gui/shown_run.h"

#include <QAbstractItemModel>

#include <optional>

namespace opscape {

class OutlineModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Ops, Time, Device, ColumnCount };
    /// Device as a number, -1 when there is none; Mixed: the scope has several; Pinned: what of it is kept there.
    enum Role { DeviceRole = Qt::UserRole + 1, MixedRole, PinnedRole };
    enum class Pinned { None, Some, All };

    explicit OutlineModel(QObject* parent = nullptr);

    void setGraph(std::shared_ptr<const OpenedGraph> opened);
    /// A run of the graph; null where there is none.
    void setRun(ShownRunPtr run);
    /// Only these ops of the graph, ascending; none: all of them.
    void setFound(std::optional<std::vector<OpId>> ops);
    [[nodiscard]] bool filtered() const { return m_found.has_value(); }
    /// How many ops it holds.
    [[nodiscard]] std::size_t matchCount() const;

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
    void countPins();
    [[nodiscard]] QVariant opData(OpId op, int column, int role) const;
    [[nodiscard]] QVariant scopeData(ScopeId scope, int column, int role) const;

    std::shared_ptr<const OpenedGraph> m_opened;
    ShownRunPtr m_run;
    std::vector<std::uint32_t> m_pinned;      ///< per scope, ops inside; empty when nothing is pinned
    std::optional<std::vector<OpId>> m_found; ///< all ops where there is none
    std::vector<Children> m_children;         ///< per scope, what is to be seen
    std::vector<int> m_rowOfScope, m_rowOfOp; ///< within the parent; -1 where not seen
};

} // namespace opscape
