// SPDX-License-Identifier: MIT
#include <opscape/query/values.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

std::optional<std::int64_t> valueOf(QueryValue kind, const char* text) {
    const auto quantity = parseQuantity(kind, text);
    return quantity ? std::optional(quantity->value) : std::nullopt;
}

TEST(QueryValues, TimesNeedAUnit) {
    const auto time = [](const char* text) { return valueOf(QueryValue::Time, text); };
    EXPECT_EQ(time("2ms"), 2'000'000);
    EXPECT_EQ(time("1.5us"), 1'500);
    EXPECT_EQ(time("3\xC2\xB5s"), 3'000);
    EXPECT_EQ(time("3\xCE\xBCs"), 3'000);
    EXPECT_EQ(time("0.25S"), 250'000'000);
    EXPECT_EQ(time("7ns"), 7);
    EXPECT_EQ(time("0"), 0);
    for (const char* wrong : {"", "2", "ms", "-1ms", "2 ms", "2msx", "1e3ms", "nan", "inf", "99999999999s", "."})
        EXPECT_EQ(time(wrong), std::nullopt) << wrong;
}

TEST(QueryValues, SizesAreBinaryOrDecimalAsTheirUnitSays) {
    const auto size = [](const char* text) { return valueOf(QueryValue::Bytes, text); };
    EXPECT_EQ(size("512"), 512);
    EXPECT_EQ(size("1MiB"), 1 << 20);
    EXPECT_EQ(size("1mb"), 1'000'000);
    EXPECT_EQ(size("1.5GiB"), 3LL << 29);
    for (const char* wrong : {"", "KiB", "-1", "1KiBs", "1e6", "99999999TiB"})
        EXPECT_EQ(size(wrong), std::nullopt) << wrong;
}

TEST(QueryValues, CountsHaveDecimalPrefixes) {
    const auto count = [](const char* text) { return valueOf(QueryValue::Count, text); };
    EXPECT_EQ(count("3"), 3);
    EXPECT_EQ(count("-12"), -12);
    EXPECT_EQ(count("2.5k"), 2'500);
    EXPECT_EQ(count("1G"), 1'000'000'000);
    for (const char* wrong : {"", "k", "1x", "--1", "0x10"})
        EXPECT_EQ(count(wrong), std::nullopt) << wrong;
}

TEST(QueryValues, WhatIsTheSameIsSoToThePrecisionThatWasWritten) {
    struct Case {
        QueryValue kind;
        const char* text;
        std::int64_t least, most;
    };
    const Case cases[] = {{QueryValue::Time, "322us", 321'500, 322'500},
                          {QueryValue::Time, "4.56ms", 4'555'000, 4'565'000},
                          {QueryValue::Time, "7ns", 7, 7},
                          {QueryValue::Time, "0", 0, 0},
                          {QueryValue::Time, "0ms", -500'000, 500'000},
                          {QueryValue::Bytes, "512", 512, 512},
                          {QueryValue::Bytes, "1.5KiB", 1485, 1587},
                          {QueryValue::Count, "3", 3, 3},
                          {QueryValue::Count, "-3", -3, -3},
                          {QueryValue::Count, "1.50G", 1'495'000'000, 1'505'000'000}};
    for (const Case& c : cases) {
        const auto quantity = parseQuantity(c.kind, c.text);
        ASSERT_TRUE(quantity) << c.text;
        EXPECT_EQ(quantity->least, c.least) << c.text;
        EXPECT_EQ(quantity->most, c.most) << c.text;
    }
}

TEST(QueryValues, UnitsAreKnownByTheirKind) {
    EXPECT_TRUE(isUnit(QueryValue::Time, "MS"));
    EXPECT_TRUE(isUnit(QueryValue::Bytes, "KiB"));
    EXPECT_TRUE(isUnit(QueryValue::Count, "k"));
    EXPECT_FALSE(isUnit(QueryValue::Time, "KiB"));
    EXPECT_FALSE(isUnit(QueryValue::Bytes, ""));
    EXPECT_FALSE(isUnit(QueryValue::Text, "ms"));
}

} // namespace
} // namespace opscape
