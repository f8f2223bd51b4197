// SPDX-License-Identifier: MIT
#include <opscape/graph/times_by_kind.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

TEST(TimesByKind, KeepsOneTimePerKindInTheOrderOfTheKinds) {
    TimesByKind times;
    EXPECT_TRUE(times.empty());
    times["gpu"] = 3;
    times["cpu"] = 1;
    times["gpu"] += 4;
    EXPECT_EQ(times.size(), 2U);
    EXPECT_EQ(times.begin()->first, "cpu");
    EXPECT_EQ(times.find("gpu")->second, 7);
    EXPECT_EQ(times.find("P100"), times.end());
    EXPECT_EQ(times["P100"], 0) << "made where it is not there";
    EXPECT_EQ(times.begin()->first, "P100");
    EXPECT_EQ(times, (TimesByKind{{"gpu", 7}, {"cpu", 1}, {"P100", 0}})) << "whatever the order";
    times.erase(times.find("cpu"));
    EXPECT_EQ(times, (TimesByKind{{"P100", 0}, {"gpu", 7}}));
    times.clear();
    EXPECT_EQ(times, TimesByKind());
}

} // namespace
} // namespace opscape
