// SPDX-License-Identifier: MIT
// One decision that a compiler takes for every op: placement, scheduling, fusion, ... A learned optimizer can take any
// set of these, alone or jointly, knowing only this interface; a new decision is a new plugin.
#pragma once

#include <opscape/task/task_episode.h>

#include <memory>

namespace opscape {

struct TaskInfo {
    std::string id;      ///< e.g. "placement"
    std::string title;   ///< for people
    std::string summary; ///< one sentence: what is decided
    int chain = 0;       ///< place in the chain of decisions, ascending: placement 10, scheduling 20, fusion 30
    int revision = 1;    ///< changes when the meaning of an action changes
};

/// A sensible way to decide, e.g. "layers in turn".
struct Proposal {
    std::string name;
    std::vector<int> actions; ///< per op
};

class DecisionTask {
public:
    virtual ~DecisionTask() = default;

    [[nodiscard]] virtual const TaskInfo& info() const = 0;
    /// Number of actions per op: devices, priority levels, ... At least 1.
    [[nodiscard]] virtual int actionCount(const Problem& problem) const = 0;
    /// Writes 1 for every action that is legal for the op, given what the plan holds so far; at least one is.
    virtual void legal(const Problem& problem, const Plan& plan, OpId op, std::span<std::uint8_t> mask) const = 0;
    /// What a compiler does without learning: one legal action per op.
    virtual void fallback(const Problem& problem, std::span<int> actions) const = 0;
    /// Turns one action per op into this task's part of the plan. Any legal vector gives a valid plan.
    [[nodiscard]] virtual Result<> apply(const Problem& problem, std::span<const int> actions, Plan& plan) const = 0;

    /// Takes this task's part out of a plan: nothing of it is decided then.
    virtual void open(Plan& plan) const;
    /// A walk over units of ops, for a policy. All arguments must outlive it. Unless a task can say more about its
    /// actions, they are known by their index.
    [[nodiscard]] virtual std::unique_ptr<TaskEpisode> begin(const Problem& problem, const DecisionUnits& units) const;
    /// What can be decided without a search, beside fallback(): where learning starts. `soFar` as for an episode. May
    /// be empty.
    [[nodiscard]] virtual std::vector<Proposal> proposals(const Problem& problem, const Plan& soFar) const;
};

} // namespace opscape
