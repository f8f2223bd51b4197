// SPDX-License-Identifier: MIT
#include "gui/models/runs_model.h"

#include "gui/shown_text.h"

#include <opscape/base/units.h>
#include <opscape/sim/bounds.h>

#include <QDateTime>
#include <QFont>

namespace opscape {
namespace {

constexpr std::string_view kDash = "–";

QString resultText(const RunRecord& run, int column) {
    if (!run.result)
        return qs(kDash);
    const RunResult& result = *run.result;
    switch (column) {
    case RunsModel::StepTime:
        return qs(formatTime(result.makespanNs));
    case RunsModel::Bound:
        return qs(formatTime(result.lowerBoundNs));
    case RunsModel::Gap:
        return gapText(result.makespanNs, result.lowerBoundNs);
    case RunsModel::Peak:
        return qs(formatBytes(result.peakBytes)) + (result.feasible ? QString() : QStringLiteral(" (too much)"));
    default:
        return qs(formatBytes(result.bytesMoved));
    }
}

QVariant resultValue(const RunRecord& run, int column) {
    if (!run.result)
        return std::numeric_limits<double>::infinity(); // after all others
    const RunResult& result = *run.result;
    switch (column) {
    case RunsModel::StepTime:
        return static_cast<double>(result.makespanNs);
    case RunsModel::Bound:
        return static_cast<double>(result.lowerBoundNs);
    case RunsModel::Gap:
        return gap(result.makespanNs, result.lowerBoundNs);
    case RunsModel::Peak:
        return static_cast<double>(result.peakBytes);
    default:
        return static_cast<double>(result.bytesMoved);
    }
}

QString text(const RunRecord& run, int column) {
    switch (column) {
    case RunsModel::Id:
        return QString::number(run.id);
    case RunsModel::Graph:
        return qs(run.graphName);
    case RunsModel::Cluster:
        return qs(run.clusterId);
    case RunsModel::Links:
        return qs(run.linkModel);
    case RunsModel::Method:
        return run.optimizer.empty() ? QStringLiteral("given plan") : qs(run.optimizer);
    case RunsModel::Status:
        return qs(toString(run.status));
    case RunsModel::Took:
        return run.status == RunStatus::Running ? qs(kDash)
               : run.wallMs == 0                ? QStringLiteral("< 1 ms")
                                                : qs(formatTime(run.wallMs * 1'000'000));
    case RunsModel::Started:
        return QDateTime::fromMSecsSinceEpoch(run.startedMs).toString(QStringLiteral("yyyy-MM-dd hh:mm:ss"));
    default:
        return resultText(run, column);
    }
}

QVariant sortValue(const RunRecord& run, int column) {
    switch (column) {
    case RunsModel::Id:
        return static_cast<qlonglong>(run.id);
    case RunsModel::Took:
        return static_cast<qlonglong>(run.wallMs);
    case RunsModel::Started:
        return static_cast<qlonglong>(run.startedMs);
    case RunsModel::StepTime:
    case RunsModel::Bound:
    case RunsModel::Gap:
    case RunsModel::Peak:
    case RunsModel::Moved:
        return resultValue(run, column);
    default:
        return text(run, column);
    }
}

bool isNumber(int column) {
    return column == RunsModel::Id || (column >= RunsModel::StepTime && column <= RunsModel::Moved) ||
           column == RunsModel::Took;
}

/// What the columns have no room for: the options, the seed, why it failed.
QString tip(const RunRecord& run) {
    QStringList lines{QStringLiteral("Run %1: %2 on %3, %4 links")
                          .arg(run.id)
                          .arg(text(run, RunsModel::Method), qs(run.clusterId), qs(run.linkModel))};
    lines << QStringLiteral("%1, %2; seed %3; version %4")
                 .arg(countedText(run.ops, "op"), countedText(run.edges, "edge"))
                 .arg(run.seed)
                 .arg(qs(run.version));
    for (const auto& [name, value] : run.options)
        lines << QStringLiteral("%1 = %2").arg(qs(name), qs(value));
    if (!run.graphPath.empty())
        lines << qs(run.graphPath);
    if (!run.error.empty())
        lines << qs(run.error);
    if (!run.notes.empty())
        lines << qs(run.notes);
    return lines.join(u'\n');
}

} // namespace

void RunsModel::setRuns(RunList runs) {
    // Most often runs were added at the front and the last ones moved on: keep the rows, so that the selection stays.
    const std::size_t before = m_runs ? m_runs->size() : 0, now = runs ? runs->size() : 0;
    const std::size_t added = now >= before ? now - before : 0;
    bool sameTail = now >= before && before > 0;
    for (std::size_t i = 0; sameTail && i < before; ++i)
        sameTail = (*m_runs)[i].id == (*runs)[i + added].id;
    if (!sameTail) {
        beginResetModel();
        m_runs = std::move(runs);
        endResetModel();
        return;
    }
    if (added > 0)
        beginInsertRows({}, 0, static_cast<int>(added) - 1);
    m_runs = std::move(runs);
    if (added > 0)
        endInsertRows();
    emit dataChanged(index(static_cast<int>(added), 0), index(rowCount() - 1, ColumnCount - 1));
}

void RunsModel::setShown(std::int64_t id) {
    m_shown = id;
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::FontRole});
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_runs ? 0 : static_cast<int>(m_runs->size());
}

int RunsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const RunRecord& record = run(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(record, index.column());
    case Qt::ToolTipRole:
        return tip(record);
    case Qt::TextAlignmentRole:
        return int((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole: {
        QFont font;
        font.setBold(record.id == m_shown);
        return font;
    }
    case SortRole:
        return sortValue(record, index.column());
    case RunIdRole:
        return static_cast<qlonglong>(record.id);
    case GraphHashRole:
        return qs(record.graphHash);
    default:
        return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    static const std::array<const char*, ColumnCount> kTitles{
        QT_TR_NOOP("Run"),         QT_TR_NOOP("Graph"),     QT_TR_NOOP("Cluster"),     QT_TR_NOOP("Links"),
        QT_TR_NOOP("Optimizer"),   QT_TR_NOOP("Step time"), QT_TR_NOOP("Lower bound"), QT_TR_NOOP("Gap"),
        QT_TR_NOOP("Peak memory"), QT_TR_NOOP("Moved"),     QT_TR_NOOP("Status"),      QT_TR_NOOP("Took"),
        QT_TR_NOOP("Started")};
    return tr(kTitles[static_cast<std::size_t>(section)]);
}

RunsFilter::RunsFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(RunsModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void RunsFilter::setGraph(const QString& hash) {
    if (hash == m_graph)
        return;
    m_graph = hash;
    invalidateFilter();
}

void RunsFilter::setWords(const QString& words) {
    m_words = words.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool RunsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex first = sourceModel()->index(row, 0, parent);
    if (!m_graph.isEmpty() && first.data(RunsModel::GraphHashRole).toString() != m_graph)
        return false;
    return std::ranges::all_of(m_words, [&](const QString& word) {
        for (int column = 0; column < sourceModel()->columnCount(parent); ++column) {
            if (first.siblingAtColumn(column).data().toString().contains(word, Qt::CaseInsensitive))
                return true;
        }
        return false;
    });
}

} // namespace opscape
