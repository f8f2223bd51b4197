// SPDX-License-Identifier: MIT
#include "gui/models/runs_model.h"

#include "gui/shown_text.h"
#include "gui/words.h"
#include "service/file_plan.h"
#include "service/run_again.h"
#include "service/run_status.h"

#include <opscape/base/units.h>
#include <opscape/sim/bounds.h>

#include <QDateTime>
#include <QFont>

#include <algorithm>
#include <utility>

namespace opscape {
namespace {

constexpr std::size_t kMostOfAnOption = 100; ///< letters of its value in a tip
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
    case RunsModel::Tags:
        return qs(fmt::format("{}", fmt::join(run.tags, " ")));
    case RunsModel::Notes:
        return qs(run.notes).simplified();
    default:
        return resultText(run, column);
    }
}

bool isNumber(int column) {
    return column == RunsModel::Id || (column >= RunsModel::StepTime && column <= RunsModel::Moved) ||
           column == RunsModel::Took;
}

struct Span {
    int first = 0, last = 0;
};

/// The spans of rows that are such.
std::vector<Span> spans(const std::vector<std::int64_t>& ids, const auto& isSuch) {
    std::vector<Span> found;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!isSuch(ids[i]))
            continue;
        const int row = static_cast<int>(i);
        if (!found.empty() && found.back().last == row - 1)
            found.back().last = row;
        else
            found.push_back({row, row});
    }
    return found;
}

constexpr std::size_t kMostSpans = 64;      ///< beyond that it is another table
constexpr std::size_t kMostRecords = 4'096; ///< that are kept loaded

} // namespace

RunField RunsModel::fieldOf(int column) {
    static constexpr std::array<RunField, ColumnCount> kFields{
        RunField::Id,        RunField::Graph,    RunField::Cluster, RunField::Links,
        RunField::Optimizer, RunField::StepTime, RunField::Bound,   RunField::Gap,
        RunField::Peak,      RunField::Moved,    RunField::Status,  RunField::Took,
        RunField::Started,   RunField::Tags,     RunField::Notes,   RunField::Revision};
    return kFields[static_cast<std::size_t>(column)];
}

int RunsModel::rowOf(std::int64_t id) const {
    const auto at = m_rows.find(id);
    return at == m_rows.end() ? -1 : at->second;
}

const RunRecord* RunsModel::loaded(std::int64_t id) const {
    const auto at = m_records.find(id);
    return at == m_records.end() ? nullptr : &at->second;
}

void RunsModel::keep(const RunRecord& run) {
    if (m_records.insert_or_assign(run.id, run).second)
        m_loadedOrder.push_back(run.id);
    while (m_loadedOrder.size() > kMostRecords) {
        m_records.erase(m_loadedOrder.front());
        m_loadedOrder.pop_front();
    }
}

void RunsModel::setListing(const RunListing& listing) {
    // What was loaded may be out of date. What is in view comes along, so that nothing flickers.
    m_records.clear();
    m_loadedOrder.clear();
    m_asked.clear();
    m_missing.clear();
    m_paused = listing.paused;
    for (const RunRecord& run : listing.inView)
        keep(run);
    become(listing.ids);
    rowsChanged();
}

