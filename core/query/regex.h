// SPDX-License-Identifier: MIT
// Regular expressions that are searched in time linear in the text, whatever the expression: what a person types while
// looking at 80,000 names must never hang the search. Case does not matter, in the
// scripts that lowerCase() in core/base/text.h knows. There are literals, ., [..] of ASCII characters, \d \w \s, ^ and
// $, groups, |, *, +, ? and {n,m}; no back references and no look-ahead.
#pragma once

#include <opscape/base/result.h>

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace opscape {

/// Why an expression is none; `offset` is a byte of it.
struct RegexError {
    std::string message; ///< "the ( is never closed"
    std::size_t offset = 0;
};

class Regex {
public:
    using Bytes = std::bitset<256>;
    struct State {
        enum class Kind : std::uint8_t { Bytes, Split, Begin, End, Match };
        Kind kind = Kind::Match;
        Bytes bytes;
        int out = -1, other = -1; ///< other: of a split
    };

    [[nodiscard]] static tl::expected<Regex, RegexError> compile(std::string_view pattern);

    [[nodiscard]] const std::vector<State>& states() const { return m_states; }
    [[nodiscard]] int start() const { return m_start; }

private:
    std::vector<State> m_states;
    int m_start = 0;
};

/// Searches many texts for one expression; keeps what it learns from text to text. For one thread.
class RegexSearch {
public:
    explicit RegexSearch(const Regex& regex) : m_regex(regex) {}

    /// True when some part of the text, which is in lower case, fits.
    [[nodiscard]] bool found(std::string_view lowerText);

private:
    struct Known {
        std::vector<int> states; ///< of the regex, ascending
        std::array<int, 256> next;
        bool matches = false, matchesAtEnd = false;
    };

    void close(int state, bool atBegin, bool atEnd, std::vector<std::uint8_t>& in) const;
    int enter(const std::vector<std::uint8_t>& in);
    int begin();
    int step(int from, unsigned char byte);

    const Regex& m_regex;
    std::vector<Known> m_known;
    std::map<std::vector<int>, int> m_index;
};

} // namespace opscape
