// SPDX-License-Identifier: MIT
// The expected hashes come from the one-shot XXH3_128bits in a program of its own, not from the Hasher.
#include <opscape/base/hash.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

template <class F>
std::string hashOf(F&& feed) {
    Hasher hasher;
    feed(hasher);
    return hasher.hex();
}

TEST(Hash, HasTheValuesThatXxh3Publishes) {
    EXPECT_EQ(contentHash(""), "99aa06d3014798d86001c324468d497f");
    EXPECT_EQ(contentHash("a"), "a96faf705af16834e6c632b61e964e1f");
    EXPECT_EQ(contentHash("abc"), "06b05ab6733a618578af5f94892f3950");
    std::string bytes;
    for (int i = 0; i < 1000; ++i)
        bytes += static_cast<char>(i);
    EXPECT_EQ(contentHash(bytes), "076f7e02b7120d2ad33dd80b46f60e50");
}

TEST(Hash, FeedsATextAsItsLengthAndItsBytesAndAValueAsItsBytes) {
    EXPECT_EQ(hashOf([](Hasher& h) {
                  h.text("hello");
                  h.value(-2);
              }),
              "9cdfac0671a37762492c9bc0bdf818d1");
}

TEST(Hash, DoesNotDependOnThePiecesItIsFedIn) {
    const std::string text(1000, 'x');
    Hasher hasher;
    for (const char& c : text)
        hasher.bytes(&c, 1);
    EXPECT_EQ(hasher.hex(), contentHash(text));
    EXPECT_EQ(hasher.hex(), hasher.hex()) << "reading it does not change it";
}

TEST(Hash, TellsOrderAndBoundariesApart) {
    const auto texts = [](std::string_view a, std::string_view b) {
        return hashOf([&](Hasher& h) {
            h.text(a);
            h.text(b);
        });
    };
    EXPECT_NE(texts("ab", "c"), texts("a", "bc"));
    EXPECT_NE(texts("a", "b"), texts("b", "a"));
    EXPECT_NE(texts("", "a"), texts("a", ""));
    EXPECT_NE(texts(std::string_view("\0", 1), ""), texts("", std::string_view("\0", 1)));
}

TEST(Hash, TellsTypesOfDifferentSizeApart) {
    EXPECT_NE(hashOf([](Hasher& h) { h.value(std::int32_t{1}); }), hashOf([](Hasher& h) { h.value(std::int64_t{1}); }));
    EXPECT_NE(hashOf([](Hasher& h) { h.value(0.0); }), hashOf([](Hasher& h) { h.value(1.0); }));
}

} // namespace
} // namespace opscape
