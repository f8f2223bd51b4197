// SPDX-License-Identifier: MIT
// Choosing a model of the zoo: which, in what size, and its parameters.
#pragma once

#include "gui/look.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QScrollArea>

namespace opscape {

class OptionsForm;

class ZooDialog : public QDialog {
    Q_OBJECT
public:
    explicit ZooDialog(Look& look, QWidget* parent = nullptr);

    /// "zoo:rnnlm4,paper,hidden=512", to be opened like a file.
    [[nodiscard]] QString source() const;

private:
    void showModel();

    Look& m_look;
    QComboBox *m_model, *m_preset;
    QLabel* m_summary;
    QScrollArea* m_scroll;
    OptionsForm* m_form = nullptr;
};

} // namespace opscape
