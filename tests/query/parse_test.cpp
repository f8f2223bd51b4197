// SPDX-License-Identifier: MIT
// Whatever is typed is a query or gets one clear sentence with the column of the mistake.
#include "query_fixture.h"
#include "support/sentence.h"

#include <opscape/base/random.h>
#include <opscape/base/text.h>

namespace opscape::test {
namespace {

struct Mistake {
    std::string query;
    const char* sentence;
};

TEST_F(QueryTest, EveryMistakeIsNamedWithItsColumn) {
    const std::string fields =
        "name, type, scope, phase, device, time, start, end, wait, mem, flops, in, out, priority, "
        "critical, fused, cut";
    const std::string unknown = "Column 3: there is no field \"colour\"; the fields are " + fields +
                                "; write \"...\" in quotes to look for it in names.";
    const std::string lone = "Column 3: > needs a field before it; the fields are " + fields + ".";
    const Mistake mistakes[] = {
        {"a colour:red", unknown.c_str()},
        {"a > 3", lone.c_str()},
        {"time>2", "Column 6: \"2\" is no time; write a number with ns, us, ms or s, such as 2ms."},
        {"time > soon", "Column 8: \"soon\" is no time; write a number with ns, us, ms or s, such as 2ms."},
        {"a time>-2ms", "Column 8: \"-2ms\" is no time; write a number with ns, us, ms or s, such as 2ms."},
        {"mem>1parsec", "Column 5: \"1parsec\" is no size; write a number with B, KiB, MiB or GiB, such as 1MiB."},
        {"in>many", "Column 4: \"many\" is no number; write one such as 3, 20k or 1.5G."},
        {"phase:sideways", "Column 7: \"sideways\" is no phase; they are forward, backward and update."},
        {"phase>forward", "Column 1: phase cannot be more or less; write phase: or phase=."},
        {"type>Conv", "Column 1: type cannot be more or less; write type: or type=."},
        {"type:", "Column 6: type needs a value here."},
        {"(type:)", "Column 7: type needs a value here."},
        {"time>", "Column 6: time needs a value here."},
        {"critical:1", "Column 1: critical stands alone, without a value."},
        {"a and", "Column 6: something to look for is missing after \"and\"."},
        {"and a", "Column 1: something to look for is missing here."},
        {"a or or b", "Column 6: something to look for is missing after \"or\"."},
        {"not", "Column 4: something to look for is missing after \"not\"."},
        {"a ()", "Column 4: something to look for is missing after \"(\"."},
        {"(a or b", "Column 1: this ( is never closed."},
        {"a) b", "Column 2: this ) closes nothing."},
        {"a \"b", "Column 3: the quotes are never closed."},
        {"a \"\"", "Column 3: there is nothing between the quotes."},
        {"// a", "Column 1: there is nothing between the slashes."},
        {"a /b.*c", "Column 3: the regular expression is not closed; end it with / before the next space."},
        {"a /b(c/", "Column 5: the ( is never closed."},
        {"a /[z-a]/", "Column 5: this range of characters is none; write \\- for the character."},
        {"name:/x)/", "Column 8: a ) closes nothing."},
        {"name=/x/", "Column 1: write name:/.../ or name!=/.../."},
        {"time:/2/", "Column 6: time takes no regular expression."},
        {"\xC3\xA4\xC3\xB6 time>x", "Column 9: \"x\" is no time; write a number with ns, us, ms or s, such as 2ms."},
    };
    for (const Mistake& mistake : mistakes) {
        const auto query = Query::parse(mistake.query);
        ASSERT_FALSE(query.has_value()) << mistake.query;
        EXPECT_EQ(query.error().message, mistake.sentence) << mistake.query;
        EXPECT_THAT(query.error().message, IsOneSentence());
    }
}

TEST_F(QueryTest, WhatIsSaidIsUtf8AndShowsNoControlsWhateverWasTyped) {
    for (const char* query :
         {"/a\\\xC3/", "/a\\\xFF/", "/[\\\xC3]/", "time>\xFF", "a\xC3:x", "time>\x1b[31m", "\xFF:\xFE"}) {
        const auto parsed = Query::parse(query);
        if (parsed)
            continue; // \xFF:\xFE is a word
        EXPECT_TRUE(isUtf8(parsed.error().message)) << parsed.error().message;
        EXPECT_EQ(parsed.error().message.find('\x1b'), std::string::npos);
    }
    EXPECT_EQ(find("/a\\\xC3/"), "Column 3: \\\ufffd has no meaning.");
    EXPECT_EQ(find("/a\\\u00e9/"), "Column 3: \\\u00e9 has no meaning.");
}

TEST_F(QueryTest, DeepNestingIsRefusedAndOverflowsNoStack) {
    const std::string open(1'000'000, '(');
    EXPECT_EQ(find(open + "a"), "Column 101: there are more than 100 brackets in one another.");
    std::string nots;
    for (int i = 0; i < 100'000; ++i)
        nots += "not ";
    EXPECT_EQ(find(nots + "loss"), "loss");
    std::string words = "loss";
    for (int i = 0; i < 2'000; ++i)
        words += " or loss";
    EXPECT_EQ(find(words), "loss");
    EXPECT_EQ(find(std::string(100, '(') + "loss" + std::string(100, ')')), "loss");
}

TEST_F(QueryTest, NothingThatIsTypedBreaksIt) {
    const std::vector<std::string> pieces{"(",    ")", "\"",   "/",      "\\",  " ", "and",  "or",   "not",
                                          "type", ":", ">",    "=",      "!",   "<", "2",    "ms",   "[",
                                          "]",    "{", "}",    "*",      "+",   "?", "|",    "^",    "$",
                                          ".",    "-", "time", "device", "gpu", "a", "\xC3", "\xA4", "\xFF"};
    Random random(7);
    std::size_t good = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (std::size_t length = random.below(12); text.size() < length;)
            text += pieces[random.below(pieces.size())];
        const auto query = Query::parse(text);
        if (!query) {
            ASSERT_TRUE(query.error().message.starts_with("Column ") && query.error().message.ends_with('.')) << text;
            continue;
        }
        ++good;
        (void)query->match(m_facts);
    }
    EXPECT_GT(good, 1000U);
}

} // namespace
} // namespace opscape::test
