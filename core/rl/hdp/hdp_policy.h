// SPDX-License-Identifier: MIT
// HDP's two networks and how they learn. The grouper gives every op a group, by two linear layers and a draw; the
// placer reads the groups one after the other with a bidirectional LSTM, and a second LSTM draws their devices, in each
// step told the device before and attending to all groups. Nothing of torch shows here.
#pragma once

#include <opscape/base/random.h>
#include <opscape/rl/hdp/hdp.h>
#include <opscape/rl/hdp/hdp_graph.h>
#include <opscape/rl/network/adam.h>
#include <opscape/rl/network/policy.h>

#include <memory>
#include <optional>

namespace opscape::rl {

struct HdpSample {
    std::vector<int> group;  ///< per unit
    std::vector<int> device; ///< per group
};

class HdpPolicy {
public:
    /// Random weights from the seed. The graph must outlive it.
    HdpPolicy(const HdpGraph& graph, std::size_t devices, const HdpOptions& options, std::uint64_t seed);
    ~HdpPolicy();

    /// Looked at many times in sample() and learn(); once it is true they give nothing and change nothing.
    void stopWith(std::function<bool()> shouldStop);

    /// Draws so many. `noise`: added to the logits, beside their root mean square; nearly Gaussian.
    [[nodiscard]] std::optional<std::vector<HdpSample>> sample(int count, double noise, Random& random);
    /// Of the devices in the last samples: mean per decision, nats.
    [[nodiscard]] double entropy() const;
    /// One step on the last samples: those with a positive advantage become more likely. The loss before it; none when
    /// stopped.
    [[nodiscard]] std::optional<double> learn(const std::vector<float>& advantage);

    /// - mean of advantage times log-probability of the last samples, and its gradient when asked for.
    [[nodiscard]] double loss(const std::vector<float>& advantage, std::vector<float>* gradient) const;
    [[nodiscard]] std::vector<float> parameters() const;
    void setParameters(const std::vector<float>& numbers);
    [[nodiscard]] PolicyState state() const { return {parameters(), m_adam}; }
    /// False where the number of parameters is another.
    [[nodiscard]] bool restore(const PolicyState& state);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
    AdamState m_adam;
    double m_learningRate, m_gradientClip;
};

} // namespace opscape::rl
