// SPDX-License-Identifier: MIT
// What a simulator that keeps the run of a plan could gain at best on a plan that differs in one move of one op to
// another device: as a ratio of events, with finding the place, putting the state back and comparing states for
// nothing. Putting the state back writes what preparing a full run writes, so preparing is left out on both sides.
#pragma once

#include "bench/bench_case.h"

namespace opscape::bench {

struct ResimulateBound {
    double restart; ///< by starting where the runs part: when the first input that goes elsewhere is made
    double window;  ///< by ending, too, where the last op runs at another time than before
};

/// Over `moves` moves drawn evenly over ops and devices.
[[nodiscard]] ResimulateBound resimulateBound(const Case& c, int moves);

} // namespace opscape::bench
