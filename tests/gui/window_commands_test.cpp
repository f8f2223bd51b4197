// SPDX-License-Identifier: MIT
// What belongs to the window as a whole: finding a command by its name, layouts under a name, and what was said.
#include "gui/gui_fixture.h"
#include "gui/views/problems_pane.h"
#include "gui/widgets/pane_header.h"

#include <QClipboard>
#include <QDockWidget>
#include <QInputDialog>
#include <QLineEdit>
#include <QListView>
#include <QTreeView>

namespace opscape::test {
namespace {

class WindowCommands : public GuiTest {
protected:
    struct Palette {
        QDialog* dialog;
        QLineEdit* field;
        QListView* list;
        [[nodiscard]] QString first() const { return list->model()->index(0, 0).data().toString(); }
    };
    static Palette openPalette(WindowUnderTest& t) {
        t.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* dialog = t.window.findChild<QDialog*>("commandPalette");
        if (dialog == nullptr) {
            ADD_FAILURE() << "no palette";
            std::abort();
        }
        EXPECT_TRUE(QTest::qWaitForWindowActive(dialog));
        return {dialog, dialog->findChild<QLineEdit*>("commandField"), dialog->findChild<QListView*>("commandList")};
    }
};

TEST_F(WindowCommands, TypingAPartOfACommandAndEnterDoesIt) {
    WindowUnderTest t(folder);
    const bool dark = t.look.theme().dark;
    const Palette palette = openPalette(t);
    QTest::keyClicks(palette.field, "switch dark");
    EXPECT_EQ(palette.first(), "Switch light and dark");
    QTest::keyClick(palette.field, Qt::Key_Return);
    EXPECT_TRUE(waitFor([&] { return t.look.theme().dark != dark; }));
    EXPECT_TRUE(waitFor([&] { return t.window.findChild<QDialog*>("commandPalette") == nullptr; }));
    EXPECT_EQ(openPalette(t).first(), "Switch light and dark") << "what was used last comes first";
}

TEST_F(WindowCommands, WhatIsNotPossibleIsListedLastAndDoesNothing) {
    WindowUnderTest t(folder);
    ASSERT_TRUE(t.settle());
    const Palette palette = openPalette(t);
    QTest::keyClicks(palette.field, "optimize");
    ASSERT_GT(palette.list->model()->rowCount(), 0);
    EXPECT_FALSE(palette.list->model()->index(0, 0).flags() & Qt::ItemIsEnabled) << "no graph is open";
    QTest::keyClick(palette.field, Qt::Key_Return);
    EXPECT_TRUE(palette.dialog->isVisible());
    palette.field->clear();
    bool disabledSeen = false;
    for (int row = 0; row < palette.list->model()->rowCount(); ++row) {
        const bool enabled = palette.list->model()->index(row, 0).flags() & Qt::ItemIsEnabled;
        EXPECT_FALSE(enabled && disabledSeen) << row;
        disabledSeen = disabledSeen || !enabled;
    }
    EXPECT_TRUE(disabledSeen);
    QTest::keyClick(palette.field, Qt::Key_Escape);
    EXPECT_TRUE(waitFor([&] { return t.window.findChild<QDialog*>("commandPalette") == nullptr; }));
}

TEST_F(WindowCommands, TheArrowsChooseAmongThemAndAModelOfTheZooIsOneOfThem) {
    WindowUnderTest t(folder);
    ASSERT_TRUE(t.settle());
    const Palette palette = openPalette(t);
    QTest::keyClicks(palette.field, "zoo alexnet");
    ASSERT_EQ(palette.list->model()->rowCount(), 1);
    palette.field->clear();
    QTest::keyClick(palette.field, Qt::Key_Down);
    QTest::keyClick(palette.field, Qt::Key_Down);
    EXPECT_EQ(palette.list->currentIndex().row(), 2);
    QTest::keyClick(palette.field, Qt::Key_Up);
    EXPECT_EQ(palette.list->currentIndex().row(), 1);
    QTest::keyClicks(palette.field, "zoo alexnet");
    QTest::keyClick(palette.field, Qt::Key_Return);
    EXPECT_TRUE(waitFor([&] { return t.session.opened() != nullptr; }));
    EXPECT_TRUE(t.settle());
}

TEST_F(WindowCommands, TheNameOfAPaneIsTheWayToIt) {
    WindowUnderTest t(folder);
    ASSERT_TRUE(t.settle());
    const Palette palette = openPalette(t);
    QTest::keyClicks(palette.field, "compare");
    EXPECT_EQ(palette.list->model()->index(0, 0).data().toString(), "Go to Compare");
    palette.field->clear();
    QTest::keyClicks(palette.field, "hide compare");
    EXPECT_EQ(palette.list->model()->index(0, 0).data().toString(), "Show or hide Compare (on)");
}

TEST_F(WindowCommands, ALayoutIsKeptUnderANameAndComesBackInTheNextWindow) {
    {
        WindowUnderTest t(folder);
        t.find<QDockWidget>("inspectorDock")->close();
        t.trigger("Keep this layout…");
        auto* dialog = t.window.findChild<QInputDialog*>("layoutName");
        ASSERT_NE(dialog, nullptr);
        dialog->setTextValue("no & inspector");
        dialog->accept();
        QCoreApplication::processEvents();
        t.trigger("Reset the layout");
        EXPECT_TRUE(t.find<QDockWidget>("inspectorDock")->isVisible());
        t.window.close();
    }
    WindowUnderTest t(folder);
    EXPECT_TRUE(t.find<QDockWidget>("inspectorDock")->isVisible());
    const auto layouts = [&t] {
        QStringList names;
        for (const QAction* action : t.window.findChildren<QAction*>()) {
            if (action->text() == "no && inspector")
                names << action->text();
        }
        return names;
    };
    EXPECT_EQ(layouts().size(), 2) << "to go to, and to forget";
    for (QAction* action : t.window.findChildren<QAction*>()) {
        if (action->text() == "no && inspector") {
            action->trigger();
            break;
        }
    }
    EXPECT_FALSE(t.find<QDockWidget>("inspectorDock")->isVisible());
    const auto all = t.window.findChildren<QAction*>();
    for (auto at = all.rbegin(); at != all.rend(); ++at) {
        if ((*at)->text() == "no && inspector") {
            (*at)->trigger();
            break;
        }
    }
    EXPECT_TRUE(waitFor([&] { return layouts().isEmpty(); }));
}

TEST_F(WindowCommands, WhatWasRefusedCanBeReadAgainAndCopied) {
    WindowUnderTest t(folder);
    ASSERT_TRUE(t.settle());
    auto* tree = t.find<QTreeView>("problems");
    const int before = tree->model()->rowCount();
    t.window.openFiles({path("missing.onnx")});
    ASSERT_TRUE(waitFor([&] { return tree->model()->rowCount() == before + 1; }));
    const QString refused = t.window.message();
    ASSERT_TRUE(refused.contains("missing.onnx"));
    const QModelIndex kind = tree->model()->index(before, 0);
    const QModelIndex sentence = tree->model()->index(0, 0, kind);
    QStringList said;
    for (const QLabel* label : t.window.findChild<ProblemsPane*>()->header()->findChildren<QLabel*>())
        said << label->toolTip();
    EXPECT_TRUE(said.contains(before == 0 ? QStringLiteral("1 kind, 1 of them warnings or errors")
                                          : QStringLiteral("%1 kinds, %1 of them warnings or errors").arg(before + 1)))
        << said.join(u'|').toStdString();
    EXPECT_EQ(sentence.data().toString(), refused);
    ASSERT_TRUE(t.window.raisePane("problems"));
    tree->expand(kind);
    tree->setCurrentIndex(sentence);
    tree->setFocus();
    QTest::keyClick(tree, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), refused);
}

} // namespace
} // namespace opscape::test
