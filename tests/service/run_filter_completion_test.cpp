// SPDX-License-Identifier: MIT
// What is offered while a filter for runs is typed: each fits what is typed, and is understood once it is taken.
#include "service/run_filter_completion.h"

#include <gmock/gmock.h>

namespace opscape::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

const RunWords kWords{{RunField::Tags, {{"best", 7}, {"bad luck", 2}, {"for the paper", 1}}},
                      {RunField::Optimizer, {{"go", 5}, {"given plan", 2}, {"heft", 1}}},
                      {RunField::Graph, {{"bertie", 3}}},
                      {RunField::Status, {{"finished", 9}, {"paused", 1}}}};

std::vector<std::string> offered(std::string_view filter) {
    std::vector<std::string> texts;
    for (const Completion& completion : runFilterCompletions(filter, filter.size(), kWords)) {
        texts.push_back(completion.text);
        EXPECT_EQ(completion.to, filter.size());
    }
    return texts;
}

TEST(RunFilterCompletion, OffersFieldsAndWhatRunsHold) {
    EXPECT_THAT(offered("st"), ElementsAre("step<", "status:", "tag:best"));
    EXPECT_THAT(offered("be"), ElementsAre("tag:best", "graph:bertie"));
    EXPECT_THAT(offered("tag:b"), ElementsAre("tag:best", "tag:\"bad luck\""));
    EXPECT_THAT(offered("step<4ms optimizer:g"), ElementsAre("optimizer:go", "optimizer:\"given plan\""));
    EXPECT_THAT(offered("(status:p"), ElementsAre("status:paused"));
    EXPECT_THAT(offered("tags:\"bad l"), ElementsAre("tags:\"bad luck\""));
    EXPECT_THAT(offered("pinned:"), ElementsAre("pinned:yes", "pinned:no"));
    EXPECT_THAT(offered("step<4"), ElementsAre("step<4us", "step<4ms", "step<4s"));
    EXPECT_THAT(offered("memory>2g"), ElementsAre("memory>2GiB"));
    EXPECT_THAT(offered("not sta"), ElementsAre("status:"));
}

TEST(RunFilterCompletion, OffersNothingWhereTheWordIsWholeOrNothingFits) {
    EXPECT_THAT(offered("status:paused"), IsEmpty());
    EXPECT_THAT(offered("pinned"), Not(Contains("pinned")));
    EXPECT_THAT(offered("tag:zzz"), IsEmpty());
    EXPECT_THAT(offered("unheard:x"), IsEmpty());
    EXPECT_LE(offered("").size(), 12u);
}

TEST(RunFilterCompletion, WhatIsTakenIsUnderstood) {
    for (const char* typed : {"s", "t", "tag:", "optimizer:", "be", "pin", "step<4", "took>3", "gap<5", "memory>1"}) {
        for (std::string text : offered(typed)) {
            if (text == "not" || text.ends_with(':') || text.ends_with('<') || text == "or" || text == "and")
                continue; // something is still to come
            EXPECT_TRUE(parseRunFilter(text)) << text;
        }
    }
}

TEST(RunFilterCompletion, TheWordAtTheCursorIsReplaced) {
    const auto found = runFilterCompletions("tag:b step<4ms", 5, kWords);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().from, 0u);
    EXPECT_EQ(found.front().to, 5u);
}

} // namespace
} // namespace opscape::test
