// SPDX-License-Identifier: MIT
// Does the desktop ask for dark windows? Asks the XDG settings portal, which GNOME, KDE and others answer, without
// waiting for it, and says so again when the person changes it. Silent where there is no session bus.
#pragma once

#include <QDBusVariant>
#include <QObject>

namespace opscape {

class SystemTheme : public QObject {
    Q_OBJECT
public:
    explicit SystemTheme(QObject* parent = nullptr);

signals:
    void darkChanged(bool dark);

private slots:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);
};

} // namespace opscape
