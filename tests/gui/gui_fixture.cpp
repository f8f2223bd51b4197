// SPDX-License-Identifier: MIT
#include "gui/gui_fixture.h"

#include <opscape/base/paths.h>

#include <QAction>

namespace opscape::test {
namespace {

namespace fs = std::filesystem;

Session::Start startIn(const TemporaryFolder& folder) {
    Session::Start start;
    start.database = folder / "runs.sqlite";
    start.runner = OPSCAPE_BINARY_DIR "/bin/opscape-cli";
    return start;
}

} // namespace

WindowUnderTest::WindowUnderTest(const TemporaryFolder& folder, QSize size)
    : settings(QString::fromStdString((folder / "window.ini").string()), QSettings::IniFormat),
      session(startIn(folder)),
      window(session, look, settings) {
    look.setMode(ThemeMode::Light);
    window.resize(size);
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
}

void WindowUnderTest::trigger(const char* text) {
    bool isThere = false; // several menus may have one of that name
    for (QAction* action : window.findChildren<QAction*>()) {
        if (QString(action->text()).remove(u'&') != QString::fromUtf8(text))
            continue;
        isThere = true;
        if (action->isEnabled())
            return action->trigger();
    }
    ADD_FAILURE() << (isThere ? "not possible: " : "no command ") << text;
}

void WindowUnderTest::press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(&window, key, modifiers);
}

bool WindowUnderTest::settle() {
    return QTest::qWaitFor(
        [this] { return session.jobs().idle() && session.workbench() != nullptr && window.runsListed(); }, 30'000);
}

GuiTest::GuiTest() {
    const fs::path plugins = folder / "plugins";
    fs::create_directories(plugins);
    for (const fs::path& from :
         {fs::path(OPSCAPE_BINARY_DIR "/lib/opscape/plugins"), fs::path(OPSCAPE_BINARY_DIR "/tests/plugins")}) {
        for (const auto& entry : fs::directory_iterator(from))
            fs::create_symlink(entry.path(), plugins / entry.path().filename());
    }
    EXPECT_TRUE(writeFile(plugins / "broken.so", "not a library").has_value());
    qputenv("OPSCAPE_PLUGINS", plugins.c_str());
    graphFile = path("sample.json");
    EXPECT_TRUE(writeGraph(sampleGraph(), graphFile.toStdString()).has_value());
}

GuiTest::~GuiTest() { qunsetenv("OPSCAPE_PLUGINS"); }

QImage pictureOf(QWidget* widget) {
    // What lies under the pointer or has the focus looks different; that is not the picture.
    if (QWidget* focused = QApplication::focusWidget())
        focused->clearFocus();
    return widget->grab().toImage();
}

} // namespace opscape::test
