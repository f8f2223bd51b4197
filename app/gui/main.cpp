// SPDX-License-Identifier: MIT
#include "gui/command_line.h"
#include "gui/main_window.h"
#include "gui/screenshot.h"
#include "gui/widgets/start_page.h"
#include "gui/words.h"

#include <QApplication>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <clocale>
#include <cstdio>

namespace {

using namespace opscape;

bool hasDisplay() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

/// With no display there is still something to see: the same window, as a picture in the current folder.
void withoutDisplay(GuiOptions& options) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    if (options.file.empty() && options.run == 0 && options.compare.empty()) {
        if (const QStringList graphs = bundledGraphs(); !graphs.isEmpty())
            options.file = graphs.front().toStdString();
    }
    if (options.screenshot.empty()) {
        const std::string name = options.run > 0 ? "run-" + std::to_string(options.run)
                                                 : QFileInfo(qs(options.file)).completeBaseName().toStdString();
        options.screenshot = "opscape-" + (name.empty() ? "window" : name) + ".png";
        std::ranges::replace_if(
            options.screenshot, [](char c) { return c == ':' || c == ',' || c == '='; }, '-');
    }
    std::fprintf(stderr, "There is no display: the window is written to %s, with a text report beside it.\n",
                 options.screenshot.c_str());
}

Session::Start startOf(const GuiOptions& options) {
    Session::Start start;
    start.database = options.database;
    start.cluster.pathOrName = options.cluster;
    if (!options.optimizer.empty()) {
        start.optimizer = options.optimizer;
        start.keep = true;
    }
    return start;
}

ThemeMode themeOf(const GuiOptions& options, const QSettings& settings) {
    if (!options.theme.empty())
        return options.theme == "dark" ? ThemeMode::Dark : ThemeMode::Light;
    return static_cast<ThemeMode>(std::clamp(settings.value(QStringLiteral("window/theme"), 0).toInt(), 0, 2));
}

} // namespace

int main(int argc, char** argv) {
    auto parsed = parseCommandLine(argc, argv);
    if (const int* code = std::get_if<int>(&parsed))
        return *code;
    auto& options = std::get<GuiOptions>(parsed);
    if (!hasDisplay())
        withoutDisplay(options);
    const bool picture = !options.screenshot.empty();

    QCoreApplication::setApplicationName(QStringLiteral("opscape"));
    QCoreApplication::setApplicationVersion(QStringLiteral(OPSCAPE_VERSION));
    QApplication app(argc, argv);
    std::setlocale(LC_NUMERIC,
                   "C"); // the constructor took the system's; numbers are written and read the same everywhere

    // A picture shows the standard layout, whatever the person arranged, and leaves no trace.
    const QTemporaryDir scratch;
    const QString folder =
        picture ? scratch.path() : QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
    QSettings settings(folder + QStringLiteral("/window.ini"), QSettings::IniFormat);
    Look look;
    look.setMode(themeOf(options, settings));
    Session session(startOf(options));
    MainWindow window(session, look, settings);
    if (options.width > 0)
        window.resize(options.width, options.height);
    window.show();
    if (!options.pane.empty())
        window.raisePane(qs(options.pane));
    std::unique_ptr<Screenshot> screenshot;
    QTimer::singleShot(0, &window, [&] { // once the window is up
        if (!options.compare.empty())
            window.compareRuns({options.compare.begin(), options.compare.end()}, qs(options.compareView));
        else if (options.run > 0)
            session.openRun(options.run);
        else if (!options.file.empty())
            window.openFiles({qs(options.file)});
        if (picture)
            screenshot = std::make_unique<Screenshot>(window, session, qs(options.screenshot));
    });
    return QApplication::exec();
}
