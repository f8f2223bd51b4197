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
