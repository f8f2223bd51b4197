// SPDX-License-Identifier: MIT
// Calls into a library that a damaged file can crash or hang, or that hears no stop: done in a child process, so that
// only the answer is lost.
#pragma once

#include <opscape/base/result.h>

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

namespace opscape {

/// What `work` returned, or a part of a sentence on why there is no answer: "it stopped with signal 11", "it took more
/// than 30 s", "it was told to stop". The child is a copy of this process with one thread: `work` must not need a lock
/// that another thread may hold, and nothing it changes is seen here.
[[nodiscard]] Result<std::string> guardedCall(const std::function<std::string()>& work, std::chrono::milliseconds limit,
                                              const std::stop_token& stop = {});

} // namespace opscape
