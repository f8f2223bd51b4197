// SPDX-License-Identifier: MIT
// How much faster candidate plans are simulated on two cores than on one, and what the machine lets any program gain.
#pragma once

#include "bench/bench_case.h"

namespace opscape::bench {

struct ThreadScaling {
    double threads;   ///< a simulator on each of two threads
    double processor; ///< the same by processor time: 2 when a second thread makes no plan dearer, whoever waits for a
                      ///< core
    double processes; ///< a simulator in each of two processes, which share nothing that we could be to blame for
    double registers; ///< two threads that work in registers alone: 2 when two cores were free
};

/// The median over `rounds`; in every round each is timed against one core, one right after the other.
[[nodiscard]] ThreadScaling threadScaling(const Case& c, int rounds);

} // namespace opscape::bench
