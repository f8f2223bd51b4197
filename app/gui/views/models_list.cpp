// SPDX-License-Identifier: MIT
#include "gui/views/models_list.h"

#include "gui/words.h"

#include <opscape/base/paths.h>
#include <opscape/base/units.h>

#include <QFont>

#include <algorithm>

namespace opscape {
namespace {

QString ratio(double value) { return value > 0 ? qs(fmt::format("{:.3f}", value)) : QStringLiteral("–"); }

QString duration(double seconds) {
    constexpr double kSecondsPerHour = 3600;
    return seconds < kSecondsPerHour ? qs(fmt::format("{:.0f} s", seconds))
                                     : qs(fmt::format("{:.1f} h", seconds / kSecondsPerHour));
}

/// The last look at what is kept out, of a training.
const rl::HeldOut* lastLook(const ModelRow& row) {
    for (auto point = row.curve.rbegin(); point != row.curve.rend(); ++point) {
        if (point->heldOut)
            return &*point->heldOut;
    }
    return nullptr;
}

QString stateText(const ModelRow& row) {
    if (row.training) {
        const QString state = qs(toString(row.training->state));
        return row.training->goesOn() ? ModelsList::tr("%1, %2%").arg(state).arg(static_cast<int>(row.share() * 100))
                                      : state;
    }
    if (!row.entry->problem.empty())
        return ModelsList::tr("cannot be used");
    return row.entry->isDefault ? ModelsList::tr("default") : QString();
}

bool isText(int column) {
    return column == ModelsList::Name || column == ModelsList::State || column == ModelsList::On;
}

/// Why it is not as it should be; empty when it is.
QString trouble(const ModelRow& row) {
    if (row.training && !row.training->why.empty())
        return qs(row.training->why);
    return row.entry ? qs(row.entry->problem) : QString();
}

} // namespace

double ModelRow::share() const { return training && !curve.empty() ? trainingShare(training->words, curve.back()) : 0; }

std::vector<ModelRow> readModelRows(const TaskRevisions& tasks) {
    std::vector<ModelRow> rows;
    for (ModelEntry& entry : listModels(tasks)) {
        ModelRow& row = rows.emplace_back();
        row.name = entry.place.name;
        row.curve = curveOf(entry);
        row.entry = std::move(entry);
    }
    for (ModelTraining& training : listTrainings()) {
        auto row = std::ranges::find(rows, training.name, &ModelRow::name);
        if (row == rows.end())
            row = rows.insert(rows.end(), ModelRow{training.name, {}, {}, {}});
        row->curve = parseTrainingCurve(readFile(TrainingFiles(training.name).curve).value_or(""));
        row->training = std::move(training);
    }
    std::ranges::stable_sort(rows, {}, [](const ModelRow& row) { return std::pair(!row.isBundled(), row.name); });
    return rows;
}

ModelsList::ModelsList(Look& look, QObject* parent) : QAbstractTableModel(parent), m_look(look) {
    connect(&look, &Look::changed, this, [this] {
        if (rowCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
}

void ModelsList::setRows(ModelRows rows) {
    const bool isSame = std::ranges::equal(*rows, *m_rows, {}, &ModelRow::name, &ModelRow::name);
    if (!isSame)
        beginResetModel();
    m_rows = std::move(rows);
    if (!isSame)
        endResetModel();
    else if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const ModelRow* ModelsList::row(int index) const {
    return index >= 0 && index < rowCount() ? &(*m_rows)[static_cast<std::size_t>(index)] : nullptr;
}

int ModelsList::rowOf(const std::string& name) const {
    const auto it = std::ranges::find(*m_rows, name, &ModelRow::name);
    return it == m_rows->end() ? -1 : static_cast<int>(it - m_rows->begin());
}

int ModelsList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows->size());
}

int ModelsList::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ModelsList::text(const ModelRow& row, Column column) const {
    const rl::Model* model = row.entry ? &row.entry->model : nullptr;
    const rl::PretrainPoint* last = row.curve.empty() ? nullptr : &row.curve.back();
    const bool isLive = row.training.has_value() && last != nullptr;
    const rl::HeldOut* seen = isLive ? lastLook(row) : nullptr;
    switch (column) {
    case Name:
        return qs(row.name);
    case State:
        return stateText(row);
    case On:
        if (model != nullptr)
            return qs(trainedOnText(*model));
        return row.training->words.contains("set") ? qs(row.training->words.at("set")) : QString();
    case Greedy:
        return ratio(seen != nullptr ? seen->greedy : model != nullptr ? model->heldOutGreedy : 0);
    case BestOf64:
        return ratio(seen != nullptr ? seen->bestOf64 : model != nullptr ? model->heldOutBestOf64 : 0);
    case Updates:
        return qs(formatCount(isLive ? last->update : model != nullptr ? model->updates : 0));
    case Time:
        return duration(isLive ? last->seconds : model != nullptr ? model->seconds : 0);
    case Size:
        return row.entry ? qs(formatBytes(row.entry->bytes)) : QStringLiteral("–");
    case ColumnCount:
        break;
    }
    return {};
}

QVariant ModelsList::data(const QModelIndex& index, int role) const {
    const ModelRow* its = index.isValid() ? row(index.row()) : nullptr;
    if (its == nullptr)
        return {};
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::DisplayRole)
        return text(*its, column);
    if (role == Qt::TextAlignmentRole)
        return int((isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return trouble(*its).isEmpty() ? text(*its, column) : trouble(*its);
    if (role == Qt::ForegroundRole && column == State && !trouble(*its).isEmpty())
        return m_look.warning();
    if (role == Qt::FontRole && column == Name && its->entry && its->entry->isDefault) {
        QFont font;
        font.setBold(true);
        return font;
    }
    return {};
}

QVariant ModelsList::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const QString titles[] = {tr("Model"),      tr("State"),   tr("Greedy"), tr("Best of 64"),
                              tr("Trained on"), tr("Updates"), tr("Time"),   tr("Size")};
    if (role == Qt::DisplayRole)
        return titles[section];
    if (role == Qt::ToolTipRole && (section == Greedy || section == BestOf64))
        return tr("Step time on graphs that it was not trained on, to that of the best simple plan, geometric mean; "
                  "below 1 is better");
    if (role == Qt::TextAlignmentRole)
        return int((isText(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

} // namespace opscape
