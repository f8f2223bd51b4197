// SPDX-License-Identifier: MIT
// WaveNet: audio samples predicted by stacks of dilated causal convolutions with gates.
#pragma once

#include <opscape/zoo/zoo.h>

namespace opscape {

void addWavenetModels(std::vector<ZooModel>& models);

} // namespace opscape