void RunsModel::become(std::vector<std::int64_t> ids) {
    if (ids == m_ids)
        return;
    std::unordered_map<std::int64_t, int> rows;
    for (std::size_t i = 0; i < ids.size(); ++i)
        rows.emplace(ids[i], static_cast<int>(i));
    const auto gone = spans(m_ids, [&rows](std::int64_t id) { return !rows.contains(id); });
    const auto fresh = spans(ids, [this](std::int64_t id) { return !m_rows.contains(id); });
    if (gone.size() + fresh.size() > kMostSpans) {
        beginResetModel();
        m_ids = std::move(ids);
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    for (auto span = gone.rbegin(); span != gone.rend(); ++span) {
        beginRemoveRows({}, span->first, span->last);
        m_ids.erase(m_ids.begin() + span->first, m_ids.begin() + span->last + 1);
        endRemoveRows();
    }
    std::vector<std::int64_t> stayed;
    std::ranges::copy_if(ids, std::back_inserter(stayed), [this](std::int64_t id) { return m_rows.contains(id); });
    if (stayed != m_ids) {
        emit layoutAboutToBeChanged({}, VerticalSortHint);
        std::unordered_map<std::int64_t, int> places;
        for (std::size_t i = 0; i < stayed.size(); ++i)
            places.emplace(stayed[i], static_cast<int>(i));
        const QModelIndexList before = persistentIndexList();
        QModelIndexList after;
        for (const QModelIndex& index : before)
            after << this->index(places.at(idAt(index.row())), index.column());
        m_ids = std::move(stayed);
        changePersistentIndexList(before, after);
        emit layoutChanged({}, VerticalSortHint);
    }
    for (const Span& span : fresh) {
        beginInsertRows({}, span.first, span.last);
        m_ids.insert(m_ids.begin() + span.first, ids.begin() + span.first, ids.begin() + span.last + 1);
        endInsertRows();
    }
    m_rows = std::move(rows);
}

void RunsModel::rowsChanged() {
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void RunsModel::addRecords(const std::vector<RunRecord>& runs) {
    int first = rowCount(), last = -1;
    for (const RunRecord& run : runs) {
        m_asked.erase(run.id);
        const int row = rowOf(run.id);
        if (row < 0)
            continue;
        keep(run);
        first = std::min(first, row);
        last = std::max(last, row);
    }
    if (last >= first)
        emit dataChanged(index(first, 0), index(last, ColumnCount - 1));
}

void RunsModel::ask() const {
    m_willAsk = false;
    std::vector<qint64> runs;
    for (const int page : m_missing) {
        for (int row = page * kPage; row < std::min(rowCount(), (page + 1) * kPage); ++row) {
            const std::int64_t id = idAt(row);
            if (!m_records.contains(id) && m_asked.insert(id).second)
                runs.push_back(id);
        }
    }
    m_missing.clear();
    if (!runs.empty())
        emit needed(runs);
}

void RunsModel::setShown(std::int64_t id) {
    m_shown = id;
    rowsChanged();
}

void RunsModel::setRevisions(std::map<std::string, int> revisions) {
    m_revisions = std::move(revisions);
    rowsChanged();
}

void RunsModel::setPinIcon(const QIcon& icon) {
    m_pin = icon;
    rowsChanged();
}

int RunsModel::revisionNow(const RunRecord& run) const {
    const auto at = m_revisions.find(run.optimizer);
    return at == m_revisions.end() ? 0 : at->second;
}

QString RunsModel::madeBy(const RunRecord& run) const {
    if (run.optimizer.empty() || run.optimizer == kAsInFile)
        return qs(run.version);
    QString revision = QStringLiteral("r%1").arg(run.revision);
    if (const int now = revisionNow(run); now != 0 && now != run.revision)
        revision += tr(", now r%1").arg(now);
    return QStringLiteral("%1 · %2").arg(qs(run.version), revision);
}

/// What the columns have no room for: the options, the seed, why it failed.
QString RunsModel::tip(const RunRecord& run) const {
    QStringList lines{QStringLiteral("Run %1: %2 on %3, %4 links")
                          .arg(run.id)
                          .arg(text(run, Method), qs(run.clusterId), qs(run.linkModel))};
    lines << QStringLiteral("%1, %2; seed %3; version %4")
                 .arg(countedText(run.ops, "op"), countedText(run.edges, "edge"))
                 .arg(run.seed)
                 .arg(qs(run.version));
    if (const std::string remark = revisionRemark(run, revisionNow(run)); !remark.empty())
        lines << qs(remark);
    for (const auto& [name, value] : run.options)
        lines << QStringLiteral("%1 = %2").arg(qs(name), qs(elide(value, kMostOfAnOption)));
    if (!run.graphPath.empty())
        lines << qs(run.graphPath);
    if (!run.error.empty())
        lines << qs(run.error);
    if (!run.notes.empty())
        lines << qs(run.notes);
    return lines.join(u'\n');
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_ids.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const std::int64_t id = idAt(index.row());
    switch (role) {
    case RunIdRole:
        return static_cast<qlonglong>(id);
    case Qt::TextAlignmentRole:
        return int((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole: {
        QFont font;
        font.setBold(id == m_shown);
        return font;
    }
    case Qt::DisplayRole:
        if (index.column() == Id)
            return QString::number(id);
        break;
    case Qt::EditRole:
    case Qt::ToolTipRole:
    case Qt::DecorationRole:
        break;
    default:
        return {};
    }
    const RunRecord* run = loaded(id);
    if (run != nullptr && role == Qt::DisplayRole && index.column() == Status)
        return qs(statusText(*run, m_paused.contains(id)));
    if (run == nullptr) {
        m_missing.insert(index.row() / kPage);
        if (!m_willAsk) {
            m_willAsk = true;
            QMetaObject::invokeMethod(
                const_cast<RunsModel*>(this), [this] { ask(); }, Qt::QueuedConnection);
        }
        return {};
    }
    if (role == Qt::ToolTipRole)
        return tip(*run);
    if (role == Qt::DecorationRole)
        return index.column() == Id && run->pinned ? QVariant(m_pin) : QVariant();
    if (index.column() == MadeBy)
        return madeBy(*run);
    return role == Qt::EditRole && index.column() == Notes ? qs(run->notes) : text(*run, index.column());
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    const bool editable = index.column() == Tags || index.column() == Notes;
    return QAbstractTableModel::flags(index) | (editable ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid())
        return false;
    const auto at = m_records.find(idAt(index.row()));
    if (at == m_records.end() || value.toString() == data(index, Qt::EditRole).toString())
        return false;
    // Shown at once; if it cannot be kept, the next listing shows what is.
    RunRecord& run = at->second;
    if (index.column() == Tags) {
        const auto before = std::exchange(run.tags, parseTags(value.toString().toStdString()));
        emit tagsEdited(run.id, before, run.tags);
    } else {
        run.notes = value.toString().toStdString();
        emit notesEdited(run.id, value.toString());
    }
    emit dataChanged(index, index);
    return true;
}

void RunsModel::sort(int column, Qt::SortOrder order) {
    if (column >= 0)
        emit sortRequested(column, order);
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
        QT_TR_NOOP("Started"),     QT_TR_NOOP("Tags"),      QT_TR_NOOP("Notes"),       QT_TR_NOOP("Made by")};
    return tr(kTitles[static_cast<std::size_t>(section)]);
}

} // namespace opscape
