// SPDX-License-Identifier: MIT
#include "gui/models/outline_model.h"

#include "gui/shown_text.h"

namespace opscape {
namespace {

// An index carries the scope's or op's number, and in its lowest bit which of the two it is.
quintptr idOf(ScopeId scope) { return static_cast<quintptr>(scope.value) << 1U; }
quintptr idOf(OpId op) { return (static_cast<quintptr>(op.value) << 1U) | 1U; }

} // namespace

OutlineModel::OutlineModel(QObject* parent) : QAbstractItemModel(parent) {}

void OutlineModel::setGraph(std::shared_ptr<const OpenedGraph> opened) {
    beginResetModel();
    m_opened = std::move(opened);
    m_run.reset();
    m_pinned.clear();
    m_found.reset();
    rebuild();
    endResetModel();
}

void OutlineModel::setRun(ShownRunPtr run) {
    m_run = std::move(run);
    countPins();
    // The rows stay; only what is said of them changed. Views repaint what is in sight, so that is what is announced.
    if (m_opened && rowCount() > 0)
        emit dataChanged(index(0, Name), index(rowCount() - 1, ColumnCount - 1));
}

void OutlineModel::countPins() {
    m_pinned.clear();
    if (!m_run || m_run->problem().pins.empty())
        return;
    const ScopeTree& tree = *m_opened->scopes;
    m_pinned.resize(tree.scopeCount());
    for (std::size_t i = 0; i < m_rowOfOp.size(); ++i)
        m_pinned[tree.scopeOf(OpId(i)).index()] += m_run->problem().pin(OpId(i)).valid() ? 1 : 0;
    for (std::size_t s = tree.scopeCount(); s-- > 1;) // children come after their parents
        m_pinned[tree.scope(ScopeId(s)).parent.index()] += m_pinned[s];
}

void OutlineModel::setFound(std::optional<std::vector<OpId>> ops) {
    if (!ops && !m_found)
        return;
    beginResetModel();
    m_found = std::move(ops);
    rebuild();
    endResetModel();
}

std::size_t OutlineModel::matchCount() const {
    return m_found ? m_found->size() : m_opened ? m_opened->graph->opCount() : 0;
}

void OutlineModel::rebuild() {
    m_children.clear();
    m_rowOfScope.clear();
    m_rowOfOp.clear();
    if (!m_opened)
        return;
    const ScopeTree& tree = *m_opened->scopes;
    m_children.resize(tree.scopeCount());
    m_rowOfScope.assign(tree.scopeCount(), -1);
    m_rowOfOp.assign(m_opened->graph->opCount(), -1);
    std::vector<std::uint8_t> match(m_rowOfOp.size(), m_found ? 0 : 1);
    if (m_found) {
        for (const OpId op : *m_found)
            match[op.index()] = 1;
    }

    std::vector<std::uint8_t> hasMatch(tree.scopeCount());
    for (std::size_t s = tree.scopeCount(); s-- > 0;) { // children come after their parents
        const Scope& scope = tree.scope(ScopeId(s));
        Children& seen = m_children[s];
        for (const ScopeId child : scope.scopes) {
            if (hasMatch[child.index()] != 0)
                seen.scopes.push_back(child);
        }
        for (const OpId op : scope.ops) {
            if (match[op.index()] != 0)
                seen.ops.push_back(op);
        }
        hasMatch[s] = seen.scopes.empty() && seen.ops.empty() ? 0 : 1;
        for (std::size_t row = 0; row < seen.scopes.size(); ++row)
            m_rowOfScope[seen.scopes[row].index()] = static_cast<int>(row);
        for (std::size_t row = 0; row < seen.ops.size(); ++row)
            m_rowOfOp[seen.ops[row].index()] = static_cast<int>(seen.scopes.size() + row);
    }
}

OpId OutlineModel::opAt(const QModelIndex& index) const {
    return index.isValid() && (index.internalId() & 1U) != 0 ? OpId(index.internalId() >> 1U) : OpId();
}

ScopeId OutlineModel::scopeAt(const QModelIndex& index) const {
    return index.isValid() && (index.internalId() & 1U) == 0 ? ScopeId(index.internalId() >> 1U) : ScopeId();
}

QModelIndex OutlineModel::indexOf(OpId op) const {
    if (!op.valid() || op.index() >= m_rowOfOp.size() || m_rowOfOp[op.index()] < 0)
        return {};
    return createIndex(m_rowOfOp[op.index()], Name, idOf(op));
}

QModelIndex OutlineModel::indexOf(ScopeId scope) const {
    if (!scope.valid() || scope.index() >= m_rowOfScope.size() || m_rowOfScope[scope.index()] < 0)
        return {};
    return createIndex(m_rowOfScope[scope.index()], Name, idOf(scope));
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    const Children& seen = m_children[parent.isValid() ? scopeAt(parent).index() : ScopeTree::root().index()];
    const auto at = static_cast<std::size_t>(row);
    return at < seen.scopes.size() ? createIndex(row, column, idOf(seen.scopes[at]))
                                   : createIndex(row, column, idOf(seen.ops[at - seen.scopes.size()]));
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const {
    if (!index.isValid())
        return {};
    const OpId op = opAt(index);
    return indexOf(op.valid() ? m_opened->scopes->scopeOf(op) : m_opened->scopes->scope(scopeAt(index)).parent);
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
    if (!m_opened || parent.column() > 0)
        return 0;
    const ScopeId scope = parent.isValid() ? scopeAt(parent) : ScopeTree::root();
    if (!scope.valid())
        return 0;
    return static_cast<int>(m_children[scope.index()].scopes.size() + m_children[scope.index()].ops.size());
}

int OutlineModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole && (index.column() == Ops || index.column() == Time))
        return int(Qt::AlignRight | Qt::AlignVCenter);
    const OpId op = opAt(index);
    return op.valid() ? opData(op, index.column(), role) : scopeData(scopeAt(index), index.column(), role);
}

