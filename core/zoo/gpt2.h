// SPDX-License-Identifier: MIT
// GPT-2: a Transformer decoder that predicts the next token.
#pragma once

#include <opscape/zoo/zoo.h>

namespace opscape {

void addGpt2Models(std::vector<ZooModel>& models);

} // namespace opscape
