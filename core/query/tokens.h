// SPDX-License-Identifier: MIT
// Cuts the text of a query into its words: "type:MatMul time > 2 ms (/conv_\d+/ or not fused)". Blanks may stand around
// a comparison and between a number and its unit; a word that could be that unit is looked for in names where it stands
// in quotes.
#pragma once

#include "fields.h"

#include <opscape/base/result.h>

#include <string>
#include <string_view>
#include <vector>

namespace opscape {

enum class Comparison : std::uint8_t { Has, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

struct QueryToken {
    enum class Kind : std::uint8_t { And, Or, Not, Open, Close, Word, Flag, Field };
    Kind kind = Kind::Word;
    const QueryFieldInfo* field = nullptr; ///< of a flag or a field
    Comparison comparison = Comparison::Has;
    std::string text;   ///< of a word, or the value of a field, without quotes or slashes
    bool regex = false; ///< the text was between slashes
    std::size_t at = 0; ///< byte of the query where it begins
    std::size_t textAt = 0;
};

/// What parts words.
[[nodiscard]] constexpr bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// "Column 8: ...": counted in characters from 1; fit to be shown, whatever the query holds.
[[nodiscard]] Error queryError(std::string_view query, std::size_t at, std::string_view sentence);

[[nodiscard]] Result<std::vector<QueryToken>> queryTokens(std::string_view query);

/// The text as a query has to say it, in quotes where it holds what would end it.
[[nodiscard]] std::string quotedForQuery(std::string_view text);

} // namespace opscape
