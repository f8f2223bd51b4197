// SPDX-License-Identifier: MIT
// Every knob of the learning engine, with the values that did best when they were tried. Plain data: no torch here or
// in any other header of this folder.
#pragma once

#include <opscape/search/search_run.h>

#include <filesystem>
#include <string>
#include <vector>

namespace opscape::rl {

/// Grouped: groups of ops by scope, scale-free features, decisions one after the other with a head that reads what each
/// action would mean. Paper: all ops in topological order at once, as GO was published.
enum class Shape : std::uint8_t { Grouped, Paper };

struct NetworkOptions {
    Shape shape = Shape::Grouped;
    int hidden = 48;     ///< width of the trunk
    int headHidden = 32; ///< width of the heads
    int sageLayers = 1;
    int segment = 64;             ///< units per segment of the attention
    int heads = 1;                ///< of the attention
    int runRows = 4096;           ///< units of a run of segments, times samples: what is in memory at once (policy.cpp)
    bool sage = true;             ///< GraphSAGE embedding; off: every unit by its own features
    bool attention = true;        ///< segment-recurrent attention; off: feed-forward layers in its place
    bool modulation = true;       ///< features scaled by the pooled graph embedding
    bool doublePrecision = false; ///< for checks of gradients
};

/// What is done with a model: learn on, or take what it says as it is.
enum class ZeroShot : std::uint8_t { Off, Greedy, BestOf64 };

struct TrainOptions {
    NetworkOptions network;
    /// Tasks learned together, phase after phase; ids. {{"placement", "scheduling"}} is joint, {{"placement"},
    /// {"scheduling"}} one by one. What no phase decides stays as in the start plan.
    std::vector<std::vector<std::string>> phases;

    SearchBudget budget{0, 10}; ///< of everything: policy and refinement
    std::int64_t updates = 0;   ///< the policy ends after so many updates, and time does not count; 0: by the budget
    double policyShare = 0;     ///< of the budget; 0: by the size of the graph; 1: no refinement
    bool search = true;         ///< staged refinement of the best plan with the rest of the budget

    int groups = 64; ///< of the grouped shape, at most: 24, 64, 128 or 256
    int samples = 0; ///< per update; 0: by the size of the graph
    int epochs = 2;  ///< over the samples of an update
    double learningRate = 2e-3;
    double clip = .2;
    double entropyBegin = .01, entropyEnd = .001; ///< weight of the bonus, falling geometrically
    double gradientClip = 1;

    bool imitation = true; ///< warm start: the policy first learns to repeat the tasks' proposals
    int imitationSteps = 60;
    bool elites = true; ///< the best samples so far are learned again, and samples vary them
    int eliteCount = 8;
    double selfImitation = .25; ///< weight of learning the elites again
    double variedShare = .5;    ///< of samples that vary an elite
    std::uint64_t seed = 1;
    int threads = 1; ///< of the rollouts; the result is the same for any number

    /// A policy that was trained before (model.h) to begin with, in place of imitation; empty: none.
    std::filesystem::path model;
    bool modelMayDiffer = false;       ///< where it was made for something else, learn from nothing, and say so
    double fineTuneRate = 1e-3;        ///< at most the learning rate of such a policy
    ZeroShot zeroShot = ZeroShot::Off; ///< with a model: no updates and no refinement

    std::filesystem::path load; ///< checkpoint to go on from; empty: none
    /// Checkpoint to write: before the first update, every saveEvery updates or ten seconds, and at the end or when
    /// stopped, always as of the last whole update; empty: none.
    std::filesystem::path save;
    std::int64_t saveEvery = 100;
};

} // namespace opscape::rl
