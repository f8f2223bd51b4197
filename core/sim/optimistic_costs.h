// SPDX-License-Identifier: MIT
// The optimistic cost table of PEFT (Arabnejad and Barbosa 2014): how long it is at least from the end of a unit on a
// device to the end of the step, if every unit after it had the best device for itself, no device were ever busy, and
// transfers met no other. No plan can be faster, under any link model: a transfer never takes less than it takes alone.
#pragma once

#include <opscape/sim/unit_graph.h>

namespace opscape {

/// [unit][device], ns. `fixed`: per unit where it has to run, invalid where it is free; empty: all are free.
[[nodiscard]] std::vector<std::int64_t> optimisticCosts(const Problem& problem, const UnitGraph& graph,
                                                        std::span<const DeviceId> fixed = {});

} // namespace opscape
