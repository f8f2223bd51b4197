// SPDX-License-Identifier: MIT
// A real window over a folder of its own: its runs, settings, graph files and plugins are gone after the test. The
// plugins are those of the product, one that behaves as tests need, and one that is broken.
#pragma once

#include "gui/main_window.h"
#include "gui/sample_graph.h"
#include "support/temporary_folder.h"

#include <QApplication>
#include <QTest>

#include <gtest/gtest.h>

#include <functional>

namespace opscape::test {

/// The products's window with what it stands on.
struct WindowUnderTest {
    WindowUnderTest(const TemporaryFolder& folder, QSize size = {1000, 720});

    QSettings settings;
    Look look;
    Session session;
    MainWindow window;

    template <class Widget>
    [[nodiscard]] Widget* find(const char* name) {
        auto* widget = window.findChild<Widget*>(QString::fromLatin1(name));
        EXPECT_NE(widget, nullptr) << name;
        return widget;
    }
    /// Chooses a command by its text, as a person does in the menus; the text without mnemonics.
    void trigger(const char* text);
    /// A key of the window, which is active again after a dialog was closed.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    /// Until nothing is going on and the runs are listed.
    [[nodiscard]] bool settle();
};

class GuiTest : public testing::Test {
protected:
    GuiTest();
    ~GuiTest() override;

    /// Waits for something to become true, with the event loop running.
    [[nodiscard]] static bool waitFor(const std::function<bool()>& condition) {
        return QTest::qWaitFor(condition, 20'000);
    }
    [[nodiscard]] QString path(const char* name) const { return QString::fromStdString((folder / name).string()); }

    TemporaryFolder folder;
    QString graphFile; ///< the sample graph
};

/// How a widget looks right now.
[[nodiscard]] QImage pictureOf(QWidget* widget);

} // namespace opscape::test
