// SPDX-License-Identifier: MIT
// How the window looks: light or dark, following the system unless the person chose one. Owns the palette, the style
// sheet and the icons, which are drawn in the colour of the text.
#pragma once

#include "render/theme.h"

#include <QIcon>
#include <QObject>

namespace opscape {

enum class ThemeMode { System, Light, Dark };

class Look : public QObject {
    Q_OBJECT
public:
    explicit Look(QObject* parent = nullptr);

    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] ThemeMode mode() const { return m_mode; }
    void setMode(ThemeMode mode);

    [[nodiscard]] QColor accent() const;
    [[nodiscard]] QColor border() const;
    [[nodiscard]] QColor good() const;    ///< the better of two values
    [[nodiscard]] QColor warning() const; ///< text that asks for attention
    [[nodiscard]] QColor error() const;

    [[nodiscard]] QIcon icon(const QString& name) const;
    /// Gives an action or a button its icon, now and whenever the look changes.
    template <class T>
    void dress(T* target, const QString& name) {
        target->setIcon(icon(name));
        connect(this, &Look::changed, target, [this, target, name] { target->setIcon(icon(name)); });
    }

signals:
    void changed();

private:
    void setSystemDark(bool dark);
    void apply();

    ThemeMode m_mode = ThemeMode::System;
    bool m_systemDark = false;
    Theme m_theme;
};

} // namespace opscape
