// SPDX-License-Identifier: MIT
// Simulator::delays(): the chain of causes behind the makespan, as the trace of a run tells it.
#pragma once

#include <opscape/sim/engine.h>
#include <opscape/sim/simulator.h>

namespace opscape {

void findDelays(const Graph& opGraph, const UnitGraph& graph, const Engine& engine, const SimTrace& trace,
                std::vector<Delay>& found);

} // namespace opscape
