// SPDX-License-Identifier: MIT
#include "query_fixture.h"

#include <opscape/query/completion.h>

#include <gmock/gmock.h>

namespace opscape::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class Completions : public QueryTest {
protected:
    /// Texts offered at the end of what is typed.
    std::vector<std::string> offered(std::string_view typed, std::size_t most = 12) const {
        std::vector<std::string> texts;
        for (const Completion& completion : completions(typed, typed.size(), m_facts, most))
            texts.push_back(completion.text);
        return texts;
    }
};

TEST_F(Completions, BeginWithTheFields) {
    const auto all = offered("", 100);
    EXPECT_EQ(all.size(), queryFields().size());
    EXPECT_THAT(all, Contains("type:"));
    EXPECT_THAT(all, Contains("time>"));
    EXPECT_THAT(all, Contains("critical"));
    EXPECT_EQ(offered("loss (").size(), 12U) << "behind a space or a bracket anything may follow";
}

TEST_F(Completions, OfAWordAreFieldsJoiningWordsAndTypes) {
    EXPECT_THAT(offered("ti"), ElementsAre("time>"));
    EXPECT_THAT(offered("x OR"), IsEmpty());
    EXPECT_THAT(offered("x no"), ElementsAre("not"));
    EXPECT_THAT(offered("mat"), ElementsAre("type:MatMul", "type:MatMulGrad"));
    EXPECT_THAT(offered("critical"), IsEmpty()) << "it is whole";
}

TEST_F(Completions, OfTypesComeFromTheGraph) {
    EXPECT_THAT(offered("type:"), ElementsAre("type:MatMul", "type:Conv", "type:MatMulGrad", "type:Relu", "type:Sum"));
    EXPECT_THAT(offered("a type:m"), ElementsAre("type:MatMul", "type:MatMulGrad", "type:Sum"));
    EXPECT_THAT(offered("type=relu"), IsEmpty());
    EXPECT_EQ(completions("type:ma", 7, m_facts).front().note, "2 ops");
}

TEST_F(Completions, OfScopesGoFromLevelToLevel) {
    EXPECT_EQ(offered("scope:enc").front(), "scope:encoder");
    EXPECT_THAT(offered("scope:encoder/"), ElementsAre("scope:encoder/layer_0", "scope:encoder/layer_1"));
    EXPECT_THAT(offered("scope:layer_1"), ElementsAre("scope:encoder/layer_1"));
}

TEST_F(Completions, OfDevicesPhasesNamesAndUnits) {
    EXPECT_THAT(offered("device:"), ElementsAre("device:gpu:0", "device:gpu:1"));
    EXPECT_THAT(offered("device:b"), ElementsAre("device:gpu:1"));
    EXPECT_THAT(offered("phase:b"), ElementsAre("phase:backward"));
    EXPECT_THAT(offered("name:gra"), ElementsAre("name:\"grad step\""));
    EXPECT_THAT(offered("time>2"), ElementsAre("time>2ns", "time>2us", "time>2ms", "time>2s"));
    EXPECT_THAT(offered("mem>=1.5m"), ElementsAre("mem>=1.5MiB"));
    EXPECT_THAT(offered("in>2"), IsEmpty());
}

TEST_F(Completions, TakeThePlaceOfTheWordAtTheCursorOnly) {
    const std::string text = "loss type:ma and x";
    const auto found = completions(text, 12, m_facts);
    ASSERT_FALSE(found.empty());
    std::string whole = text;
    whole.replace(found.front().from, found.front().to - found.front().from, found.front().text);
    EXPECT_EQ(whole, "loss type:MatMul and x");
}

TEST_F(Completions, AreQueriesOnceTheyAreWhole) {
    for (const char* typed : {"type:", "scope:", "device:", "phase:", "name:st", "time>3", "mem<4"}) {
        for (const std::string& text : offered(typed))
            EXPECT_EQ(find(text).find("Column"), std::string::npos) << text << ": " << find(text);
    }
}

TEST_F(Completions, AreNoneInsideQuotesExpressionsAndUnknownFields) {
    for (const char* typed : {"\"cri", "/ty", "type:/M", "colour:r"})
        EXPECT_THAT(offered(typed), IsEmpty()) << typed;
    EXPECT_THAT(offered("type:\"MatM"), ElementsAre("type:MatMul", "type:MatMulGrad"));
}

} // namespace
} // namespace opscape::test
