// SPDX-License-Identifier: MIT
#include <opscape/base/random.h>
#include <opscape/query/regex.h>

#include <gtest/gtest.h>

#include <regex>

namespace opscape {
namespace {

bool found(std::string_view pattern, std::string_view text) {
    const auto regex = Regex::compile(pattern);
    EXPECT_TRUE(regex.has_value()) << pattern << ": " << (regex ? "" : regex.error().message);
    return regex && RegexSearch(*regex).found(text);
}

std::string mistake(std::string_view pattern) {
    const auto regex = Regex::compile(pattern);
    return regex ? "none" : fmt::format("{} at {}", regex.error().message, regex.error().offset);
}

TEST(Regex, FindsAPartOfTheText) {
    EXPECT_TRUE(found("b", "abc"));
    EXPECT_FALSE(found("d", "abc"));
    EXPECT_TRUE(found("^abc$", "abc"));
    EXPECT_FALSE(found("^bc", "abc"));
    EXPECT_FALSE(found("ab$", "abc"));
    EXPECT_TRUE(found("conv_\\d+", "layer/conv_12/w"));
    EXPECT_TRUE(found("a{2,3}b", "xaaab"));
    EXPECT_FALSE(found("^a{2,3}b", "aaaab"));
    EXPECT_TRUE(found("(?:ab|cd)+e", "xxabcde"));
    EXPECT_TRUE(found("", "anything"));
    EXPECT_TRUE(found("^$", ""));
    EXPECT_FALSE(found("^$", "a"));
    EXPECT_TRUE(found("x|$", "a"));
}

TEST(Regex, CaseDoesNotMatterInThePattern) {
    EXPECT_TRUE(found("MatMul", "matmul"));
    EXPECT_TRUE(found("[A-C]x", "bx"));
    EXPECT_FALSE(found("[^A-C]x", "bx"));
}

TEST(Regex, ADotIsOneCharacterOfAnyAlphabet) {
    EXPECT_TRUE(found("^a.b$", "a\xC3\xA4"
                               "b"));
    EXPECT_TRUE(found("^[^x]$", "\xE2\x82\xAC"));
    EXPECT_FALSE(found("^..$", "\xC3\xA4"));
    EXPECT_TRUE(found("\xC3\xA4+", "\xC3\xA4"));
}

TEST(Regex, ACharacterBeyondAsciiIsRepeatedAsAWholeAndInEitherCase) {
    EXPECT_TRUE(found("^xé?y$", "xy"));
    EXPECT_TRUE(found("^é{2}$", "éé"));
    EXPECT_FALSE(found("^é{2}$", "é"));
    EXPECT_TRUE(found("СЛОЙ_\\d", "слой_7"));
    EXPECT_TRUE(found("ΛΟΓΟΣ", "λογοσ"));
}

TEST(Regex, FindsWhatTheStandardLibraryFinds) {
    const std::vector<std::string> atoms{"a",     "b",      "c",   ".", "[ab]", "[^a]",
                                         "(a|b)", "(ab|c)", "\\d", "^", "$",    "(a*)"};
    const std::vector<std::string> counts{"", "", "*", "+", "?", "{2}", "{0,2}", "{1,}"};
    Random random(11);
    int matched = 0;
    for (int round = 0; round < 4'000; ++round) {
        std::string pattern, text;
        const std::size_t parts = 1 + random.below(5);
        for (std::size_t i = 0; i < parts; ++i) {
            const std::string& atom = atoms[random.below(atoms.size())];
            pattern += atom;
            if (atom != "^" && atom != "$")
                pattern += counts[random.below(counts.size())];
            if (random.below(6) == 0 && i + 1 < parts)
                pattern += "|";
        }
        const std::regex theirs(pattern);
        const auto ours = Regex::compile(pattern);
        ASSERT_TRUE(ours.has_value()) << pattern;
        RegexSearch search(*ours);
        for (int i = 0; i < 10; ++i) {
            text.clear();
            for (std::size_t length = random.below(8); text.size() < length;)
                text += "abc1"[random.below(4)];
            const bool expected = std::regex_search(text, theirs);
            ASSERT_EQ(search.found(text), expected) << pattern << " in " << text;
            matched += expected ? 1 : 0;
        }
    }
    EXPECT_GT(matched, 4'000);
    EXPECT_LT(matched, 36'000);
}

TEST(Regex, TakesNoLongerForExpressionsThatOtherEnginesHangOn) {
    const std::string text(20'000, 'a');
    EXPECT_FALSE(found("^(a+)+b$", text));
    EXPECT_FALSE(found("^(a|aa)*c", text));
    EXPECT_TRUE(found("(a?){30}a{30}$", text));
    EXPECT_TRUE(found("((((((){1000}){1000}){1000}){1000}){1000})a", text)) << "nothing is nothing, however often";
}

TEST(Regex, ForgetsWhatItKnowsWhenThatGrows) {
    const auto regex = Regex::compile("a.{9}b"); // 2^10 sets of states, each with what is before it
    ASSERT_TRUE(regex.has_value());
    RegexSearch search(*regex);
    Random random(3);
    for (int round = 0; round < 300; ++round) {
        std::string text;
        for (int i = 0; i < 60; ++i)
            text += "ax"[random.below(2)];
        EXPECT_FALSE(search.found(text));
        const bool wanted = text[40] == 'a';
        text[50] = 'b';
        EXPECT_EQ(search.found(text), wanted);
    }
}

TEST(Regex, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(mistake("ab(c"), "the ( is never closed at 2");
    EXPECT_EQ(mistake("ab)c"), "a ) closes nothing at 2");
    EXPECT_EQ(mistake("a[bc"), "the [ is never closed at 1");
    EXPECT_EQ(mistake("*a"), "the * repeats nothing; write \\* for the character at 0");
    EXPECT_EQ(mistake("a**"), "the * repeats nothing; write \\* for the character at 2");
    EXPECT_EQ(mistake("a{x}"), "{ needs a count up to 1000, as in {2} or {2,5}; write \\{ for the character at 1");
    EXPECT_EQ(mistake("a{3,2}"), "{ needs a count up to 1000, as in {2} or {2,5}; write \\{ for the character at 1");
    EXPECT_EQ(mistake("a\\"), "it ends in a lone \\ at 1");
    EXPECT_EQ(mistake("(?=a)"), "(? has no meaning here; write \\( for the character at 0");
    EXPECT_EQ(mistake("\\1"), "\\1 has no meaning at 0");
    EXPECT_EQ(mistake("[b-a]"), "this range of characters is none; write \\- for the character at 1");
    EXPECT_EQ(mistake("((a{1000}){1000}){1000}"), "it repeats too much to be searched for at 0");
    EXPECT_EQ(mistake(std::string(100'000, '(')), "there are more than 100 groups in one another at 100");
    EXPECT_EQ(mistake(std::string(100'000, 'a')), "it repeats too much to be searched for at 0");
}

} // namespace
} // namespace opscape
