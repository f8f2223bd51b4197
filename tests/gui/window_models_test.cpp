// SPDX-License-Identifier: MIT
// Models as a person handles them in the window: looked at, made the default, deleted, trained in a process of their
// own, paused, stopped, and gone on with after that has died.
#include "gui/gui_fixture.h"
#include "gui/views/models_pane.h"
#include "gui/widgets/options_form.h"
#include "support/model_file.h"

#include <opscape/base/paths.h>

#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <unistd.h>

#include <csignal>

namespace opscape::test {
namespace {

class WindowModels : public GuiTest {
protected:
    WindowModels() {
        qputenv("XDG_DATA_HOME", (folder / "user").c_str());
        std::filesystem::create_directories(rl::userModelFolder());
        EXPECT_TRUE(writeFile(folder / "recipe.json", R"({"opscape_recipe": 1, "families": ["alexnet"], "lessons": 2,
            "validation": ["vgg"], "validation_lessons": 1, "random_share": 0, "ops": [100, 300], "devices": [2, 2]})"));
    }
    ~WindowModels() override {
        for (const ModelTraining& training : listTrainings()) { // of a test that failed
            if (training.goesOn() && training.process != ::getpid())
                ::kill(static_cast<pid_t>(training.process), SIGKILL);
        }
        qunsetenv("XDG_DATA_HOME");
    }

    static void put(const char* name, const rl::Model& model) {
        EXPECT_TRUE(rl::writeModel(model, *rl::userModelFile(name)));
    }
    /// Of this build.
    static std::map<std::string, int> revisions(WindowUnderTest& t) {
        std::map<std::string, int> all;
        for (const DecisionTask* task : t.session.workbench()->registry().tasks()) {
            if (task->info().id != "fusion")
                all[task->info().id] = task->info().revision;
        }
        return all;
    }
    static ModelsPane& pane(WindowUnderTest& t) { return *t.window.findChild<ModelsPane*>(); }
    static QString cell(WindowUnderTest& t, const char* name, ModelsList::Column column) {
        const int row = pane(t).list().rowOf(name);
        return pane(t).list().index(row, column).data().toString();
    }
    static bool has(WindowUnderTest& t, const char* name) { return pane(t).list().rowOf(name) >= 0; }
    static QString state(WindowUnderTest& t, const char* name) { return cell(t, name, ModelsList::State); }
    /// The pane in front, with the focus in its table.
    void open(WindowUnderTest& t) {
        ASSERT_TRUE(t.settle());
        t.press(Qt::Key_9, Qt::ControlModifier);
        ASSERT_EQ(QApplication::focusWidget(), &pane(t).table());
    }
    static void select(WindowUnderTest& t, const char* name) { pane(t).table().selectRow(pane(t).list().rowOf(name)); }
    /// A key of the table, which is active again after a dialog was closed.
    static void key(WindowUnderTest& t, Qt::Key key) {
        t.window.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window));
        pane(t).table().setFocus();
        QTest::keyClick(&pane(t).table(), key);
    }
    /// By keys and clicks: a name, the recipe of this test, so many updates.
    void train(WindowUnderTest& t, const char* name, int updates) {
        key(t, Qt::Key_N);
        auto* dialog = t.window.findChild<QDialog*>("trainDialog");
        ASSERT_NE(dialog, nullptr);
        ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
        auto* named = dialog->findChild<QLineEdit*>("modelName");
        named->selectAll();
        QTest::keyClicks(named, name);
        auto* set = dialog->findChild<QLineEdit*>("list-set");
        set->selectAll();
        QTest::keyClicks(set, path("recipe.json"));
        dialog->findChild<QDoubleSpinBox*>("option-hours")->setValue(0);
        dialog->findChild<QSpinBox*>("option-updates")->setValue(updates);
        dialog->findChild<QSpinBox*>("option-slots")->setValue(1);
        dialog->findChild<QSpinBox*>("option-samples")->setValue(4);
        auto* start = dialog->findChild<QPushButton*>("trainButton");
        QTest::qWait(300);
        ASSERT_TRUE(start->isEnabled());
        QTest::mouseClick(start, Qt::LeftButton);
    }
};

