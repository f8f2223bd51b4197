// SPDX-License-Identifier: MIT
#include "painting.h"

#include "report.h"

#include <QGuiApplication>

namespace opscape {
namespace {

/// Stderr is for our own sentences, not for Qt's remarks on the machine, such as a missing XDG_RUNTIME_DIR.
void dropRemarks(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtCriticalMsg || type == QtFatalMsg)
        printError(message.toStdString());
}

int count = 1; // Qt keeps a reference to it
char name[] = "opscape-cli";
char* arguments[] = {name, nullptr};

} // namespace

Painting::Painting() {
    qInstallMessageHandler(dropRemarks);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    m_application = std::make_unique<QGuiApplication>(count, arguments);
}

Painting::~Painting() = default;

} // namespace opscape
