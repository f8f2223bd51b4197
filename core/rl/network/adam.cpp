// SPDX-License-Identifier: MIT
#include <opscape/rl/network/adam.h>

#include <algorithm>
#include <cmath>

namespace opscape::rl {
namespace {

constexpr double kMeanDecay = .9, kSquareDecay = .999, kSmall = 1e-8;

} // namespace

void adamStep(AdamState& state, std::span<float> parameters, std::span<const float> gradient, double learningRate,
              double clip) {
    state.mean.resize(parameters.size());
    state.square.resize(parameters.size());
    double norm = 0;
    for (const float g : gradient)
        norm += double{g} * g;
    norm = std::sqrt(norm);
    if (!std::isfinite(norm))
        return; // a step that cannot be told is not taken
    const double scale = norm > clip ? clip / norm : 1;
    ++state.steps;
    const auto steps = static_cast<double>(state.steps);
    const double meanBias = 1 - std::pow(kMeanDecay, steps), squareBias = 1 - std::pow(kSquareDecay, steps);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const double g = gradient[i] * scale;
        const double mean = kMeanDecay * state.mean[i] + (1 - kMeanDecay) * g;
        const double square = kSquareDecay * state.square[i] + (1 - kSquareDecay) * g * g;
        state.mean[i] = static_cast<float>(mean);
        state.square[i] = static_cast<float>(square);
        parameters[i] -=
            static_cast<float>(learningRate * (mean / meanBias) / (std::sqrt(square / squareBias) + kSmall));
    }
}

} // namespace opscape::rl
