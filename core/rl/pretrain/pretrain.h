// SPDX-License-Identifier: MIT
// Pre-training: one policy learned on many graphs and clusters at once, to be carried to graphs it has not seen. Every
// graph with its cluster is a lesson. An update takes one lesson of every slot; the gradient is the mean of theirs, so
// that several processes, each with some of the slots, make the update that one process would make.
#pragma once

#include <opscape/base/run_context.h>
#include <opscape/rl/train/train_options.h>
#include <opscape/task/decision_task.h>

#include <functional>
#include <optional>
#include <span>

namespace opscape::rl {

struct Lesson {
    std::string name;   ///< e.g. "gnmt layers=3 steps=12 on 4 x p100"
    std::string family; ///< e.g. "gnmt"
    Problem problem;
};

/// How a lesson of a slot is drawn.
enum class LessonDraw : std::uint8_t {
    Uniform,  ///< each lesson alike
    ByFamily, ///< first a family, each alike, then one of its lessons
    InTurn    ///< one after the other, a thousand updates each, as GO's pre-training was published
};

struct PretrainOptions {
    NetworkOptions network;
    std::vector<std::string> tasks{"placement", "scheduling"}; ///< learned together; ids
    std::int64_t updates = 0;                                  ///< ends after so many; 0: by time
    double seconds = 600;
    int slots = 4; ///< lessons of an update
    int samples = 32;
    int epochs = 2;
    int groups = 64;                                       ///< of the grouped shape, at most
    double learningRate = 1.5e-3, lastLearningRate = 3e-4; ///< falling geometrically
    double clip = .2, entropyBegin = .02, entropyEnd = .002, gradientClip = 1;
    LessonDraw draw = LessonDraw::ByFamily;
    double curriculum = .3;    ///< share of the training over which larger lessons join, smallest first; 0: all at once
    double evaluateEvery = 30; ///< seconds between looks at the lessons that are held out; by updates: 1/20 of them
    int threads = 1;
    std::filesystem::path save, load; ///< state of the whole training, to go on from; may be empty
    double saveEvery = 30;            ///< seconds
    std::string recipe;               ///< JSON; kept in the model as it is
};

/// What was reached on lessons that are held out, geometric means of t / t of the best simple plan; below 1 is better.
struct HeldOut {
    double greedy = 0;   ///< every decision the most likely one
    double bestOf64 = 0; ///< of as many samples
    std::size_t lessons = 0;
};

struct PretrainPoint {
    std::int64_t update = 0; ///< from 1
    double seconds = 0;      ///< over all sessions of the training
    std::int64_t simulations = 0;
    double reward = 0; ///< mean over the lessons of the update; -1 is as good as the best simple plan
    double entropy = 0, kl = 0, clipFraction = 0;
    std::optional<HeldOut> heldOut{};
};

/// Sums a vector over all processes, in place. False when another process is gone; the training then ends with a
/// sentence, and its last state can be gone on from.
using Reduce = std::function<bool(std::span<float>)>;

/// Which of several processes this is. One process: as it is.
struct Crew {
    int rank = 0, size = 1;
    Reduce sum{}; ///< empty with one process
    /// Once a sum has failed: waits a short time for the others that are left, and gives ranks anew. The training then
    /// begins again from its last state. Empty where nobody waits: the training ends.
    std::function<Result<Crew>()> regroup{};
};

/// What came of a training.
struct PretrainResult {
    std::int64_t updates = 0, simulations = 0;
    double seconds = 0;
    std::optional<HeldOut> heldOut;
};

/// Learns until the updates or the time are over or the run is told to stop; writes the model (model.h) to `model` at
/// the end, and the state to options.save as it goes on; only the process of rank 0 writes. `tasks` are all there are.
/// Fails with a sentence that names the lesson where one cannot be learned from.
[[nodiscard]] Result<PretrainResult> pretrain(std::span<const Lesson> lessons, std::span<const Lesson> heldOut,
                                              std::span<const DecisionTask* const> tasks,
                                              const PretrainOptions& options, const std::filesystem::path& model,
                                              const Crew& crew, const std::function<void(const PretrainPoint&)>& told,
                                              const RunContext& context);

} // namespace opscape::rl
