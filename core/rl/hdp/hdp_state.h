// SPDX-License-Identifier: MIT
// What HDP keeps on disk to be gone on with: everything that its next update depends on, so that a run that was cut off
// ends with the same bits as one that never was.
#pragma once

#include <opscape/rl/model/state_file.h>
#include <opscape/rl/train/checkpoint_state.h>

#include <array>

namespace opscape::rl {

struct HdpState {
    std::string version;                 ///< of the product
    std::string graphHash, clusterHash;  ///< what it was trained on
    std::string settingHash;             ///< of the start plan, the pins and the units that are placed as one
    std::map<std::string, double> sizes; ///< what the number and the meaning of the weights depend on
    std::int64_t update = 0;             ///< updates done
    std::int64_t simulations = 0;
    double seconds = 0; ///< that training took so far
    PolicyState policy;
    std::array<std::uint64_t, 4> random{}; ///< where its stream of random numbers is
    std::optional<double> baseline;
    std::optional<ScoredPlan> best;
    std::vector<CurvePoint> tail; ///< the last of the curve, for one that was not kept to its end
};

inline constexpr StateFile kHdpFile{"OPSCAPHD", 1, "hdp checkpoint", "train anew"};

template <class File>
void visit(File& file, HdpState& s) {
    visit(file, s.version);
    visit(file, s.graphHash);
    visit(file, s.clusterHash);
    visit(file, s.settingHash);
    visit(file, s.sizes);
    visit(file, s.update);
    visit(file, s.simulations);
    visit(file, s.seconds);
    visit(file, s.policy);
    for (std::uint64_t& word : s.random)
        visit(file, word);
    visit(file, s.baseline);
    visit(file, s.best);
    visit(file, s.tail);
}

} // namespace opscape::rl
