// SPDX-License-Identifier: MIT
// Trainings of models that a person has started under a name: each in a folder beside the person's models, with its
// options, its state to go on from, its curve and what its process said last. Windows and command lines find them
// there, whoever makes them. The folder goes when the training is finished; the model is on the shelf then.
#pragma once

#include "service/run_control.h"
#include "study/training_options.h"

#include <optional>

namespace opscape {

enum class TrainingState : std::uint8_t { Running, Paused, Stopped, Failed, Died };
[[nodiscard]] std::string_view toString(TrainingState state); ///< "training", "paused", "stopped", "failed", "died"

/// Where the files of a training are.
struct TrainingFiles {
    explicit TrainingFiles(const std::string& name);
    std::filesystem::path folder, about, state, curve, log;
};

struct ModelTraining {
    std::string name;
    TrainingWords words; ///< canonical
    TrainingState state = TrainingState::Running;
    std::string why;            ///< it ended: a sentence; empty where it was stopped
    std::int64_t process = 0;   ///< 0: none makes it
    std::int64_t startedMs = 0; ///< Unix time
    [[nodiscard]] bool goesOn() const { return state <= TrainingState::Paused; }
};

/// By name.
[[nodiscard]] std::vector<ModelTraining> listTrainings();
[[nodiscard]] std::optional<ModelTraining> findTraining(const std::string& name);

/// This process makes the training of that name from now on, a new one or one that goes on with the same options.
/// Fails where the name is none or taken, where the options differ, and where another process makes it, unless that
/// has started this one.
[[nodiscard]] Result<> beginTraining(const std::string& name, const TrainingWords& words);
/// As this process, which makes it, is paused or goes on.
[[nodiscard]] Result<> markPaused(const std::string& name, bool paused);
/// It ended early.
[[nodiscard]] Result<> endTraining(const std::string& name, TrainingState how, const std::string& why);
/// It is finished: its model is written.
void removeTraining(const std::string& name);

/// Pauses it, lets it go on, or stops it with the model so far. Fails where no process makes it.
[[nodiscard]] Result<> askTraining(const std::string& name, RunWish wish);
/// Deletes what it could be gone on from. Refused while it goes on.
[[nodiscard]] Result<> discardTraining(const std::string& name);

/// Starts `runner` (opscape-cli) on a training that is new or goes on; the id of the process, which is to be waited
/// for by endedTraining().
[[nodiscard]] Result<std::int64_t> startTraining(const std::filesystem::path& runner, const std::string& name,
                                                 const TrainingWords& words);
/// Whether that process has ended; where it did not say itself what became of the training, that is noted now.
[[nodiscard]] bool endedTraining(std::int64_t process, const std::string& name);

} // namespace opscape
