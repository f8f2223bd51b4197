// SPDX-License-Identifier: MIT
// Pauses, resumes and stops a run that goes on in any process of this machine, by a signal to the process that the
// store names. Every opscape-cli that optimizes listens to them; no other process is sent one.
#pragma once

#include <opscape/store/run_store.h>

namespace opscape {

enum class RunWish { Pause, Resume, Stop };

/// The signals that stand for the wishes.
[[nodiscard]] int signalOf(RunWish wish);

/// Fails with a sentence when the run does not go on, or its process does not listen. What was asked for happens within
/// 200 ms.
[[nodiscard]] Result<> askRun(const RunStore& store, std::int64_t run, RunWish wish);

/// The same for any process that listens; `what` it makes is named in the error.
[[nodiscard]] Result<> askProcess(std::int64_t pid, RunWish wish, const std::string& what);

} // namespace opscape
