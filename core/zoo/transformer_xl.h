// SPDX-License-Identifier: MIT
// Transformer-XL language models: segments of text in a row, each attending to the memory of the one before.
#pragma once

#include <opscape/zoo/zoo.h>

namespace opscape {

void addTransformerXlModels(std::vector<ZooModel>& models);

} // namespace opscape
