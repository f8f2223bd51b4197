// SPDX-License-Identifier: MIT
// What the commands check of the words that they are given, so that each is refused in the same words everywhere.
#pragma once

#include <CLI/CLI.hpp>

namespace opscape {

/// Digits only and within 64 bits: the library would take -1 for a large number, and a larger one for the largest.
[[nodiscard]] CLI::Validator wholeNumber();
[[nodiscard]] CLI::Validator runNumber();

CLI::App* addCommand(CLI::App& app, const std::string& name, const std::string& summary);

} // namespace opscape
