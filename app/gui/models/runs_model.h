// SPDX-License-Identifier: MIT
// The kept runs as a table. It knows the numbers of all runs that are asked for, in order; what is said of them is
// loaded as it comes into view, by whoever answers needed(). Sorting and filtering are the database's work.
#pragma once

#include <opscape/store/run_store.h>

#include <QAbstractTableModel>
#include <QIcon>

#include <deque>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace opscape {

using RunList = std::shared_ptr<const std::vector<RunRecord>>;

/// What is to be listed, and which rows are in view.
struct RunQuestion {
    std::uint64_t number = 0;
    RunQuery query;
    int first = 0, count = 0;
};

/// The answer: all numbers, in order, and what is said of the rows that were in view.
struct RunListing {
    std::uint64_t number = 0; ///< of the question
    std::vector<std::int64_t> ids;
    std::int64_t total = 0; ///< of all runs, whatever was asked for
    std::vector<RunRecord> inView;
    std::set<std::int64_t> paused; ///< of all runs
};
using RunListingPtr = std::shared_ptr<const RunListing>;

class RunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Id,
        Graph,
        Cluster,
        Links,
        Method,
        StepTime,
        Bound,
        Gap,
        Peak,
        Moved,
        Status,
        Took,
        Started,
        Tags,
        Notes,
        MadeBy,
        ColumnCount
    };
    enum Role { RunIdRole = Qt::UserRole + 1 };
    static constexpr int kPage = 64; ///< rows that are loaded together

    explicit RunsModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setListing(const RunListing& listing);
    /// What needed() asked for.
    void addRecords(const std::vector<RunRecord>& runs);
    /// The run shown in the window: its number is bold.
    void setShown(std::int64_t id);
    /// The revisions that the optimizers have now, by id.
    void setRevisions(std::map<std::string, int> revisions);
    void setPinIcon(const QIcon& icon);
    /// Null while it is not loaded.
    [[nodiscard]] const RunRecord* loaded(std::int64_t id) const;
    [[nodiscard]] std::int64_t idAt(int row) const { return m_ids[static_cast<std::size_t>(row)]; }
    /// -1 when it is not listed.
    [[nodiscard]] int rowOf(std::int64_t id) const;
    /// True while rows that were looked at are not loaded.
    [[nodiscard]] bool waits() const { return !m_asked.empty() || m_willAsk; }
    [[nodiscard]] static RunField fieldOf(int column);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    /// Asks for another order; the rows move once they are listed in it.
    void sort(int column, Qt::SortOrder order) override;

signals:
    void needed(const std::vector<qint64>& runs) const;
    void sortRequested(int column, Qt::SortOrder order);
    void tagsEdited(qint64 run, const std::vector<std::string>& before, const std::vector<std::string>& after);
    void notesEdited(qint64 run, const QString& text);

private:
    void become(std::vector<std::int64_t> ids);
    void keep(const RunRecord& run);
    void rowsChanged();
    void ask() const;
    [[nodiscard]] QString tip(const RunRecord& run) const;
    [[nodiscard]] int revisionNow(const RunRecord& run) const;
    [[nodiscard]] QString madeBy(const RunRecord& run) const;

    std::vector<std::int64_t> m_ids;
    std::unordered_map<std::int64_t, int> m_rows; ///< of m_ids
    std::unordered_map<std::int64_t, RunRecord> m_records;
    std::deque<std::int64_t> m_loadedOrder;           ///< of m_records, the oldest first
    mutable std::unordered_set<std::int64_t> m_asked; ///< not loaded yet
    mutable std::unordered_set<int> m_missing;        ///< pages to be asked for
    mutable bool m_willAsk = false;
    std::set<std::int64_t> m_paused; ///< as of the last listing
    std::map<std::string, int> m_revisions;
    QIcon m_pin;
    std::int64_t m_shown = 0;
};

} // namespace opscape
