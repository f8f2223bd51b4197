// SPDX-License-Identifier: MIT
// Measured times given to the graph that is open, as a person does it.
#include "gui/gui_fixture.h"

#include <opscape/base/paths.h>

namespace opscape::test {
namespace {

class WindowTimes : public GuiTest {};

TEST_F(WindowTimes, AreGivenToTheOpsOfTheOpenGraphAndCountedInOneSentence) {
    WindowUnderTest t(folder);
    t.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    const auto before = t.session.opened();
    const std::string name = before->graph->op(OpId(3)).name;
    t.session.selectOps({OpId(3)});
    const QString file = path("times.csv");
    ASSERT_TRUE(writeFile(file.toStdString(), "op,device,time_us\n" + name + ",gpu,123\ngone,gpu,1\n").has_value());

    t.session.importTimes(file);
    ASSERT_TRUE(waitFor([&] { return t.session.opened() != before; }));
    EXPECT_EQ(t.window.message(), QStringLiteral("1 op got a time from 1 measurement, 20 ops got none, 1 measured name "
                                                 "is no op of the graph."));
    EXPECT_EQ(t.session.selection().ops, std::vector{OpId(3)});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    const Problem& problem = t.session.shown()->outcome->problem;
    EXPECT_EQ(problem.opNs(OpId(3), DeviceId(0)), 123'000);
    EXPECT_EQ(t.session.opened()->diagnostics.count("time-unmatched"), 1U);
}

TEST_F(WindowTimes, ThatFitNothingAreRefusedInOneSentenceAndChangeNothing) {
    WindowUnderTest t(folder);
    t.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    const auto before = t.session.opened();
    const QString file = path("times.csv");
    ASSERT_TRUE(writeFile(file.toStdString(), "op,device,time_us\ngone,gpu,1\n").has_value());
    t.session.importTimes(file);
    ASSERT_TRUE(waitFor([&] { return t.window.message().contains("times.csv"); }));
    EXPECT_TRUE(t.window.message().contains("none of the 1 name that it times")) << t.window.message().toStdString();
    EXPECT_EQ(t.session.opened(), before);
    EXPECT_TRUE(t.settle());
}

} // namespace
} // namespace opscape::test
