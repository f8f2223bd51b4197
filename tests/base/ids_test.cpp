// SPDX-License-Identifier: MIT
#include <opscape/base/ids.h>

#include <gtest/gtest.h>

#include <unordered_set>

namespace opscape {
namespace {

TEST(Id, IsInvalidUntilGivenAValue) {
    EXPECT_FALSE(OpId().valid());
    EXPECT_TRUE(OpId(0).valid());
    EXPECT_EQ(OpId(7).index(), 7u);
}

TEST(Id, OrdersByValueWithTheInvalidOneLast) {
    EXPECT_LT(OpId(1), OpId(2));
    EXPECT_LT(OpId(4'000'000'000), OpId());
    EXPECT_EQ(OpId(3), OpId(3));
}

TEST(Id, DoesNotMixWithOtherIds) {
    static_assert(!std::is_convertible_v<OpId, TensorId>);
    static_assert(!std::is_constructible_v<OpId, TensorId>);
    static_assert(!std::is_convertible_v<int, OpId>);
    static_assert(sizeof(OpId) == 4);
}

TEST(Id, CanBeAKey) {
    const std::unordered_set<DeviceId> set{DeviceId(1), DeviceId(1), DeviceId(2)};
    EXPECT_EQ(set.size(), 2u);
}

} // namespace
} // namespace opscape
