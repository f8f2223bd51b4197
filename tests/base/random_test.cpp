// SPDX-License-Identifier: MIT
// The reference values were computed by a separate program after the published algorithms of Blackman and Vigna; that
// program gives 11520, 0, 1509978240, ... from the state 1, 2, 3, 4, as the authors' own does.
#include <opscape/base/random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

TEST(Random, FollowsXoshiro256StarStarSeededBySplitmix64) {
    struct Reference {
        std::uint64_t seed;
        std::array<std::uint64_t, 4> first;
        std::uint64_t thousandth;
    };
    const Reference references[] = {
        {0, {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0, 0x6aa594f1262d2d2c}, 0x7aac8c483a2edd2f},
        {42, {0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1, 0xecb8ad4703b360a1}, 0x8de5848c61ab8968},
        {~0ULL, {0x8f5520d52a7ead08, 0xc476a018caa1802d, 0x81de31c0d260469e, 0xbf658d7e065f3c2f}, 0xc3c93ea5cde434cc},
    };
    for (const Reference& reference : references) {
        Random random(reference.seed);
        for (const std::uint64_t expected : reference.first)
            EXPECT_EQ(random(), expected) << "seed " << reference.seed;
        for (int i = 4; i < 999; ++i)
            random();
        EXPECT_EQ(random(), reference.thousandth) << "seed " << reference.seed;
    }
}

TEST(Random, TakesBoundedNumbersFromTheUpperHalf) {
    Random random(42);
    for (const std::uint32_t expected : {0u, 3u, 6u, 9u, 9u, 7u, 7u, 8u, 7u, 5u, 6u, 2u})
        EXPECT_EQ(random.below(10), expected);
}

TEST(Random, TakesUniformNumbersFromTheUpper53Bits) {
    Random random(42);
    EXPECT_EQ(random.uniform(), 0.08386297105988216);
    EXPECT_EQ(random.uniform(), 0.3789802506626686);
    EXPECT_EQ(random.uniform(), 0.6800434110281394);
}

TEST(Random, StaysInsideItsBounds) {
    Random random(7);
    std::array<int, 7> seen{};
    double smallest = 1, largest = 0;
    for (int i = 0; i < 70'000; ++i) {
        const std::uint32_t value = random.below(7);
        ASSERT_LT(value, 7u);
        ++seen[value];
        const double u = random.uniform();
        smallest = std::min(smallest, u);
        largest = std::max(largest, u);
        EXPECT_EQ(random.below(1), 0u);
    }
    EXPECT_GE(smallest, 0.0);
    EXPECT_LT(largest, 1.0);
    EXPECT_LT(smallest, 0.001);
    EXPECT_GT(largest, 0.999);
    for (const int count : seen)
        EXPECT_NEAR(count, 10'000, 500) << "five standard deviations";
    EXPECT_LE(random.below(0xffffffffu), 0xfffffffeu);
}

TEST(Random, IsAGeneratorThatTheStandardAlgorithmsTake) {
    static_assert(std::uniform_random_bit_generator<Random>);
    Random one(3), other(3);
    EXPECT_EQ(one(), other());
}

} // namespace
} // namespace opscape
