// SPDX-License-Identifier: MIT
// AlexNet: five convolutions and three large dense layers.
#pragma once

#include <opscape/zoo/zoo.h>

namespace opscape {

void addAlexnetModels(std::vector<ZooModel>& models);

} // namespace opscape
