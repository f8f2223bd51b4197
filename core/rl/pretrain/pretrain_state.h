// SPDX-License-Identifier: MIT
// What a pre-training keeps on disk to be gone on with, and how the points of its curve are written (state_file.h).
#pragma once

#include <opscape/rl/model/state_file.h>
#include <opscape/rl/pretrain/pretrain.h>
#include <opscape/rl/train/checkpoint_state.h>

namespace opscape::rl {

template <class File>
void visit(File& file, HeldOut& seen) {
    visit(file, seen.greedy);
    visit(file, seen.bestOf64);
    visit(file, seen.lessons);
}

template <class File>
void visit(File& file, PretrainPoint& point) {
    visit(file, point.update);
    visit(file, point.seconds);
    visit(file, point.simulations);
    visit(file, point.reward);
    visit(file, point.entropy);
    visit(file, point.kl);
    visit(file, point.clipFraction);
    visit(file, point.heldOut);
}

/// Everything that the next update depends on, and the curve.
struct TrainingState {
    std::string lessonsHash; ///< of the lessons and of what is held out
    std::uint64_t seed = 1;
    std::int64_t update = 0, simulations = 0;
    double seconds = 0;
    PolicyState policy;
    std::vector<std::int64_t> opened; ///< lessons that were learned from, by their number
    std::vector<Checkpoint> lessons;  ///< of these; their weights are not in it
    std::vector<PretrainPoint> curve; ///< thinned out
};

inline constexpr std::uint32_t kTrainingWithCurve = 2; ///< format that began to have the curve
inline constexpr StateFile kTrainingFile{"OPSCAPPT", kTrainingWithCurve, "state of a pre-training", "train anew", 1};

template <class File>
void visit(File& file, TrainingState& s) {
    visit(file, s.lessonsHash);
    visit(file, s.seed);
    visit(file, s.update);
    visit(file, s.simulations);
    visit(file, s.seconds);
    visit(file, s.policy);
    visit(file, s.opened);
    visit(file, s.lessons);
    if (file.has(kTrainingWithCurve))
        visit(file, s.curve);
}

/// Where there are too many points to be kept, leaves about half of them; those with a look at what is held out stay
/// as long as they are few.
void thinOut(std::vector<PretrainPoint>& curve);

} // namespace opscape::rl
