// SPDX-License-Identifier: MIT
// A run in a process of its own, so that its crash or its hunger for memory never takes the window along: opscape-cli
// goes on with the run, this process waits and hears of it through the store.
#pragma once

#include "workbench.h"

#include <atomic>

namespace opscape {

/// opscape-cli beside the running program.
[[nodiscard]] std::filesystem::path defaultRunner();

/// Starts `runner` on a run that was begun (Workbench::begin) or cut off, and follows it to its end: progress,
/// baselines and better plans are told through the context as they appear in the store. A stop is passed on. Once
/// `letGo` is set it returns, and the process goes on by itself. A process that dies becomes the reason in the run's
/// row, and the error.
[[nodiscard]] Result<Outcome> carryOutElsewhere(const Workbench& workbench, const std::filesystem::path& runner,
                                                std::int64_t run, const RunSubject& subject, const RunContext& context,
                                                const std::atomic<bool>& letGo);

/// Starts a program away from the terminal of this one, with its stderr in a file; its id.
[[nodiscard]] Result<std::int64_t> startProgram(const std::filesystem::path& runner, std::vector<std::string> arguments,
                                                const std::filesystem::path& log);
/// How a process ended, as waitpid() has it, and what it said last; follows "Its".
[[nodiscard]] std::string endText(int status, const std::string& lastWords);

/// Adds to the row of a run whose process is gone what that said last.
void explainDeath(RunStore& store, std::int64_t run);

} // namespace opscape
