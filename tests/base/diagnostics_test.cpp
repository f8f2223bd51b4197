// SPDX-License-Identifier: MIT
#include <opscape/base/diagnostics.h>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace opscape {
namespace {

using testing::ElementsAre;

TEST(Diagnostics, CountsByKindInTheOrderOfFirstAppearance) {
    Diagnostics d;
    EXPECT_TRUE(d.empty());
    d.add(Severity::Warning, "unknown-op", "Ops of unknown type", "Foo");
    d.add(Severity::Error, "cycle", "Cycles", "a -> a");
    d.add(Severity::Warning, "unknown-op", "Ops of unknown type", "Bar");
    ASSERT_EQ(d.entries().size(), 2u);
    EXPECT_FALSE(d.empty());
    EXPECT_EQ(d.entries()[0].code, "unknown-op");
    EXPECT_EQ(d.entries()[0].severity, Severity::Warning);
    EXPECT_EQ(d.entries()[0].summary, "Ops of unknown type");
    EXPECT_THAT(d.entries()[0].examples, ElementsAre("Foo", "Bar"));
    EXPECT_EQ(d.entries()[1].severity, Severity::Error);
    EXPECT_EQ(d.count("unknown-op"), 2u);
    EXPECT_EQ(d.count("cycle"), 1u);
    EXPECT_EQ(d.count("absent"), 0u);
}

TEST(Diagnostics, CountAMillionButKeepTheFirstExamplesOnly) {
    Diagnostics d;
    for (int i = 0; i < 1'000'000; ++i)
        d.add(Severity::Info, "many", "Many", std::to_string(i));
    EXPECT_EQ(d.count("many"), 1'000'000u);
    ASSERT_EQ(d.entries()[0].examples.size(), Diagnostics::kExamplesKept);
    EXPECT_EQ(d.entries()[0].examples.front(), "0");
    EXPECT_EQ(d.entries()[0].examples.back(), std::to_string(Diagnostics::kExamplesKept - 1));
}

TEST(Diagnostics, KeepTheSummaryOfTheFirstCallWithACode) {
    Diagnostics d;
    d.add(Severity::Warning, "x", "First", "1");
    d.add(Severity::Warning, "x", "Second", "2");
    EXPECT_EQ(d.entries()[0].summary, "First");
}

TEST(Diagnostics, MergeAddsCountsAndFillsUpExamples) {
    Diagnostics a, b;
    a.add(Severity::Warning, "x", "X", "a1");
    for (int i = 0; i < 30; ++i)
        b.add(Severity::Warning, "x", "X", fmt::format("b{}", i));
    b.add(Severity::Info, "y", "Y", "only in b");
    a.merge(b);
    EXPECT_EQ(a.count("x"), 31u);
    EXPECT_EQ(a.count("y"), 1u);
    EXPECT_EQ(a.entries()[0].examples.size(), Diagnostics::kExamplesKept);
    EXPECT_EQ(a.entries()[0].examples[0], "a1");
    EXPECT_EQ(a.entries()[0].examples[1], "b0");
    EXPECT_EQ(a.entries()[1].summary, "Y");
    EXPECT_EQ(a.entries()[1].severity, Severity::Info);
    a.merge(Diagnostics());
    EXPECT_EQ(a.entries().size(), 2u);
}

TEST(Diagnostics, SeveritiesHaveNames) {
    EXPECT_EQ(toString(Severity::Info), "info");
    EXPECT_EQ(toString(Severity::Warning), "warning");
    EXPECT_EQ(toString(Severity::Error), "error");
}

} // namespace
} // namespace opscape
