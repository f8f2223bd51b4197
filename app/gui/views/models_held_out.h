// SPDX-License-Identifier: MIT
// What a model does on graphs that it was not trained on: the rows of its card, and those of the study of transfer
// where there is one.
#pragma once

#include "gui/models/rows_model.h"
#include "gui/views/models_list.h"
#include "gui/widgets/empty_hint.h"

#include <QComboBox>
#include <QTableView>

namespace opscape {

class ModelsHeldOut : public QWidget {
    Q_OBJECT
public:
    /// `study`: the table of results that comes with the product; it need not be there.
    explicit ModelsHeldOut(std::filesystem::path study, QWidget* parent = nullptr);

    /// Null: nothing is selected.
    void setRow(const ModelRow* row);
    [[nodiscard]] QTableView& table() { return *m_table; }

private:
    void fill();

    std::filesystem::path m_study;
    std::vector<rl::JudgedLesson> m_judged;
    std::string m_hash;
    QComboBox* m_source;
    QTableView* m_table;
    RowsModel* m_model;
    EmptyHint* m_hint;
};

} // namespace opscape
