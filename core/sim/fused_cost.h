// SPDX-License-Identifier: MIT
// How long a fused group takes on a kind of device: one launch instead of many, and no traffic for what never leaves
// it.
#pragma once

#include <opscape/plan/problem.h>

#include <span>

namespace opscape {

/// `ops` ascending. One op alone takes what the cost model says. For more: one launch; flops added, each op at the rate
/// of its own class and element type; bytes added, less the reads of tensors made inside and the writes of those not
/// read outside; the loss of a kernel that does not fill the device once, the largest; then the roofline. Of an op
/// whose time was given only the launch is saved: what fusion would make of the rest of a measured time is not known.
[[nodiscard]] std::int64_t fusedNs(const Problem& problem, std::span<const OpId> ops, KindId kind);

} // namespace opscape
