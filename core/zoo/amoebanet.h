// SPDX-License-Identifier: MIT
// AmoebaNet-A: an image classifier of evolved cells, each reading the two cells before it.
#pragma once

#include <opscape/zoo/zoo.h>

namespace opscape {

void addAmoebanetModels(std::vector<ZooModel>& models);

} // namespace opscape
