// SPDX-License-Identifier: MIT
// One phase of learning: a policy for some of the tasks on one problem, update after update, with the best plan so far
// at hand at any moment.
#pragma once

#include <opscape/rl/train/checkpoint.h>
#include <opscape/rl/train/train_options.h>

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
    /// To be called before warmUp(): begins with the weights of a policy that was trained before, which is not to
    /// imitate anything, and learns at most at TrainOptions::fineTuneRate, also when it goes on from a checkpoint.
    /// Fails when the number of weights is another.
    [[nodiscard]] Result<> adopt(const std::vector<float>& parameters);
    /// One update: samples (at most so many), their rewards, epochs of PPO. `progress`, 0 to 1, is how far training is.
    /// None when the run was told to stop meanwhile: then nothing was learned, but the best plan counts.
    [[nodiscard]] Result<std::optional<CurvePoint>> update(double progress, int mostSamples);

    // An update in parts, for training on several problems at once with weights of their own keeper.
    /// Draws samples and judges them; none when the run was told to stop meanwhile.
    [[nodiscard]] Result<std::optional<CurvePoint>> collect();
    /// Adds the gradient of the loss on what was collected, at the weights as they are now. False when told to stop.
    [[nodiscard]] bool addGradient(double progress, std::vector<float>& sum, CurvePoint& point);
    /// Of what was collected.
    void letGo();

    /// Plans by the policy alone, without learning. The best of them; none when none can run or the run was told to
    /// stop. They count like other samples. `room`: how much of a memory they may fill (TaskEpisode::setRoom).
    [[nodiscard]] Result<std::optional<Score>> propose(Draw draw, int count, double room = 0);

    /// All weights of the policy; what Adam remembered of others is forgotten. Fails when their number is another.
    [[nodiscard]] Result<> setParameters(const std::vector<float>& parameters);
    [[nodiscard]] std::vector<float> parameters() const;
    /// What number and meaning of the weights depend on.
    [[nodiscard]] std::map<std::string, std::string> network() const;
    /// What rewards are relative to: the cost of the best simple plan.
    [[nodiscard]] std::int64_t referenceNs() const;

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
