// SPDX-License-Identifier: MIT
// BERT: a bidirectional Transformer encoder, trained on masked words and next sentences.
#pragma once

#include <opscape/zoo/zoo.h>

namespace opscape {

void addBertModels(std::vector<ZooModel>& models);

} // namespace opscape
