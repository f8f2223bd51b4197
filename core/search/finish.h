// SPDX-License-Identifier: MIT
// What is done to a plan after whatever optimizer has placed the ops: fuse them and order them by the defaults, so that
// every optimizer can be judged under every fuser and scheduler.
#pragma once

#include <opscape/fusion/fusers.h>
#include <opscape/search/schedulers.h>

namespace opscape {

/// What is not given stays as the plan has it.
struct Finish {
    std::optional<Fuser> fuser;
    std::optional<Scheduler> scheduler;
};

/// Where the fuser has several proposals, the plan that is best once it is scheduled: one that fits in memory before
/// one that does not, then the shortest step, then the most fused. The plan must be valid. Fails when none can run.
[[nodiscard]] Result<Plan> finished(const Problem& problem, const Plan& plan, const Finish& finish,
                                    const RunContext& context);

} // namespace opscape
