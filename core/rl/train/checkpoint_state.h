// SPDX-License-Identifier: MIT
// What a checkpoint is made of, field by field, for the files that hold one or many (state_file.h).
#pragma once

#include <opscape/rl/model/state_file.h>
#include <opscape/rl/train/checkpoint.h>

namespace opscape::rl {

inline constexpr StateFile kCheckpointFile{"OPSCAPRL", 4, "checkpoint", "train anew"};

template <class File>
void visit(File& file, Score& score) {
    visit(file, score.timeNs);
    visit(file, score.costNs);
    visit(file, score.feasible);
}

template <class File>
void visit(File& file, NamedTime& time) {
    visit(file, time.name);
    visit(file, time.ns);
}

template <class File>
void visit(File& file, CurvePoint& point) {
    visit(file, point.update);
    visit(file, point.seconds);
    visit(file, point.simulations);
    visit(file, point.reward);
    visit(file, point.bestNs);
    visit(file, point.entropy);
    visit(file, point.kl);
    visit(file, point.clipFraction);
    visit(file, point.valueBaseline);
    visit(file, point.policyLoss);
    visit(file, point.imitationLoss);
}

template <class File>
void visit(File& file, Elite& elite) {
    visit(file, elite.actions);
    visit(file, elite.score);
}

template <class File>
void visit(File& file, Plan& plan) {
    visit(file, plan.device);
    visit(file, plan.policy);
    visit(file, plan.priority);
    visit(file, plan.fusionGroup);
}

template <class File>
void visit(File& file, ScoredPlan& scored) {
    visit(file, scored.plan);
    visit(file, scored.score);
}

template <class File>
void visit(File& file, PolicyState& policy) {
    visit(file, policy.parameters);
    visit(file, policy.adam.steps);
    visit(file, policy.adam.mean);
    visit(file, policy.adam.square);
}

template <class File>
void visit(File& file, Checkpoint& c) {
    visit(file, c.version);
    visit(file, c.graphHash);
    visit(file, c.clusterHash);
    visit(file, c.settingHash);
    visit(file, c.network);
    visit(file, c.revisions);
    visit(file, c.seed);
    visit(file, c.update);
    visit(file, c.simulations);
    visit(file, c.seconds);
    visit(file, c.isFineTuned);
    visit(file, c.policy);
    visit(file, c.elites);
    visit(file, c.referenceNs);
    visit(file, c.baselines);
    visit(file, c.best);
    visit(file, c.phase);
    visit(file, c.base);
    visit(file, c.simulationsBefore);
    visit(file, c.firstBaselines);
    visit(file, c.tail);
}

} // namespace opscape::rl
