// SPDX-License-Identifier: MIT
// The command line as a function: reads the arguments, runs the command, prints, and returns the exit status: 0 fine, 1
// could not (one sentence on stderr), 2 wrong usage.
#pragma once

namespace opscape {

[[nodiscard]] int runCli(int argc, const char* const* argv);

} // namespace opscape
