// SPDX-License-Identifier: MIT
#include "study/scaling.h"

#include <gtest/gtest.h>

namespace opscape {
namespace {

TEST(Scaling, TheSlowestOfSeveralLessonsIsAMeanOverAllDraws) {
    EXPECT_DOUBLE_EQ(expectedMaximum({3, 1, 2}, 1), 2);
    EXPECT_DOUBLE_EQ(expectedMaximum({1, 3}, 2), 2.5) << "three of four draws have a 3";
    EXPECT_NEAR(expectedMaximum({1, 2, 3}, 1000), 3, 1e-9);
}

TEST(Scaling, ARingSumsInTwoRoundsOfItsParts) {
    EXPECT_DOUBLE_EQ(ringSumS(1, 1e9, 1e9, 1), 0) << "nothing to sum";
    EXPECT_DOUBLE_EQ(ringSumS(2, 1e9, 1e9, .25), 2 * (.25 + .5));
    EXPECT_DOUBLE_EQ(ringSumS(5, 1e9, 1e9, 0), 8 * .2);
}

} // namespace
} // namespace opscape
