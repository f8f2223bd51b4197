// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>

#include <gtest/gtest.h>

#include <clocale>
#include <limits>

namespace opscape {
namespace {

TEST(FormatTime, ChangesTheUnitWhereFourDigitsWouldBeNeeded) {
    EXPECT_EQ(formatTime(0), "0 ns");
    EXPECT_EQ(formatTime(1), "1 ns");
    EXPECT_EQ(formatTime(850), "850 ns");
    EXPECT_EQ(formatTime(999), "999 ns");
    EXPECT_EQ(formatTime(1000), "1.00 us");
    EXPECT_EQ(formatTime(999'499), "999 us");
    EXPECT_EQ(formatTime(999'500), "1.00 ms");
    EXPECT_EQ(formatTime(999'499'999), "999 ms");
    EXPECT_EQ(formatTime(999'500'000), "1.00 s");
}

TEST(FormatTime, HasThreeSignificantDigits) {
    EXPECT_EQ(formatTime(9'994), "9.99 us");
    EXPECT_EQ(formatTime(9'995), "10.0 us");
    EXPECT_EQ(formatTime(12'345), "12.3 us");
    EXPECT_EQ(formatTime(99'949), "99.9 us");
    EXPECT_EQ(formatTime(99'950), "100 us");
    EXPECT_EQ(formatTime(4'560'000), "4.56 ms");
    EXPECT_EQ(formatTime(1'230'000'000), "1.23 s");
}

TEST(FormatTime, KeepsSecondsHoweverMany) {
    EXPECT_EQ(formatTime(86'400'000'000'000), "86400 s");
    EXPECT_EQ(formatTime(std::numeric_limits<std::int64_t>::max()), "9223372037 s");
}

TEST(FormatTime, ShowsTheSignOfADifference) {
    EXPECT_EQ(formatTime(-999), "-999 ns");
    EXPECT_EQ(formatTime(-1000), "-1.00 us");
    EXPECT_EQ(formatTime(std::numeric_limits<std::int64_t>::min()), "-9223372037 s");
}

TEST(FormatBytes, CountsInBinaryUnits) {
    EXPECT_EQ(formatBytes(0), "0 B");
    EXPECT_EQ(formatBytes(512), "512 B");
    EXPECT_EQ(formatBytes(999), "999 B");
    EXPECT_EQ(formatBytes(1000), "0.977 KiB");
    EXPECT_EQ(formatBytes(1023), "0.999 KiB");
    EXPECT_EQ(formatBytes(1024), "1.00 KiB");
    EXPECT_EQ(formatBytes(1536), "1.50 KiB");
    EXPECT_EQ(formatBytes(16LL << 30), "16.0 GiB");
    EXPECT_EQ(formatBytes(17'071'734'784), "15.9 GiB");
    EXPECT_EQ(formatBytes(1LL << 50), "1024 TiB");
}

TEST(FormatCount, GroupsDigitsByThree) {
    EXPECT_EQ(formatCount(0), "0");
    EXPECT_EQ(formatCount(999), "999");
    EXPECT_EQ(formatCount(1000), "1,000");
    EXPECT_EQ(formatCount(12'345), "12,345");
    EXPECT_EQ(formatCount(-123), "-123");
    EXPECT_EQ(formatCount(-1'234'567), "-1,234,567");
    EXPECT_EQ(formatCount(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(FormatSi, LeavesRoomForAUnit) {
    EXPECT_EQ(formatSi(950) + "FLOP", "950 FLOP");
    EXPECT_EQ(formatSi(1234) + "B/s", "1.23 kB/s");
    EXPECT_EQ(formatSi(4.56e9), "4.56 G");
    EXPECT_EQ(formatSi(15.7e12), "15.7 T");
    EXPECT_EQ(formatSi(2e18), "2000 P");
}

TEST(FormatPercent, HasOneDecimal) {
    EXPECT_EQ(formatPercent(0), "0.0%");
    EXPECT_EQ(formatPercent(0.1234), "12.3%");
    EXPECT_EQ(formatPercent(1.5), "150.0%");
}

TEST(Format, DoesNotDependOnTheLocale) {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
        std::setlocale(LC_ALL, locale); // where it is not installed the test is as in the C locale
        EXPECT_EQ(formatTime(12'345), "12.3 us") << locale;
        EXPECT_EQ(formatPercent(0.1234), "12.3%") << locale;
        EXPECT_EQ(formatCount(12'345), "12,345") << locale;
    }
    std::setlocale(LC_ALL, before.c_str());
}

TEST(Elide, KeepsWhatFits) {
    EXPECT_EQ(elide("", 0), "");
    EXPECT_EQ(elide("abc", 3), "abc");
    EXPECT_EQ(elide("abcdefghij", 10), "abcdefghij");
}

TEST(Elide, KeepsMoreOfTheEndThanOfTheBeginning) {
    EXPECT_EQ(elide("encoder/layer_0/attention/MatMul_17", 15), "enco...atMul_17");
    EXPECT_EQ(elide("abcdefghijklmnop", 12), "abc...klmnop");
    EXPECT_EQ(elide("abcdefghij", 4), "a...");
    EXPECT_EQ(elide("abcdefghij", 3), "abc");
    EXPECT_EQ(elide("abcdefghij", 0), "");
}

TEST(Elide, CountsCharactersNotBytes) {
    const std::string greek = "αβγδεζηθικ"; // two bytes each
    EXPECT_EQ(elide(greek, 10), greek);
    EXPECT_EQ(elide(greek, 9), "αβ...ηθικ");
    EXPECT_EQ(elide(greek, 2), "αβ");
    EXPECT_EQ(elide("層1/注意/行列積", 7), "層1...列積");
}

} // namespace
} // namespace opscape
