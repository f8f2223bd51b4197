// SPDX-License-Identifier: MIT
// Models of the zoo in the window: on the start page, by dialog, and again from the recent ones.
#include "gui/gui_fixture.h"
#include "gui/widgets/zoo_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QSpinBox>

namespace opscape::test {
namespace {

class WindowZoo : public GuiTest {};

TEST_F(WindowZoo, OpensASmallModelFromTheStartPageOnTheClusterItWasPublishedOn) {
    WindowUnderTest t(folder);
    QPushButton* found = nullptr;
    for (QPushButton* button : t.find<QWidget>("startPage")->findChildren<QPushButton*>()) {
        if (button->text() == "rnnlm2")
            found = button;
    }
    ASSERT_NE(found, nullptr);
    QTest::mouseClick(found, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    EXPECT_EQ(t.session.opened()->path, "zoo:rnnlm2,small");
    EXPECT_EQ(t.session.shown()->outcome->run.clusterId, "p100x2");
}

TEST_F(WindowZoo, IsAskedForByDialogWithOtherParameters) {
    WindowUnderTest t(folder);
    t.press(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = t.find<ZooDialog>("zooDialog");
    ASSERT_NE(dialog, nullptr);
    auto* model = dialog->findChild<QComboBox*>("model");
    model->setCurrentIndex(model->findData("rnnlm4"));
    EXPECT_EQ(dialog->source(), "zoo:rnnlm4,small");
    dialog->findChild<QComboBox*>("preset")->setCurrentIndex(1);
    EXPECT_EQ(dialog->source(), "zoo:rnnlm4,paper");
    dialog->findChild<QComboBox*>("preset")->setCurrentIndex(0);
    auto* batch = dialog->findChild<QSpinBox*>("option-batch");
    ASSERT_NE(batch, nullptr);
    batch->setValue(8);
    EXPECT_EQ(dialog->source(), "zoo:rnnlm4,small,batch=8");
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    EXPECT_EQ(t.session.opened()->path, "zoo:rnnlm4,small,batch=8");
    EXPECT_TRUE(t.window.windowTitle().startsWith("rnnlm4")) << t.window.windowTitle().toStdString();
}

TEST_F(WindowZoo, RefusesAModelThatIsNotThereInOneSentence) {
    WindowUnderTest t(folder);
    t.window.openFiles({"zoo:rnnlm5"});
    ASSERT_TRUE(waitFor([&] { return !t.window.message().isEmpty(); }));
    EXPECT_TRUE(t.window.message().contains("rnnlm5")) << t.window.message().toStdString();
    EXPECT_TRUE(t.window.message().contains("rnnlm4")) << t.window.message().toStdString();
}

} // namespace
} // namespace opscape::test
