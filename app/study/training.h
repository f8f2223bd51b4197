// SPDX-License-Identifier: MIT
// Training of a policy on many graphs (core/rl/pretrain/pretrain.h) from lessons to model: what the command line and
// the studies have in common. The paper's protocols are presets of it, by name.
#pragma once

#include "study/lesson_set.h"

#include <opscape/task/registry.h>

#include <span>

namespace opscape {

struct TrainingRequest {
    LessonRecipe recipe;
    rl::PretrainOptions options; ///< the recipe of the model is filled in
    std::uint64_t seed = 1;      ///< of the training; that of the lessons is in their recipe
    std::string protocol{};      ///< name; empty: none of the paper's
    bool elastic = false; ///< of several processes those that are left go on from the last state when one is lost
};

struct Protocol {
    std::string_view name, summary;
    std::string_view use; ///< options of go that go with such a model
};
[[nodiscard]] std::span<const Protocol> protocols();
/// Sets what the protocol says of the request, which is otherwise as asked for. Fails where families or protocol are
/// not known.
[[nodiscard]] Result<> applyProtocol(std::string_view name, TrainingRequest& request);

[[nodiscard]] std::string_view toString(rl::LessonDraw draw); ///< "family", "uniform", "in-turn"
[[nodiscard]] std::optional<rl::LessonDraw> parseLessonDraw(std::string_view name);

/// What training takes of the learning engine, or of what stands in for it.
struct TrainingEngine {
    /// rl::pretrain()
    std::function<Result<rl::PretrainResult>(
        std::span<const rl::Lesson> lessons, std::span<const rl::Lesson> heldOut,
        std::span<const DecisionTask* const> tasks, const rl::PretrainOptions& options,
        const std::filesystem::path& model, const rl::Crew& crew,
        const std::function<void(const rl::PretrainPoint&)>& told, const RunContext& context)>
        pretrain;
    /// The other processes, where the environment says that there are several (core/rl/pretrain/crew.h).
    std::function<Result<rl::Crew>(bool elastic)> join;
    /// Of the weights in a file.
    std::function<Result<std::string>(const std::filesystem::path& model)> hash;
};
/// Loads the engine.
[[nodiscard]] Result<TrainingEngine> trainingEngine();

struct TrainingWatcher {
    std::function<void(const LessonSet&)> begins;            ///< the lessons are made
    std::function<void(const rl::PretrainPoint&)> learned{}; ///< after every update; may be empty
    std::function<void(int left)> regrouped{};               ///< a process was lost; so many go on; may be empty
};

struct TrainedModel {
    rl::PretrainResult result;
    bool writes = true; ///< this process wrote the model; of several, the first
};

/// Makes the lessons, joins other processes and learns until the end, or until told to stop: then the model is what was
/// learned so far.
[[nodiscard]] Result<TrainedModel> trainModel(const Registry& registry, const TrainingRequest& request,
                                              const std::filesystem::path& model, const TrainingEngine& engine,
                                              const TrainingWatcher& watcher, const RunContext& context);

/// JSON: what a model was trained on and how; its card shows it.
[[nodiscard]] std::string trainingText(const TrainingRequest& request, const LessonSet& lessons);

/// A line of CSV for a point, and the names of its columns.
[[nodiscard]] std::string curveLine(const rl::PretrainPoint& point);
inline constexpr std::string_view kTrainingColumns =
    "update,seconds,simulations,reward,entropy,kl,clip_fraction,held_out_greedy,held_out_best_of_64,held_out_lessons";

} // namespace opscape
