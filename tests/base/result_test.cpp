// SPDX-License-Identifier: MIT
#include <opscape/base/result.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

Result<int> half(int n) {
    if (n % 2 != 0)
        return fail("{} is odd; give an even number.", n);
    return n / 2;
}

Result<> even(int n) {
    if (const auto h = half(n); !h)
        return fail(h.error());
    return {};
}

TEST(Result, IsAValueOrASentence) {
    ASSERT_TRUE(half(8));
    EXPECT_EQ(*half(8), 4);
    ASSERT_FALSE(half(7));
    EXPECT_EQ(half(7).error().message, "7 is odd; give an even number.");
}

TEST(Result, PassesASentenceOnToAnotherType) {
    EXPECT_TRUE(even(8));
    ASSERT_FALSE(even(7));
    EXPECT_EQ(even(7).error().message, "7 is odd; give an even number.");
}

TEST(Result, KeepsBracesInASentenceThatIsPassedOn) {
    const Result<int> inner = fail(Error{"{} is a name."});
    EXPECT_EQ(Result<double>(fail(inner.error())).error().message, "{} is a name.");
}

} // namespace
} // namespace opscape
