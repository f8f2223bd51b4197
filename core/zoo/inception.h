// SPDX-License-Identifier: MIT
// Inception-v3: an image classifier of modules with parallel branches.
#pragma once

#include <opscape/zoo/zoo.h>

namespace opscape {

void addInceptionModels(std::vector<ZooModel>& models);

} // namespace opscape