QVariant OutlineModel::opData(OpId op, int column, int role) const {
    const Op& info = m_opened->graph->op(op);
    if (role == Qt::ToolTipRole)
        return opTip(*m_opened, m_run.get(), op);
    if (role == DeviceRole)
        return m_run ? static_cast<int>(m_run->deviceOf(op).value) : -1;
    if (role == MixedRole)
        return false;
    const bool pinned = m_run && m_run->problem().pin(op).valid();
    if (role == PinnedRole)
        return static_cast<int>(pinned ? Pinned::All : Pinned::None);
    if (role == Qt::AccessibleTextRole && column == Device && m_run)
        return deviceText(m_run->cluster(), m_run->deviceOf(op)) + (pinned ? tr(", pinned") : QString());
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Name:
        return seen(m_opened->scopes->nameInside(*m_opened->graph, op));
    case Ops:
        return seen(info.type);
    case Time:
        return m_run ? qs(formatTime(m_run->opNs(op))) : QVariant();
    default:
        return {};
    }
}

QVariant OutlineModel::scopeData(ScopeId scope, int column, int role) const {
    const Scope& info = m_opened->scopes->scope(scope);
    if (role == Qt::ToolTipRole)
        return scopeTip(*m_opened, m_run.get(), scope);
    if (role == DeviceRole)
        return m_run ? static_cast<int>(m_run->scopes[scope.index()].device.value) : -1;
    if (role == MixedRole)
        return m_run && m_run->scopes[scope.index()].mixed;
    const std::uint32_t pinned = m_pinned.empty() ? 0 : m_pinned[scope.index()];
    if (role == PinnedRole)
        return static_cast<int>(pinned == 0 ? Pinned::None : pinned == info.opsBelow ? Pinned::All : Pinned::Some);
    if (role == Qt::AccessibleTextRole && column == Device && m_run)
        return deviceText(m_run->cluster(), m_run->scopes[scope.index()].device) +
               (m_run->scopes[scope.index()].mixed ? tr(" and others") : QString()) +
               (pinned > 0 ? tr(", %1 pinned").arg(qs(formatCount(pinned))) : QString());
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Name:
        return seen(info.name);
    case Ops:
        return countText(info.opsBelow);
    case Time:
        return m_run ? qs(formatTime(m_run->scopes[scope.index()].timeNs)) : QVariant();
    default:
        return {};
    }
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && (section == Ops || section == Time))
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Ops)
        return tr("How many ops a group has, and of what type an op is");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Name");
    case Ops:
        return tr("Ops");
    case Time:
        return tr("Time");
    default:
        return tr("On");
    }
}

} // namespace opscape
