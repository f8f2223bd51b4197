// SPDX-License-Identifier: MIT
// One phase of learning: a policy for some of the tasks on one problem, update after update, with the best plan so far
// at hand at any moment.
#pragma once

#include <opscape/rl/checkpoint.h>
#include <opscape/rl/train_options.h>

#include <chrono>

namespace opscape::rl {

class Trainer {
public:
    static constexpr std::int64_t kNoLimit = 1'000'000'000'000;

    /// `tasks`: those to decide, in the order of the chain. All must outlive it. What they do not decide is as in
    /// `base`.
    [[nodiscard]] static Result<Trainer> make(const Problem& problem, std::span<const DecisionTask* const> tasks,
                                              const Plan& base, const TrainOptions& options, const RunContext& context);
    Trainer(Trainer&&) noexcept;
    ~Trainer();

    using Clock = RunPause::Clock; ///< as RunContext::now() reads it
    /// Warm-up leaves out all but the essential proposals once the one has passed, and imitation once the other has.
    void setDeadlines(Clock::time_point proposals, Clock::time_point imitation);
    /// Scores the base plan and, where examples or elites are wanted, the proposals, and learns to repeat the best of
    /// them (imitation). Fails when none of them can run. Looks at fewer proposals where so many simulations do not
    /// suffice.
    [[nodiscard]] Result<> warmUp(std::int64_t mostSimulations = kNoLimit);
    /// One update: samples (at most so many), their rewards, epochs of PPO. `progress`, 0 to 1, is how far training is.
    /// None when the run was told to stop meanwhile: then nothing was learned, but the best plan counts.
    [[nodiscard]] Result<std::optional<CurvePoint>> update(double progress, int mostSamples);

    [[nodiscard]] const std::optional<ScoredPlan>& best() const;
    [[nodiscard]] std::int64_t simulations() const;
    [[nodiscard]] std::int64_t updates() const; ///< since training began, also before a checkpoint
    [[nodiscard]] int samples() const;          ///< per update
    [[nodiscard]] const std::vector<NamedTime>& baselines() const;

    [[nodiscard]] Checkpoint checkpoint() const;
    /// In place of warmUp(). Of the same graph on the same cluster with the same start plan, pins and units it goes on
    /// where the checkpoint ended, to the bit; else only the weights are taken, after warmUp(). Fails with a sentence
    /// when it is of another network, other tasks or another revision of them; `file` is named in it. True when it goes
    /// on.
    [[nodiscard]] Result<bool> restore(Checkpoint checkpoint, const std::filesystem::path& file,
                                       std::int64_t mostSimulations = kNoLimit);

private:
    struct Impl;
    explicit Trainer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace opscape::rl
