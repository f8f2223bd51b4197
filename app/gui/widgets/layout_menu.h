// SPDX-License-Identifier: MIT
// Arrangements of the panes that were kept under a name, as a menu: go to one, keep the one at hand, forget one. They
// live in the settings.
#pragma once

#include <QMenu>
#include <QSettings>

#include <functional>

namespace opscape {

class LayoutMenu : public QMenu {
    Q_OBJECT
public:
    struct Panes {
        std::function<QByteArray()> state;              ///< how they are arranged now
        std::function<bool(const QByteArray&)> arrange; ///< false when the state is of another version
    };

    LayoutMenu(QSettings& settings, Panes panes, QWidget* parent = nullptr);

    /// Replaces what had that name.
    void keep(const QString& name);

signals:
    void said(const QString& sentence);

private:
    void refresh();
    void askForName();
    void goTo(const QString& name);
    void forget(const QString& name);

    QSettings& m_settings;
    Panes m_panes;
};

} // namespace opscape
