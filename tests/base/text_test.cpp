// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

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

TEST(Text, WhatWouldBeObeyedIsWrittenOut) {
    EXPECT_EQ(printable("plain/name:0 \u00e9\u20ac\U0001f600"), "plain/name:0 \u00e9\u20ac\U0001f600");
    EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
    EXPECT_EQ(printable("\x1b[31mred"), "\\u001B[31mred");
    EXPECT_EQ(printable("x\u202egnp.exe\u2066y\u200f\u061c"), "x\\u202Egnp.exe\\u2066y\\u200F\\u061C");
    EXPECT_EQ(printable(std::string_view("\0\x7f\u0085\u2028", 6)), "\\u0000\\u007F\\u0085\ufffd\ufffd");
    EXPECT_EQ(printable("a\xffz"), "a\ufffdz");
    EXPECT_EQ(printableLines("a\n\x1b[0m\n"), "a\n\\u001B[0m\n");
    EXPECT_EQ(printable(printable("a\n\x1b\xff")), printable("a\n\x1b\xff"));
}

TEST(Text, LowerCaseIsThatOfLatinGreekAndCyrillicAndKeepsTheLength) {
    EXPECT_EQ(lowerCase("Conv2D_X"), "conv2d_x");
    EXPECT_EQ(lowerCase("ÀÉÎÕÜÞ × ÿß"), "àéîõüþ × ÿß");
    EXPECT_EQ(lowerCase("ĀĐĹŃŊŸŽ"), "āđĺńŋÿž");
    EXPECT_EQ(lowerCase("ΆΈΉΊΌΎΏ ΑΩΪΫ ΛΟΓΟΣ λογος"), "άέήίόύώ αωϊϋ λογοσ λογοσ");
    EXPECT_EQ(lowerCase("ЀЏ АЯЁ ҐӀӁӐ"), "ѐџ аяё ґӏӂӑ");
    EXPECT_EQ(lowerCase("\u00b5s"), "\u03bcs") << "the micro sign is a mu";
    EXPECT_EQ(lowerCase("İıſ 中 𝐀"), "İıſ 中 𝐀") << "these stay";
    const std::string broken = "A\xc3\xffÉ\xc3";
    EXPECT_EQ(lowerCase(broken), "a\xc3\xffé\xc3");
    for (char32_t code = 0x80; code < 0x800; ++code) {
        const std::string character{static_cast<char>(0xc0U | code >> 6U), static_cast<char>(0x80U | (code & 0x3fU))};
        const std::string lower = lowerCase(character);
        ASSERT_EQ(lower.size(), 2U) << character;
        ASSERT_EQ(lowerCase(lower), lower) << character;
    }
}

TEST(Text, CharactersAreCountedNotBytes) {
    EXPECT_EQ(characterCount("aé€😀"), 4U);
    EXPECT_EQ(characterBytes("€x"), 3U);
    EXPECT_EQ(characterBytes("\xff\xff"), 1U);
    EXPECT_EQ(characterBytes(""), 0U);
}

TEST(Text, CountsAreInWords) {
    EXPECT_EQ(counted(0, "op"), "0 ops");
    EXPECT_EQ(counted(1, "op"), "1 op");
    EXPECT_EQ(counted(12'345, "edge"), "12,345 edges");
}

} // namespace
} // namespace opscape
