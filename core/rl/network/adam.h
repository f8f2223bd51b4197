// SPDX-License-Identifier: MIT
// Adam (Kingma and Ba 2015) over one flat vector of parameters, with the norm of the gradient cut off first. Its state
// is plain numbers, so a checkpoint holds all of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace opscape::rl {

struct AdamState {
    std::int64_t steps = 0;
    std::vector<float> mean, square; ///< per parameter
    friend bool operator==(const AdamState&, const AdamState&) = default;
};

/// One step. `clip` is the largest norm of the gradient.
void adamStep(AdamState& state, std::span<float> parameters, std::span<const float> gradient, double learningRate,
              double clip);

} // namespace opscape::rl
