// SPDX-License-Identifier: MIT
#include "cli/progress_line.h"
#include "cli/table.h"

#include <gtest/gtest.h>

namespace opscape::test {
namespace {

TEST(Table, AlignsColumnsAndLeavesNoSpacesAtTheEnd) {
    Table table({{"name"}, {"size", true}, {"what"}});
    table.row({"a", "1,024", "x"});
    table.row({"longer", "7", ""});
    EXPECT_EQ(table.text(), "name     size  what\n"
                            "a       1,024  x\n"
                            "longer      7\n");
}

TEST(Table, CountsCharactersNotBytes) {
    Table table({{}, {}});
    table.row({"é", "1"});
    table.row({"ab", "2"});
    EXPECT_EQ(table.text(2), "  é   1\n"
                             "  ab  2\n");
}

TEST(Table, WithoutRowsIsItsHeader) {
    EXPECT_TRUE(Table({{"a"}, {"b"}}).empty());
    EXPECT_EQ(Table({{"a"}, {"b"}}).text(), "a  b\n");
    EXPECT_EQ(Table({{}, {}}).text(), "");
}

TEST(ProgressText, SaysWhatIsKnown) {
    EXPECT_EQ(progressText("heft", {}, 1200), "heft, 1.2 s");
    EXPECT_EQ(progressText("anneal", {0.5, 4'560'000, 1234, "cooling"}, 61'000),
              "anneal: cooling, 50%, best 4.56 ms, 1,234 plans, 61.0 s");
}

} // namespace
} // namespace opscape::test
