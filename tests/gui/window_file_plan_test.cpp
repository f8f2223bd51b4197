// SPDX-License-Identifier: MIT
// A file that says how its graph runs, opened in the window.
#include "gui/gui_fixture.h"
#include "support/scheduled_module.h"

#include <opscape/base/paths.h>

#include <QLabel>

namespace opscape::test {
namespace {

class WindowFilePlan : public GuiTest {};

TEST_F(WindowFilePlan, ShowsAScheduledModuleAsItsFileHasIt) {
    const QString file = path("step.hlo");
    ASSERT_TRUE(writeFile(file.toStdString(), kScheduledModule));
    WindowUnderTest t(folder);
    t.window.openFiles({file});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    EXPECT_EQ(t.find<QLabel>("figure6")->text(), "as in the file, preview");
    EXPECT_TRUE(t.find<QLabel>("figure6")->toolTip().startsWith("Fused and ordered as in the file, on one device."))
        << t.find<QLabel>("figure6")->toolTip().toStdString();
    const Plan& plan = t.session.shown()->outcome->plan;
    EXPECT_EQ(plan.policy, QueuePolicy::Order);
    ASSERT_EQ(plan.fusionGroup.size(), 6U);
    EXPECT_EQ(plan.fusionGroup[1], plan.fusionGroup[2]);

    t.session.saveShown();
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.id > 0; }) && t.settle());
    EXPECT_EQ(t.find<QLabel>("figure6")->text(), "as in the file, run 1");
    t.session.compareStandard();
    ASSERT_TRUE(waitFor([&] { return t.session.comparison().size() == 4; })) << t.session.comparison().size();
    EXPECT_EQ(t.session.comparison().front(), t.session.shown());
    EXPECT_TRUE(t.settle());
}

} // namespace
} // namespace opscape::test
