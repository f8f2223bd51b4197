// SPDX-License-Identifier: MIT
// From the trace of a run to everything that a Schedule says: ops, transfers, channels, memory over time.
#pragma once

#include <opscape/sim/engine.h>
#include <opscape/sim/schedule.h>

namespace opscape {

/// Fills when every op ran.
void fillTimes(const UnitGraph& graph, const SimTrace& trace, Schedule& schedule);

/// Fills what Detail::Full adds to a schedule that has its summary and one report per device already.
void fillFullSchedule(const Problem& problem, const Plan& plan, const UnitGraph& graph, const Engine& engine,
                      const SimTrace& trace, Schedule& schedule);

} // namespace opscape
