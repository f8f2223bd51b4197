// SPDX-License-Identifier: MIT
// ResNet: image classifiers of residual bottleneck blocks.
#pragma once

#include <opscape/zoo/zoo.h>

namespace opscape {

void addResnetModels(std::vector<ZooModel>& models);

} // namespace opscape