TEST_F(WindowModels, AreListedWithCardCurveAndKeptOutGraphs) {
    WindowUnderTest t(folder, {1600, 1000});
    open(t);
    rl::Model odd = sampleModel(revisions(t));
    odd.network["features"] = "3 of revision 0";
    put("good", sampleModel(revisions(t)));
    put("odd", odd);
    ASSERT_TRUE(waitFor([&] { return has(t, "good") && has(t, "odd"); })) << "whoever puts them there";
    select(t, "good");
    EXPECT_EQ(state(t, "good"), "");
    EXPECT_EQ(cell(t, "good", ModelsList::Greedy), "1.153");
    EXPECT_TRUE(pane(t).card().contains("0d5df716")) << pane(t).card().toStdString();
    EXPECT_EQ(pane(t).curve().points(), 40);
    EXPECT_EQ(pane(t).curve().looks(), 4);
    const QAbstractItemModel* rows = pane(t).heldOut().table().model();
    ASSERT_EQ(rows->rowCount(), 2);
    EXPECT_EQ(rows->index(0, 0).data().toString(), "gpt2 layers=3");
    EXPECT_EQ(rows->index(0, 2).data().toString(), "0.950");
    EXPECT_EQ(state(t, "odd"), "cannot be used");
    select(t, "odd");
    EXPECT_TRUE(pane(t).card().contains("has features 3 of revision 0")) << pane(t).card().toStdString();
    key(t, Qt::Key_V);
    EXPECT_FALSE(pane(t).curve().isVisible());
    key(t, Qt::Key_V);
    EXPECT_TRUE(pane(t).curve().isVisible());
}

TEST_F(WindowModels, ASmallWindowShowsWhatAModelIsWorthWithoutScrolling) {
    WindowUnderTest t(folder, {1280, 720});
    open(t);
    pane(t).curve().setCurve({});
    EXPECT_FALSE(pane(t).curve().axisRect()->visible()) << "axes of nothing";
    put("good", sampleModel(revisions(t)));
    ASSERT_TRUE(waitFor([&] { return has(t, "good"); }));
    select(t, "good");
    const QTableView& table = pane(t).heldOut().table();
    constexpr int kBest = 2; // over the simple plan
    ASSERT_EQ(table.model()->index(0, kBest).data().toString(), "0.950");
    const auto isSeen = [&] {
        return table.columnViewportPosition(kBest) + table.columnWidth(kBest) <= table.viewport()->width();
    };
    EXPECT_TRUE(isSeen());
    select(t, "bundled/default");
    ASSERT_GT(table.model()->rowCount(), 20) << "enough for a scroll bar";
    EXPECT_TRUE(isSeen());
    select(t, "good");
    ModelsCurve& curve = pane(t).curve();
    EXPECT_TRUE(curve.axisRect()->visible());
    curve.replot();
    int labels = 0;
    for (int i = 0; i < curve.itemCount(); ++i) {
        if (const auto* label = qobject_cast<QCPItemText*>(curve.item(i)); label != nullptr && label->visible()) {
            ++labels;
            EXPECT_LE(label->right->pixelPosition().x(), curve.width()) << label->text().toStdString();
            EXPECT_FALSE(label->clipToAxisRect());
        }
    }
    EXPECT_EQ(labels, 3);
}

TEST_F(WindowModels, DMakesOneTheDefaultForEveryProgram) {
    WindowUnderTest t(folder);
    open(t);
    put("mine", sampleModel(revisions(t)));
    ASSERT_TRUE(waitFor([&] { return has(t, "mine"); }));
    select(t, "mine");
    key(t, Qt::Key_D);
    EXPECT_EQ(rl::defaultModel(), "mine");
    ASSERT_TRUE(waitFor([&] { return state(t, "mine") == "default"; }));
    key(t, Qt::Key_D);
    EXPECT_EQ(rl::defaultModel(), rl::kNoModel);
    ASSERT_TRUE(waitFor([&] { return state(t, "mine").isEmpty(); }));
}

TEST_F(WindowModels, AFileOfOneIsImportedAndDeletedOnceThatIsAnswered) {
    WindowUnderTest t(folder);
    open(t);
    ASSERT_TRUE(rl::writeModel(sampleModel(revisions(t)), folder / "theirs.opscape-model"));
    t.window.openFiles({path("theirs.opscape-model")}); // as when it is dropped on the window
    ASSERT_TRUE(waitFor([&] { return has(t, "theirs"); }));
    EXPECT_TRUE(t.window.message().contains("kept as theirs"));
    ASSERT_TRUE(waitFor([&] { return pane(t).table().currentIndex().isValid(); }));
    pane(t).exportModel(path("out.opscape-model"));
    EXPECT_TRUE(rl::readModel(folder / "out.opscape-model").has_value());
    for (const char* answer : {"", "deleteButton"}) {
        key(t, Qt::Key_Delete);
        auto* box = t.window.findChild<QMessageBox*>("deleteQuestion");
        ASSERT_NE(box, nullptr);
        if (auto* pressed = box->findChild<QPushButton*>(QString::fromLatin1(answer)); *answer != '\0')
            QTest::mouseClick(pressed, Qt::LeftButton);
        else
            QTest::keyClick(box, Qt::Key_Escape);
        ASSERT_TRUE(waitFor([&] { return t.window.findChild<QMessageBox*>("deleteQuestion") == nullptr; }));
        EXPECT_EQ(std::filesystem::exists(*rl::userModelFile("theirs")), *answer == '\0');
    }
    ASSERT_TRUE(waitFor([&] { return !has(t, "theirs"); }));
}

