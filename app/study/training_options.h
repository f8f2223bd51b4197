// SPDX-License-Identifier: MIT
// What can be said of a training of a policy on many graphs. Declared once: the options of `opscape-cli train`, the
// dialog in the window, and what is kept of a training to go on with it are all derived from here.
#pragma once

#include "study/training.h"

#include <opscape/task/option.h>

#include <map>
#include <span>

namespace opscape {

/// One that takes several names, parted by commas.
struct TrainingList {
    std::string_view name, summary;
    bool required = false;
};
/// set, hold-out, validation
[[nodiscard]] std::span<const TrainingList> trainingLists();
/// All others. The default of one is what holds unless it is said, or a recipe or a protocol says otherwise.
[[nodiscard]] const std::vector<OptionSpec>& trainingOptions();
/// What a protocol is called that is none of the paper's.
inline constexpr std::string_view kNoProtocol = "none";

/// What was said, by name: lists as they are typed, options as canonical text. Nothing that was not said.
using TrainingWords = std::map<std::string, std::string>;
/// "a,b" as its parts, without blanks around them.
[[nodiscard]] std::vector<std::string> partsOf(std::string_view list);
/// The same as options of the command line: "--set", "all", "--hours", "2", "--no-sage".
[[nodiscard]] std::vector<std::string> asArguments(const TrainingWords& words);

/// Every value in the form that does not depend on how it was typed.
[[nodiscard]] TrainingWords canonical(TrainingWords words);

/// Fails where a name is not known, a value is not allowed, or neither hours nor updates are said, or both.
[[nodiscard]] Result<TrainingRequest> trainingRequest(const TrainingWords& words);
/// How far it is, 0 to 1.
[[nodiscard]] double trainingShare(const TrainingWords& words, const rl::PretrainPoint& last);

} // namespace opscape
