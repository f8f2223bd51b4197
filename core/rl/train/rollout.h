// SPDX-License-Identifier: MIT
// Rollouts: samples of decisions for all units of one task, drawn from the heads by several threads. Every sample has a
// random stream of its own, so the result does not depend on the number of threads.
#pragma once

#include <opscape/base/random.h>
#include <opscape/base/run_context.h>
#include <opscape/rl/network/head.h>
#include <opscape/task/decision_task.h>

#include <functional>
#include <memory>

namespace opscape::rl {

/// What was seen and done for one task, over all samples.
struct TaskBatch {
    static constexpr int kFree = -1;
    /// Not drawn but tried: the action is taken if it is legal, else the lowest that is. Not learned from either.
    [[nodiscard]] static constexpr int wanted(int action) { return -2 - action; }

    int samples = 0, units = 0, actionCount = 0, features = 0;
    std::vector<int> forced;           ///< [sample][unit]: the action to take, kFree where it is drawn, or wanted();
                                       ///< empty: all are drawn
    std::vector<int> actions;          ///< [sample][unit]
    std::vector<float> logProbability; ///< [sample][unit]: of the action drawn
    std::vector<float> seen;           ///< [sample][unit][action][feature]
    std::vector<std::uint8_t> mask;    ///< [sample][unit][action]

    [[nodiscard]] bool isFree(std::size_t index) const { return forced.empty() || forced[index] == kFree; }
};

enum class Draw : std::uint8_t { Sample, Greedy };

class Rollouts {
public:
    /// All must outlive it. `plain`: actions are known by their index alone, whatever the tasks can say of them.
    Rollouts(const Problem& problem, std::span<const DecisionTask* const> tasks, const DecisionUnits& units,
             int threads, bool plain);

    [[nodiscard]] int actionCount(std::size_t task) const;
    [[nodiscard]] int featureCount(std::size_t task) const;

    /// Draws samples of one task, as many as there are plans, and writes them into the plans. `unitRows` are the units'
    /// parts of the head: [unit][..], or one such block per sample when there are as many; empty when every decision is
    /// forced. `seed` differs from call to call. When told to stop it leaves the plans as they are and says so. `room`:
    /// how much of a memory decisions may fill (TaskEpisode::setRoom).
    [[nodiscard]] Result<> run(std::size_t task, const HeadWeights& head, std::span<const float> unitRows, Draw draw,
                               std::uint64_t seed, const RunContext& context, TaskBatch& batch, std::span<Plan> plans,
                               double room = 0);

private:
    using Episodes = std::vector<std::unique_ptr<TaskEpisode>>; ///< per task
    Result<> runOne(TaskEpisode& episode, Head& head, std::span<const float> unitRows, Draw draw, Random random,
                    int sample, TaskBatch& batch, Plan& plan) const;

    const DecisionUnits& m_units;
    std::vector<Episodes> m_episodes; ///< per thread
};

/// Calls work(thread, index) for every index below count, each from one thread. Which one must not matter.
void inParallel(int threads, int count, const std::function<void(int thread, int index)>& work);

} // namespace opscape::rl
