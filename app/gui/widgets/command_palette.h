// SPDX-License-Identifier: MIT
// Every command of the menus, found by typing a part of its name (Ctrl+Shift+P). Read from the menus when it opens, so
// that there is nothing to keep in step. What was used last stands first.
#pragma once

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QPointer>
#include <QSettings>
#include <QStandardItemModel>

namespace opscape {

/// What the entries of a menu are called there, as in "Show or hide %1".
void titleInPalette(QMenu& menu, const QString& title);

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(const QMenuBar& menus, QSettings& settings, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Command {
        QString title, path, keys;
        QPointer<QAction> action;
        int lastUsed = 0; ///< rank among those used last, 0 the latest; behind them all when it was not
    };

    void collect(const QMenu& menu, const QString& path, const QStringList& used);
    void list();
    void run();

    QSettings& m_settings;
    std::vector<Command> m_commands;
    QLineEdit* m_field;
    QListView* m_list;
    QStandardItemModel* m_rows;
};

} // namespace opscape
