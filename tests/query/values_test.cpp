// SPDX-License-Identifier: MIT
#include <opscape/query/values.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

TEST(QueryValues, TimesNeedAUnit) {
    EXPECT_EQ(parseTime("2ms"), 2'000'000);
    EXPECT_EQ(parseTime("1.5us"), 1'500);
    EXPECT_EQ(parseTime("3\xC2\xB5s"), 3'000);
    EXPECT_EQ(parseTime("0.25S"), 250'000'000);
    EXPECT_EQ(parseTime("7ns"), 7);
    EXPECT_EQ(parseTime("0"), 0);
    for (const char* wrong : {"", "2", "ms", "-1ms", "2 ms", "2msx", "1e3ms", "nan", "inf", "99999999999s", "."})
        EXPECT_EQ(parseTime(wrong), std::nullopt) << wrong;
}

TEST(QueryValues, SizesAreBinaryOrDecimalAsTheirUnitSays) {
    EXPECT_EQ(parseBytes("512"), 512);
    EXPECT_EQ(parseBytes("1MiB"), 1 << 20);
    EXPECT_EQ(parseBytes("1mb"), 1'000'000);
    EXPECT_EQ(parseBytes("1.5GiB"), 3LL << 29);
    for (const char* wrong : {"", "KiB", "-1", "1KiBs", "1e6", "99999999TiB"})
        EXPECT_EQ(parseBytes(wrong), std::nullopt) << wrong;
}

TEST(QueryValues, CountsHaveDecimalPrefixes) {
    EXPECT_EQ(parseCount("3"), 3);
    EXPECT_EQ(parseCount("-12"), -12);
    EXPECT_EQ(parseCount("2.5k"), 2'500);
    EXPECT_EQ(parseCount("1G"), 1'000'000'000);
    for (const char* wrong : {"", "k", "1x", "--1", "0x10"})
        EXPECT_EQ(parseCount(wrong), std::nullopt) << wrong;
}

} // namespace
} // namespace opscape
