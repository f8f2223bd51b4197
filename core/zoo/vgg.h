// SPDX-License-Identifier: MIT
// VGG-19: a deep chain of small convolutions and three large dense layers.
#pragma once

#include <opscape/zoo/zoo.h>

namespace opscape {

void addVggModels(std::vector<ZooModel>& models);

} // namespace opscape
