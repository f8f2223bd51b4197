// SPDX-License-Identifier: MIT
// Results as people and as programs read them: the same facts as aligned text and as JSON.
#pragma once

#include <opscape/base/diagnostics.h>

#include <nlohmann/json.hpp>
#include <service/workbench.h>

#include <string>

namespace opscape {

using Json = nlohmann::ordered_json;

void printJson(const Json& json);
/// Lines for people on stdout, printable whatever names hold (core/base/text.h).
void printText(const std::string& text);
/// A sentence on stderr, under the program's name.
void printError(const std::string& sentence);

[[nodiscard]] Json runJson(const RunRecord& run);
/// The run, its devices and its problems.
[[nodiscard]] Json outcomeJson(const Outcome& outcome);
[[nodiscard]] Json problemsJson(const Diagnostics& diagnostics);

/// `clusterNote` follows the cluster's name, e.g. " (the default)".
[[nodiscard]] std::string outcomeText(const Outcome& outcome, const std::string& clusterNote);
/// What there is to say of a run without its plan.
[[nodiscard]] std::string runText(const RunRecord& run);
/// Empty when there are none.
[[nodiscard]] std::string problemsText(const Diagnostics& diagnostics, std::string_view title = "Problems");

/// "2024-05-01 12:30", in the local time zone.
[[nodiscard]] std::string dateText(std::int64_t unixMs);
/// "yes" or "no".
[[nodiscard]] std::string yesNo(bool value);
/// The gap to the lower bound as people read it; "-" when the run has no result.
[[nodiscard]] std::string gapText(const RunRecord& run);
/// How long the optimizer took.
[[nodiscard]] std::string wallText(const RunRecord& run);

/// A result that is shown but could not be kept is said on stderr, so that no one looks for the run later.
void warnIfNotKept(const Outcome& outcome);

} // namespace opscape
