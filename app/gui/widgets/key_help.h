// SPDX-License-Identifier: MIT
// The keys of the window, in one dialog (F1 or ?). Those of menu commands are read from the menus themselves.
#pragma once

#include <QDialog>
#include <QMenuBar>

namespace opscape {

/// Lists the numbered commands of a menu, one key each, in one line under the menu's title.
void helpAsOne(QMenu& menu);

class KeyHelp : public QDialog {
    Q_OBJECT
public:
    explicit KeyHelp(const QMenuBar& menus, QWidget* parent = nullptr);
};

} // namespace opscape
