// SPDX-License-Identifier: MIT
// What is compared with what. A method is a name in the optimizer column of a table and what it stands for: an
// optimizer, its options, what it decides and how its plans are judged. A study is the methods, workloads and budgets
// of one table, and who is measured against whom. These are the only lists of both.
#pragma once

#include <opscape/base/result.h>
#include <opscape/fusion/fusers.h>
#include <opscape/task/plugin.h>

#include <map>
#include <string>
#include <vector>

namespace opscape {

/// The scheduler or fuser column where the optimizer decided that itself.
inline constexpr std::string_view kOwn = "own";

/// What is done to the plan of an optimizer before it is judged: ids, or kOwn for nothing.
struct Ending {
    std::string scheduler, fuser;
};

struct Method {
    std::string name;
    std::string optimizer;
    std::map<std::string, std::string> options{}; ///< that differ from the optimizer's own
    std::vector<std::string> decide{};            ///< ids of tasks; empty: what the optimizer is for
    /// Empty: every scheduler, and its own order if it searches for one, under the study's fusers, or its own fusion.
    std::vector<Ending> endings{};
};

/// Also an optimizer by its own name. The error says what is not there: the method, its optimizer or one of its
/// options.
[[nodiscard]] Result<Method> findMethod(const Registry& registry, const std::string& name);
/// How long it searches is up to whoever runs it. Methods that are not told are run once, with the first seed.
[[nodiscard]] bool takesTime(const OptimizerInfo& info);
[[nodiscard]] std::vector<Ending> endingsOf(const Method& method, const OptimizerInfo& info,
                                            const std::vector<Fuser>& fusers);

/// A method by that name in comparisons: on each workload the best of heuristicMethods().
inline constexpr std::string_view kBestHeuristic = "best heuristic";
/// Methods that place without a search.
[[nodiscard]] const std::vector<std::string>& heuristicMethods();

struct StudyRequest {
    std::vector<std::string> workloads, presets, methods;
    std::vector<double> budgetsS{10}; ///< for each method that searches, one after the other
    std::vector<std::uint64_t> seeds{1};
    std::vector<Fuser> fusers{Fuser::None};
};

/// One method and those that are measured against it; `others` empty: all.
struct Contest {
    std::string reference;
    std::vector<std::string> others{};
};

struct StudyKind {
    std::string id, summary;
    StudyRequest request; ///< by default
    std::vector<Contest> contests{};
};

/// Of the command line: bench <id>.
[[nodiscard]] const std::vector<StudyKind>& studyKinds();

/// The workloads of the zoo that were published with a number of devices.
[[nodiscard]] std::vector<std::string> publishedWorkloads();

} // namespace opscape
