// SPDX-License-Identifier: MIT
// What a person who is typing a filter for runs may mean to write next: fields, and what the runs at hand hold. Offered
// in the same shape as for the search for ops.
#pragma once

#include "run_filter.h"

#include <opscape/query/completion.h>
#include <opscape/store/run_store.h>

#include <map>

namespace opscape {

/// The texts that there are in the fields that are completed, each with the number of runs, the most frequent first; of
/// the newest runs.
using RunWords = std::map<RunField, std::vector<std::pair<std::string, std::int64_t>>>;
[[nodiscard]] Result<RunWords> readRunWords(const RunStore& store);

/// For the word that ends at `cursor`, a byte of the filter; none where the word is whole already.
[[nodiscard]] std::vector<Completion> runFilterCompletions(std::string_view filter, std::size_t cursor,
                                                           const RunWords& words, std::size_t most = 12);

} // namespace opscape
