// SPDX-License-Identifier: MIT
// The schedulers that need no search of their own: given where ops run and what is fused, in which order devices take
// them. This is the one list of them; choices and help everywhere follow from it.
#pragma once

#include <opscape/base/result.h>
#include <opscape/base/run_context.h>
#include <opscape/plan/problem.h>

#include <span>

namespace opscape {

enum class Scheduler : std::uint8_t { Fifo, Rank, Fbi };

struct SchedulerInfo {
    Scheduler scheduler;
    std::string_view id;      ///< "rank"
    std::string_view summary; ///< one clause, in lower case
};

[[nodiscard]] std::span<const SchedulerInfo> schedulers();
[[nodiscard]] std::string_view toString(Scheduler scheduler);
/// The error lists the ids there are.
[[nodiscard]] Result<Scheduler> parseScheduler(std::string_view id);

/// The plan with the queues of that scheduler; a fused group counts as one op. Fbi never makes the step slower than the
/// plan's own queues, and keeps those where the plan cannot run.
[[nodiscard]] Plan scheduled(const Problem& problem, Plan plan, Scheduler scheduler, const RunContext& context);

} // namespace opscape
