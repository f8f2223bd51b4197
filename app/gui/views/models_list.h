// SPDX-License-Identifier: MIT
// The models that there are and those in training, as rows of a table.
#pragma once

#include "gui/look.h"
#include "gui/views/models_engine.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace opscape {

/// A name with the model under it, the training, or both.
struct ModelRow {
    std::string name;
    std::optional<ModelEntry> entry;
    std::optional<ModelTraining> training;
    std::vector<rl::PretrainPoint> curve; ///< of the training where there is one
    [[nodiscard]] bool isBundled() const { return entry && entry->place.isBundled(); }
    [[nodiscard]] double share() const; ///< of the training, 0 to 1
};
using ModelRows = std::shared_ptr<const std::vector<ModelRow>>;

/// All of them, bundled ones first, then by name.
[[nodiscard]] std::vector<ModelRow> readModelRows(const TaskRevisions& tasks);

class ModelsList : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, State, Greedy, BestOf64, On, Updates, Time, Size, ColumnCount };

    explicit ModelsList(Look& look, QObject* parent = nullptr);

    void setRows(ModelRows rows);
    [[nodiscard]] const ModelRow* row(int index) const;
    [[nodiscard]] int rowOf(const std::string& name) const; ///< -1: there is none

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const ModelRow& row, Column column) const;

    Look& m_look;
    ModelRows m_rows = std::make_shared<const std::vector<ModelRow>>();
};

} // namespace opscape