TEST_F(WindowModels, TheDialogIsMadeOfTheOptionsOfTheCommandLineAndRefusesWhileOneTypes) {
    WindowUnderTest t(folder);
    open(t);
    key(t, Qt::Key_N);
    auto* dialog = t.window.findChild<QDialog*>("trainDialog");
    ASSERT_NE(dialog, nullptr);
    for (const OptionSpec& spec : trainingOptions())
        EXPECT_NE(dialog->findChild<QWidget*>(QString::fromStdString("option-" + spec.name)), nullptr) << spec.name;
    auto* set = dialog->findChild<QLineEdit*>("list-set");
    auto* start = dialog->findChild<QPushButton*>("trainButton");
    auto* refusal = dialog->findChild<QLabel*>("trainRefusal");
    EXPECT_TRUE(start->isEnabled());
    set->selectAll();
    QTest::keyClicks(set, "alexnett");
    ASSERT_TRUE(waitFor([&] { return !start->isEnabled(); }));
    EXPECT_TRUE(refusal->text().contains("alexnett")) << refusal->text().toStdString();
    set->clear();
    QMenu* menu = nullptr;
    for (auto* button : dialog->findChildren<QToolButton*>()) {
        if (button->accessibleName() == "Choose: Set")
            menu = button->menu();
    }
    ASSERT_NE(menu, nullptr);
    for (QAction* action : menu->actions()) {
        if (action->text() == "gnmt" || action->text() == "vgg")
            action->trigger();
    }
    EXPECT_EQ(set->text(), "gnmt, vgg");
    ASSERT_TRUE(waitFor([&] { return start->isEnabled(); }));
    auto* name = dialog->findChild<QLineEdit*>("modelName");
    name->setText("no/name");
    ASSERT_TRUE(waitFor([&] { return !start->isEnabled(); }));
    QTest::keyClick(dialog, Qt::Key_Escape);
    EXPECT_TRUE(listTrainings().empty());
}

TEST_F(WindowModels, OneIsTrainedInAProcessOfItsOwnPausedStoppedAndGoneOnWith) {
    WindowUnderTest t(folder, {1600, 900});
    open(t);
    train(t, "fresh", 100'000);
    ASSERT_TRUE(waitFor([&] { return has(t, "fresh") && pane(t).curve().points() > 2; })) << "its curve is followed";
    EXPECT_TRUE(state(t, "fresh").startsWith("training")) << state(t, "fresh").toStdString();
    EXPECT_NE(findTraining("fresh")->process, ::getpid());
    key(t, Qt::Key_P);
    ASSERT_TRUE(waitFor([&] { return state(t, "fresh").startsWith("paused"); }));
    QTest::qWait(500);
    const int before = pane(t).curve().points();
    QTest::qWait(600);
    EXPECT_EQ(pane(t).curve().points(), before);
    key(t, Qt::Key_P);
    ASSERT_TRUE(waitFor([&] { return pane(t).curve().points() > before; }));
    key(t, Qt::Key_T);
    ASSERT_TRUE(waitFor([&] { return state(t, "fresh") == "stopped"; }));
    EXPECT_TRUE(std::filesystem::exists(*rl::userModelFile("fresh"))) << "the model so far";
    const int stopped = pane(t).curve().points();
    key(t, Qt::Key_P);
    ASSERT_TRUE(waitFor([&] { return pane(t).curve().points() > stopped; })) << "the same training";
    const auto process = static_cast<pid_t>(findTraining("fresh")->process);
    ::kill(process, SIGKILL);
    ASSERT_TRUE(waitFor([&] { return state(t, "fresh") == "died"; }));
    EXPECT_TRUE(pane(t).card().contains("SIGKILL")) << pane(t).card().toStdString();
    EXPECT_TRUE(t.window.message().contains("SIGKILL")) << t.window.message().toStdString();
}

TEST_F(WindowModels, ATrainingOutlivesItsWindowAndIsFoundByTheNextAndFinishes) {
    {
        WindowUnderTest t(folder);
        open(t);
        train(t, "fresh", 20);
        ASSERT_TRUE(waitFor([&] { return has(t, "fresh") && pane(t).curve().points() > 2; }));
        t.window.close();
    }
    WindowUnderTest t(folder);
    open(t);
    ASSERT_TRUE(waitFor([&] { return has(t, "fresh"); }));
    ASSERT_TRUE(waitFor([&] { return state(t, "fresh").isEmpty(); })) << state(t, "fresh").toStdString();
    EXPECT_EQ(cell(t, "fresh", ModelsList::Updates), "20");
    select(t, "fresh");
    EXPECT_EQ(pane(t).curve().points(), 20);
    EXPECT_TRUE(listTrainings().empty());
}

} // namespace
} // namespace opscape::test
