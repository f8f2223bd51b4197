// SPDX-License-Identifier: MIT
// A table of results in words: what each method reached on each workload, and who wins.
#pragma once

#include "report.h"
#include "study/comparison.h"

namespace opscape {

/// Step times of one workload by method and scheduler, over seeds.
[[nodiscard]] std::string workloadText(std::span<const ResultRow> rows);
/// A line for each.
[[nodiscard]] std::string standingsText(const std::vector<Standing>& all);
[[nodiscard]] Json standingJson(const Standing& standing);
/// Which cells are not there; empty when all are.
[[nodiscard]] std::string missingText(const StudyRows& study);
/// Every contest of the study, and which cells are missing.
[[nodiscard]] std::string studyText(const StudyKind& kind, const StudyRows& study, std::span<const CurveRow> curves);
[[nodiscard]] Json studyJson(const StudyKind& kind, const StudyRows& study, std::span<const CurveRow> curves);

} // namespace opscape
