// SPDX-License-Identifier: MIT
// Trained policies as a person keeps them: which there are, what the card of each says, whether this version can use
// it, and in and out of the shelf. Qt-free; shared by window and command line.
#pragma once

#include <opscape/rl/model/model.h>
#include <opscape/rl/model/model_shelf.h>

namespace opscape {

struct ModelEntry {
    rl::ShelvedModel place;
    bool isDefault = false;
    std::int64_t bytes = 0; ///< of the file
    rl::Model model;        ///< empty where it cannot be read
    std::string hash;       ///< of the weights
    std::string problem;    ///< a sentence: why it cannot be used; empty: it can
};

/// A line of the card: "Held out", "gnmt, 24 lessons".
struct CardLine {
    std::string title, text;
};

/// The decision tasks that there are, with their revisions (core/rl/model/identity.h).
using TaskRevisions = std::map<std::string, int>;
/// Reads a file; what is wrong with it is told as its problem.
[[nodiscard]] ModelEntry readEntry(const rl::ShelvedModel& place, const TaskRevisions& tasks);
/// All on the shelf.
[[nodiscard]] std::vector<ModelEntry> listModels(const TaskRevisions& tasks);

/// Where it came from, how it was trained, what it fits, what it reached.
[[nodiscard]] std::vector<CardLine> cardOf(const ModelEntry& entry);
/// "gpt2, 24 lessons: greedy 1.153, best of 64 1.050"; a dash where it was not looked at.
[[nodiscard]] std::string heldOutText(const rl::Model& model);
/// "10 families and random graphs, 300 lessons"; empty where the card does not say.
[[nodiscard]] std::string trainedOnText(const rl::Model& model);

/// Keeps a model file among the person's own, with its curve where that lies beside it; the name that it has then.
/// Empty name: that of the file. Fails where another model has it.
[[nodiscard]] Result<std::string> importModel(const std::filesystem::path& file, const std::string& name);
[[nodiscard]] Result<> exportModel(const std::string& said, const std::filesystem::path& file);
/// Refused for one that comes with the product. Where it was the default, the bundled one is again.
[[nodiscard]] Result<> deleteModel(const std::string& name);

/// How it learned: from the model, or from STEM.curve.csv beside its file.
[[nodiscard]] std::vector<rl::PretrainPoint> curveOf(const ModelEntry& entry);
/// The points in a file that `opscape-cli train --curve` writes, as far as it is written.
[[nodiscard]] std::vector<rl::PretrainPoint> parseTrainingCurve(std::string_view csv);

} // namespace opscape
