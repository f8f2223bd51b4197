// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <render/time_axis.h>

#include <cmath>

namespace opscape {
namespace {

std::vector<std::string> labels(double start, double end, double spacing) {
    std::vector<std::string> found;
    for (const TimeTick& tick : timeTicks(start, end, spacing)) {
        if (!tick.label.isEmpty())
            found.push_back(tick.label.toStdString());
    }
    return found;
}

TEST(TimeAxis, LabelsAreRoundTimesInOneUnit) {
    EXPECT_EQ(labels(0, 2.1e6, 0.5e6), (std::vector<std::string>{"0", "0.5 ms", "1.0 ms", "1.5 ms", "2.0 ms"}));
    EXPECT_EQ(labels(0, 100, 20), (std::vector<std::string>{"0", "20 ns", "40 ns", "60 ns", "80 ns", "100 ns"}));
    EXPECT_EQ(labels(0, 3.5e9, 1e9), (std::vector<std::string>{"0", "1 s", "2 s", "3 s"}));
}

TEST(TimeAxis, FarFromZeroDigitsAreGroupedAndStayExact) {
    EXPECT_EQ(labels(1.23451e9, 1.23453e9, 1e4),
              (std::vector<std::string>{"1,234.51 ms", "1,234.52 ms", "1,234.53 ms"}));
    EXPECT_EQ(labels(67'000'000, 67'040'000, 20'000), (std::vector<std::string>{"67.00 ms", "67.02 ms", "67.04 ms"}));
}

TEST(TimeAxis, LabelledTicksAreAtLeastTheSpacingApart) {
    for (double spacing = 3; spacing < 1e10; spacing *= 1.7) {
        double last = -1;
        int count = 0;
        for (const TimeTick& tick : timeTicks(0, spacing * 12, spacing)) {
            if (tick.label.isEmpty())
                continue;
            if (last >= 0) {
                EXPECT_GE(tick.ns - last, spacing * 0.999);
            }
            last = tick.ns;
            ++count;
        }
        EXPECT_GE(count, 4) << spacing;
    }
}

TEST(TimeAxis, NoTimeGivesNoTicks) {
    EXPECT_TRUE(timeTicks(5, 5, 1).empty());
    EXPECT_TRUE(timeTicks(5, 4, 1).empty());
    EXPECT_TRUE(timeTicks(0, 10, 0).empty());
    EXPECT_TRUE(timeTicks(0, NAN, 1).empty());
}

} // namespace
} // namespace opscape
