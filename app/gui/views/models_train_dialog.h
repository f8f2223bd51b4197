// SPDX-License-Identifier: MIT
// Asks what a model is to be trained on and how: the lists and options of `opscape-cli train`, from their declarations
// alone, and a name.
#pragma once

#include "gui/look.h"
#include "gui/views/models_engine.h"
#include "gui/widgets/options_form.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

namespace opscape {

class ModelsTrainDialog : public QDialog {
    Q_OBJECT
public:
    explicit ModelsTrainDialog(Look& look, QWidget* parent = nullptr);

    [[nodiscard]] std::string name() const { return m_name->text().trimmed().toStdString(); }
    [[nodiscard]] TrainingWords words() const;

private:
    QWidget* makeList(const TrainingList& list);
    void check();

    Look& m_look;
    QLineEdit* m_name;
    std::map<std::string, QLineEdit*> m_lists;
    OptionsForm* m_form;
    QLabel* m_refusal;
    QPushButton* m_start;
    QTimer m_checking; ///< what the form says is looked at now and then
};

} // namespace opscape
