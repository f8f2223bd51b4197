// SPDX-License-Identifier: MIT
// The product's strong search, used alone and after a learned policy: annealing from coarse groups of ops to single
// ops, then of priorities too, between rounds of forward-backward improvement.
#pragma once

#include <opscape/search/setup.h>

namespace opscape {

struct RefineOptions {
    SearchBudget budget{0, 10};
    bool singleOps = true;  ///< false: whole scopes only, for runtimes that cannot place single ops
    int starts = 0;         ///< short runs of which the best is continued; 0: three where the budget allows
                            ///< 20,000 simulations, else one
    bool earlyAbort = true; ///< see AnnealingStage
};

/// From the start plan, if there is one, and the quick placements; never worse than any of them.
[[nodiscard]] Result<Plan> refine(const Problem& problem, const RunContext& context, const RefineOptions& options);

} // namespace opscape
