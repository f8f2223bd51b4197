// SPDX-License-Identifier: MIT
// The same placed and ordered graph run by SimGrid (Casanova et al. 2014), which shares no code with our simulator: an
// independent judge for tests and a peer for benchmarks. SimGrid has no first-in-first-out queue, so the order on
// devices and fifo channels is taken from our schedule and imposed by chaining activities; it is the times that are
// compared. A simulation runs in a child process, because SimGrid allows one engine a process.
#pragma once

#include <opscape/plan/problem.h>
#include <opscape/sim/schedule.h>

namespace opscape::test {

struct PeerTimes {
    std::vector<double> opStartNs, opEndNs;             ///< per op
    std::vector<double> transferStartNs, transferEndNs; ///< per Schedule::transfers
    double runSeconds = 0; ///< processor time of SimGrid's Engine::run() alone, platform and activities built before
    std::string error;     ///< empty when it ran
};

enum class PeerPrecision {
    Tight,  ///< to compare times
    Default ///< SimGrid's own, to compare speed
};

/// No fusion, no blocking sends; fifo and fair transfers may have several channels.
[[nodiscard]] PeerTimes runSimGrid(const Problem& problem, const Plan& plan, const Schedule& schedule,
                                   PeerPrecision precision = PeerPrecision::Tight);

} // namespace opscape::test
