// SPDX-License-Identifier: MIT
// What can be said after "runs".
#pragma once

#include "commands.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace opscape {

/// `action` becomes what was chosen, when the command line is read.
void addRunCommands(CLI::App& runs, const GlobalArgs& global, RunsArgs& args, std::function<Result<int>()>& action);

} // namespace opscape
