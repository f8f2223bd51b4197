// SPDX-License-Identifier: MIT
// What a person who is typing a query may mean to write next: fields, and what the graph and the cluster at hand hold.
#pragma once

#include <opscape/query/query.h>

#include <string>
#include <vector>

namespace opscape {

struct Completion {
    std::string text; ///< takes the place of `from` to `to`, bytes of the query
    std::string note; ///< what it is, e.g. "1,234 ops"
    std::size_t from = 0, to = 0;
};

/// Where the word begins that ends at the end of what is typed; a quoted value is part of it.
[[nodiscard]] std::size_t queryWordStart(std::string_view typed);

/// For the word that ends at `cursor`, a byte of the query; the likeliest first. None where the word is whole already.
[[nodiscard]] std::vector<Completion> completions(std::string_view query, std::size_t cursor, const QueryFacts& facts,
                                                  std::size_t most = 12);

} // namespace opscape
