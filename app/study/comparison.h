// SPDX-License-Identifier: MIT
// Who is faster, by how much and how surely: ratios of step times, t_other / t_reference, so that above 1 the reference
// is faster. A ratio over workloads is always a geometric mean; its spread is over seeds. What is missing or does not
// fit in memory is left out of a ratio and said.
#pragma once

#include "study/study.h"

namespace opscape {

/// The scheduler of a comparison that lets each side have its best one.
inline constexpr std::string_view kBestScheduler = "best";
/// Within this of 1 a ratio is a tie.
inline constexpr double kTie = 0.01;

struct StudyRows {
    std::vector<ResultRow> rows;    ///< what there is
    std::vector<ResultRow> missing; ///< cells that are not there
};

/// The cells of the runs as far as the table has them.
[[nodiscard]] StudyRows rowsOf(const std::vector<StudyRun>& runs, const ResultTable& table);
/// The fastest that fits in memory of the heuristics, for each workload, preset and scheduler; none of fewer than two.
[[nodiscard]] std::vector<ResultRow> bestHeuristics(std::span<const ResultRow> rows);

/// Geometric mean; 0 of nothing.
[[nodiscard]] double geometricMean(std::span<const double> values);

struct Standing {
    std::string preset, reference, other, scheduler;
    double budgetS = 0;                      ///< of the reference, and of the other where it takes one
    double ratio = 0;                        ///< over workloads; of each, over the seeds that both have
    double least = 0, most = 0;              ///< over the seeds that have all these workloads
    std::size_t seeds = 0;                   ///< how many they are
    std::size_t won = 0, tied = 0, lost = 0; ///< workloads, for the reference
    std::string worst{};                     ///< the workload with the lowest ratio
    double worstRatio = 0;                   ///< on it
    std::vector<std::string> missing{};      ///< workloads that one of them lacks
    std::vector<std::string> outOfMemory{};  ///< workloads on which one of them does not fit

    [[nodiscard]] std::size_t workloads() const { return won + tied + lost; }
};

/// For each preset, budget of the reference, other method and scheduler that both were judged under. Under the best
/// scheduler there is one even when no workload is common, which says what is missing.
[[nodiscard]] std::vector<Standing> standings(const StudyRows& study, const Contest& contest);

/// How long a method searches until its best plan is as fast as the best heuristic's.
struct Reach {
    std::string preset, workload, method;
    double budgetS = 0;
    std::size_t runs = 0, reached = 0;
    double medianS = 0; ///< over all runs; meaningless unless more than half of them reach it
    std::int64_t medianSimulations = 0;
};
[[nodiscard]] std::vector<Reach> reaches(const StudyRows& study, std::span<const CurveRow> curves);

/// How much longer a search takes to within 1% of its own result than the reference takes to get there.
struct SearchRatio {
    std::string preset, reference, other;
    double budgetS = 0;
    double time = 0, simulations = 0;      ///< geometric means over workloads and seeds
    std::size_t workloads = 0;             ///< on which the reference gets there with at least one seed
    std::vector<std::string> notReached{}; ///< workloads on which it never does
};
/// Times below a twentieth of a second count as that.
[[nodiscard]] std::vector<SearchRatio> searchRatios(std::span<const CurveRow> curves, const Contest& contest);

} // namespace opscape
