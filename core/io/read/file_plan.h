// SPDX-License-Identifier: MIT
// What a reader found of a plan in a file, brought to what a plan can hold, whatever the file claims.
#pragma once

#include <opscape/io/format.h>

namespace opscape {

/// Fused groups that a path leaves and comes back to, alone or through one another, are dissolved and counted. Of an
/// order, ops that stand before what they wait for are counted: they run behind it.
void keepSoundPlan(GraphFile& file);

} // namespace opscape
