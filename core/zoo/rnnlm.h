// SPDX-License-Identifier: MIT
// Recurrent language models: embedding, a stack of LSTM layers unrolled over their steps, softmax.
#pragma once

#include <opscape/zoo/zoo.h>

namespace opscape {

void addRnnlmModels(std::vector<ZooModel>& models);

} // namespace opscape
