// SPDX-License-Identifier: MIT
// Google's neural machine translation: LSTM encoder and decoder with attention, unrolled over the words of both.
#pragma once

#include <opscape/zoo/zoo.h>

namespace opscape {

void addGnmtModels(std::vector<ZooModel>& models);

} // namespace opscape
