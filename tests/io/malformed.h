// SPDX-License-Identifier: MIT
// One malformed file per error of a reader: a sound file with one place changed, and the sentence that it gets.
#pragma once

#include "support/sentence.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

namespace opscape::test {

struct Malformed {
    std::string_view what; ///< the name of the test
    std::string_view old, changed;
    std::string_view sentence;
};

inline void PrintTo(const Malformed& c, std::ostream* out) { *out << c.what; }

template <class Reader>
void expectRefused(std::string_view sound, const Malformed& c, Reader read, const std::string& origin) {
    std::string text(sound);
    const std::size_t at = text.find(c.old);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, c.old.size(), c.changed);
    const auto file = read(text, origin);
    ASSERT_FALSE(file.has_value());
    EXPECT_EQ(file.error().message, c.sentence);
    EXPECT_THAT(file.error().message, IsOneSentence());
}

} // namespace opscape::test
