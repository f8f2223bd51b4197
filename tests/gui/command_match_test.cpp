// SPDX-License-Identifier: MIT
#include "gui/models/command_match.h"

#include <gtest/gtest.h>

namespace opscape {
namespace {

TEST(CommandMatch, EveryTypedWordMustBeThereInAnyOrder) {
    EXPECT_TRUE(commandMatch("zoo open", "Open from the zoo…", "File"));
    EXPECT_TRUE(commandMatch("FILE zoo", "Open from the zoo…", "File")) << "the menu counts, letters of any case";
    EXPECT_FALSE(commandMatch("zoo shut", "Open from the zoo…", "File"));
    EXPECT_EQ(commandMatch("  ", "Quit", "File"), 0) << "nothing typed fits everything alike";
}

TEST(CommandMatch, InitialsFindACommand) {
    EXPECT_TRUE(commandMatch("ofz", "Open from the zoo…", "File"));
    EXPECT_FALSE(commandMatch("zfo", "Open from the zoo…", "File"));
    EXPECT_FALSE(commandMatch("q", "Compare METIS", "Run")) << "one letter is no initials";
}

TEST(CommandMatch, TheStartOfTheTitleComesFirstAndItsMenusLast) {
    const auto start = commandMatch("graph", "Graph as seen…", "File");
    const auto word = commandMatch("graph", "Whole graph…", "File");
    const auto inside = commandMatch("raph", "Whole graph…", "File");
    const auto menu = commandMatch("graph", "Fit", "Graph");
    ASSERT_TRUE(start && word && inside && menu);
    EXPECT_LT(*start, *word);
    EXPECT_LT(*word, *inside);
    EXPECT_LT(*inside, *menu);
}

TEST(CommandMatch, AWordStartLaterInTheTitleIsFound) {
    EXPECT_LT(*commandMatch("un", "Pun, unpin", "Plan"), *commandMatch("un", "Pun, run", "Plan"));
}

} // namespace
} // namespace opscape
