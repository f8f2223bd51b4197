// SPDX-License-Identifier: MIT
// The kept runs as a table, newest first. Sorting and filtering are a proxy's work: SortRole gives each cell as a
// number or a text that sorts as people expect.
#pragma once

#include <opscape/store/run_store.h>

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace opscape {

using RunList = std::shared_ptr<const std::vector<RunRecord>>;

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
        ColumnCount
    };
    enum Role { SortRole = Qt::UserRole + 1, RunIdRole, GraphHashRole };

    explicit RunsModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setRuns(RunList runs);
    /// The run shown in the window: its number is bold.
    void setShown(std::int64_t id);
    [[nodiscard]] const RunRecord& run(int row) const { return (*m_runs)[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    RunList m_runs;
    std::int64_t m_shown = 0;
};

/// Runs of one graph, or of all; with all of some words in any of their cells.
class RunsFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit RunsFilter(QObject* parent = nullptr);
    /// Empty: of all graphs.
    void setGraph(const QString& hash);
    void setWords(const QString& words);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString m_graph;
    QStringList m_words;
};

} // namespace opscape
