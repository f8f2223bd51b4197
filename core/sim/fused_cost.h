// SPDX-License-Identifier: MIT
// How long a fused group takes on a kind of device: one launch instead of many, and no traffic for what never leaves
// it. Each op has its share in that, and shares are added as integers, so that a fuser that keeps the sums of its
// groups gets the same time, to the bit, as whoever adds up a whole group anew.
#pragma once

#include <opscape/plan/problem.h>

#include <algorithm>
#include <span>

namespace opscape {

/// What ops bring into a fused group, beside the launch that it takes once. Picoseconds, since an op may be far shorter
/// than a nanosecond without its launch.
struct FusedShare {
    std::int64_t computePs = 0;     ///< flops at the rate of the op's own class and element type
    std::int64_t memoryPs = 0;      ///< traffic that crosses the border of the group
    std::int64_t computeLossPs = 0; ///< of a kernel that does not fill the device; the group has the largest
    std::int64_t memoryLossPs = 0;
    std::int64_t givenNs = 0; ///< of an op whose time was given, in place of all of the above
    bool launches = false;    ///< false: views only, no kernel runs

    FusedShare& operator+=(const FusedShare& other) {
        computePs += other.computePs;
        memoryPs += other.memoryPs;
        computeLossPs = std::max(computeLossPs, other.computeLossPs);
        memoryLossPs = std::max(memoryLossPs, other.memoryLossPs);
        givenNs += other.givenNs;
        launches = launches || other.launches;
        return *this;
    }
};

/// The share of an op of whose traffic `insideBytes` stay inside the group: the reads of tensors made in it and the
/// writes of those that are read, but not outside.
[[nodiscard]] FusedShare fusedShare(const Problem& problem, OpId op, KindId kind, std::int64_t insideBytes);
/// The time of a group of at least two ops: one launch, and the roofline over the sum of their shares.
[[nodiscard]] std::int64_t fusedNs(const DeviceKind& kind, const FusedShare& sum);

/// `ops` ascending. One op alone takes what the cost model says. For more: one launch; flops added, each op at the rate
/// of its own class and element type; bytes added, less the reads of tensors made inside and the writes of those not
/// read outside; the loss of a kernel that does not fill the device once, the largest; then the roofline. Of an op
/// whose time was given only the launch is saved: what fusion would make of the rest of a measured time is not known.
[[nodiscard]] std::int64_t fusedNs(const Problem& problem, std::span<const OpId> ops, KindId kind);

} // namespace opscape
