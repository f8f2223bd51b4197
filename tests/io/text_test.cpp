// SPDX-License-Identifier: MIT
#include <opscape/base/random.h>
#include <opscape/io/text.h>

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>

namespace opscape {
namespace {

std::string json(double value) {
    std::string out;
    appendJson(out, value);
    return out;
}

std::string json(std::string_view text) {
    std::string out;
    appendJson(out, text);
    return out;
}

TEST(Text, KnowsUtf8FromWhatIsNot) {
    for (const char* good : {"", "plain", "\u00e9", "\u20ac", "\U0010ffff", "a\u00e9b"})
        EXPECT_TRUE(isUtf8(good)) << good;
    // A lone continuation, a cut-off character, an overlong form, a surrogate, beyond Unicode, Latin-1.
    for (const char* bad :
         {"\x80", "\xe2\x82", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "caf\xe9"})
        EXPECT_FALSE(isUtf8(bad)) << bad;
}

TEST(Text, RepairsEveryByteThatIsNotUtf8) {
    EXPECT_EQ(toUtf8("caf\u00e9"), "caf\u00e9");
    EXPECT_EQ(toUtf8("a\xff\xfe z"), "a\ufffd\ufffd z");
    EXPECT_TRUE(isUtf8(toUtf8("\xe2\x82\xf0\x9f\xff")));
}

TEST(Text, WritesJsonStringsThatAreValid) {
    EXPECT_EQ(json("plain/name:0"), "\"plain/name:0\"");
    EXPECT_EQ(json("a\"b\\c\nd\te\x01"), R"("a\"b\\c\nd\te\u0001")");
    EXPECT_EQ(json("\xff"), "\"\ufffd\"");
}

TEST(Text, WritesNumbersThatReadBackToTheSameBits) {
    EXPECT_EQ(json(1.0), "1.0");
    EXPECT_EQ(json(-0.0), "-0.0");
    EXPECT_EQ(json(0.1), "0.1");
    EXPECT_EQ(json(HUGE_VAL), "\"inf\"");
    EXPECT_EQ(json(-HUGE_VAL), "\"-inf\"");
    EXPECT_EQ(json(std::nan("")), "\"nan\"");
    Random random(1);
    for (int i = 0; i < 20000; ++i) {
        const double value = std::bit_cast<double>(random());
        if (!std::isfinite(value))
            continue;
        const std::string text = json(value);
        double back = 0;
        std::from_chars(text.data(), text.data() + text.size(), back);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value)) << text;
        ASSERT_NE(text.find_first_of(".e"), std::string::npos) << text;
    }
}

TEST(Text, NamesAGraphByItsFile) {
    EXPECT_EQ(stemOf("/a/b.c/light.onnx"), "light");
    EXPECT_EQ(stemOf("plain"), "plain");
    EXPECT_EQ(stemOf("a/two.dots.json"), "two.dots");
}

} // namespace
} // namespace opscape
