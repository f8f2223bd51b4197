// SPDX-License-Identifier: MIT
// The two options that say how long a search may go on, the same for every optimizer that searches.
#pragma once

#include <opscape/search/search_run.h>
#include <opscape/task/option.h>

namespace opscape {

inline std::vector<OptionSpec> searchBudgetOptions(double seconds = 10) {
    return {OptionSpec::real("seconds", "How long to search.", seconds, 0.01, 86'400, "s"),
            OptionSpec::integer("simulations",
                                "How many plans to simulate; then time does not count and the same seed gives the same "
                                "plan on any machine. 0: by time.",
                                0, 0, 1'000'000'000'000)};
}

inline SearchBudget searchBudget(const Options& options) {
    return {options.integer("simulations"), options.real("seconds")};
}

} // namespace opscape
