// SPDX-License-Identifier: MIT
// The last layers of the policy in plain loops: from what is known of a unit and of each action to a probability per
// action. A rollout evaluates it for one unit after the other, where calling torch would cost more than the sums.
//
// z_a = relu(unit row + W2 f_a); y_a = relu(A z_a + B mean over legal b of z_b + c); logit_a = w . y_a. The same
// weights for every action, so actions that look alike get the same logit, and their number may differ from graph to
// graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace opscape::rl {

struct HeadWeights {
    int hidden = 0;        ///< width of z and y
    int features = 0;      ///< per action; 0: the rest is empty
    std::vector<float> w2; ///< [feature][hidden]
    std::vector<float> a;  ///< [hidden in][hidden out]
    std::vector<float> b;  ///< [hidden in][hidden out]
    std::vector<float> c;  ///< [hidden]
    std::vector<float> w;  ///< [hidden]
};

class Head {
public:
    explicit Head(const HeadWeights& weights) : m_weights(weights) {}

    /// `unit`: what the unit contributes to z, hidden numbers; `features`: [action][feature]. Writes the logarithm of
    /// each action's probability; that of an illegal one is very negative.
    void logProbabilities(std::span<const float> unit, std::span<const float> features,
                          std::span<const std::uint8_t> mask, std::span<float> result);

private:
    void scoreByFeatures(std::span<const float> unit, std::span<const float> features,
                         std::span<const std::uint8_t> mask, std::span<float> result);

    const HeadWeights& m_weights;
    std::vector<float> m_z, m_mean, m_base, m_y;
};

} // namespace opscape::rl
