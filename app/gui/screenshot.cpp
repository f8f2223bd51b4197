// SPDX-License-Identifier: MIT
#include "gui/screenshot.h"

#include "gui/text_report.h"
#include "gui/words.h"

#include <opscape/base/paths.h>
#include <opscape/base/text.h>

#include <QCoreApplication>
#include <QFileInfo>
#include <QPixmap>

#include <cstdio>

namespace opscape {
namespace {

constexpr int kLookEveryMs = 60;
constexpr int kQuietLooks = 8; ///< longer than the watch on the runs takes to notice the last of a curve
constexpr qint64 kMostWaitedMs = 10 * 60 * 1000;

} // namespace

Screenshot::Screenshot(MainWindow& window, Session& session, const QString& file)
    : m_window(window),
      m_session(session),
      m_file(file) {
    connect(&m_timer, &QTimer::timeout, this, &Screenshot::look);
    m_timer.start(kLookEveryMs);
    m_waited.start();
}

void Screenshot::look() {
    const bool quiet = m_session.jobs().idle() && m_session.workbench() != nullptr && m_window.runsListed();
    m_quiet = quiet ? m_quiet + 1 : 0;
    if (m_quiet < kQuietLooks && m_waited.elapsed() < kMostWaitedMs)
        return;
    m_timer.stop();
    take();
}

void Screenshot::take() {
    const QFileInfo info(m_file);
    const QString report = info.path() + u'/' + info.completeBaseName() + QStringLiteral(".txt");
    const bool drawn = m_window.grab().save(m_file, "PNG");
    if (drawn)
        std::printf("%s\n", qPrintable(m_file));
    else
        std::fprintf(stderr, "%s: cannot be written; choose a folder that exists and is writable.\n",
                     qPrintable(m_file));
    const auto written =
        writeFile(report.toStdString(), printableLines(textReport(m_session, m_window.message()).toStdString()));
    if (written)
        std::printf("%s\n", qPrintable(report));
    else
        std::fprintf(stderr, "%s\n", written.error().message.c_str());
    if (!m_session.opened() && !m_window.message().isEmpty())
        std::fprintf(stderr, "%s\n", printable(m_window.message().toStdString()).c_str());
    const bool refused = !m_session.opened() && !m_window.message().isEmpty();
    QCoreApplication::exit(drawn && written && !refused ? 0 : 1);
}

} // namespace opscape
