// SPDX-License-Identifier: MIT
// Waits until the window has settled, then writes it as a PNG with a text report beside it, and quits the program.
#pragma once

#include "gui/main_window.h"

#include <QElapsedTimer>
#include <QTimer>

namespace opscape {

class Screenshot : public QObject {
    Q_OBJECT
public:
    Screenshot(MainWindow& window, Session& session, const QString& file);

private:
    void look();
    void take();

    MainWindow& m_window;
    Session& m_session;
    QString m_file;
    QTimer m_timer;
    QElapsedTimer m_waited;
    int m_quiet = 0; ///< looks in a row at which nothing was going on
};

} // namespace opscape
