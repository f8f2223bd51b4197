// SPDX-License-Identifier: MIT
// A report on one to four plans of a graph: every figure, the schedules on one time axis, what differs between them,
// memory, graphs, and where it all comes from. One file that needs nothing else: HTML with its pictures inside, or PDF.
#pragma once

#include "service/comparison.h"

#include <filesystem>

namespace opscape {

struct ReportPlan {
    std::string title; ///< "heft, run 12"
    OutcomePtr outcome;
};

struct ReportRequest {
    std::vector<ReportPlan> plans; ///< one to kMostCompared, of one graph
    std::string commandLine;       ///< how it was asked for; empty: in the window
    std::string madeAt;            ///< date and time
    std::size_t boxes = 200;       ///< groups of the graph are opened until that many boxes are seen
    std::size_t mostOps = 100;     ///< of the ops placed differently so many are listed, those that take longest first
    std::size_t mostGroups = 30;   ///< likewise of the groups, whose cost is simulated
};

/// Whether the name ends in .html, .htm or .pdf; the error says so.
[[nodiscard]] Result<> checkReport(const std::filesystem::path& file);
/// The whole HTML file; well-formed XML. Empty when stopped.
[[nodiscard]] std::string reportHtml(const ReportRequest& request, const RunContext& context);
/// By the file's extension. Where it was stopped nothing is written and that is the error.
[[nodiscard]] Result<> writeReport(const std::filesystem::path& file, const ReportRequest& request,
                                   const RunContext& context);

} // namespace opscape
