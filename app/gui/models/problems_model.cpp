// SPDX-License-Identifier: MIT
#include "gui/models/problems_model.h"

#include "gui/words.h"

#include <opscape/base/units.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr quintptr kTop = 0; ///< of a kind; an example carries the number of its kind, counted from 1

} // namespace

std::vector<Diagnostic> problemsOf(const Workbench* workbench, const OpenedGraph* opened, const Outcome* outcome) {
    std::vector<Diagnostic> all;
    const auto append = [&all](const Diagnostics& from) {
        all.insert(all.end(), from.entries().begin(), from.entries().end());
    };
    if (workbench != nullptr) {
        Diagnostics plugins;
        for (const PluginStatus& plugin : workbench->plugins()) {
            if (!plugin.loaded())
                plugins.add(Severity::Error, "plugin", "Plugins that could not be loaded", plugin.error);
        }
        append(plugins);
    }
    if (outcome != nullptr && !outcome->schedule.feasible) {
        Diagnostics memory;
        memory.add(Severity::Error, "out-of-memory", "The plan does not fit into memory",
                   outOfMemoryReport(*outcome->problem.cluster, outcome->schedule));
        append(memory);
    }
    if (opened != nullptr)
        append(opened->diagnostics);
    if (outcome != nullptr)
        append(outcome->diagnostics);
    std::ranges::stable_sort(all, std::ranges::greater(), &Diagnostic::severity);
    return all;
}

void ProblemsModel::setEntries(std::vector<Diagnostic> entries) {
    beginResetModel();
    m_entries = std::move(entries);
    endResetModel();
}

int ProblemsModel::seriousCount() const {
    return static_cast<int>(
        std::ranges::count_if(m_entries, [](const Diagnostic& d) { return d.severity != Severity::Info; }));
}

QModelIndex ProblemsModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kTop);
}

QModelIndex ProblemsModel::parent(const QModelIndex& index) const {
    return index.isValid() && index.internalId() != kTop
               ? createIndex(static_cast<int>(index.internalId()) - 1, 0, kTop)
               : QModelIndex();
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return static_cast<int>(m_entries.size());
    if (parent.internalId() != kTop || parent.column() > 0)
        return 0;
    return static_cast<int>(m_entries[static_cast<std::size_t>(parent.row())].examples.size());
}

int ProblemsModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const bool top = index.internalId() == kTop;
    const Diagnostic& entry = m_entries[top ? static_cast<std::size_t>(index.row()) : index.internalId() - 1];
    if (role == Qt::TextAlignmentRole && index.column() == Count)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == SeverityRole && top)
        return static_cast<int>(entry.severity);
    if (role == Qt::ToolTipRole && top)
        return qs(toString(entry.severity)) + QStringLiteral(": ") + qs(entry.summary);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (!top)
        return index.column() == What ? qs(entry.examples[static_cast<std::size_t>(index.row())]) : QVariant();
    return index.column() == What ? qs(entry.summary) : qs(formatCount(static_cast<std::int64_t>(entry.count)));
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == Count)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == What ? tr("What") : tr("How many");
}

} // namespace opscape
