// SPDX-License-Identifier: MIT
// How good a policy is on graphs of a kind that it has never seen: for each family, and each super-family, one is
// trained on all the others and judged on the workloads that were held out, beside searches that begin from nothing;
// and one that was trained on every family is judged on graphs from files. The policies are kept beside the table, in
// TABLE_models/<held out>-<seed>.opscape-model, and are not trained again.
#pragma once

#include "study/comparison.h"
#include "study/training.h"

namespace opscape {

struct TransferRequest {
    std::vector<std::string> heldOut{}; ///< families and super-families; empty: each of both
    std::vector<std::string> graphs{};  ///< files
    std::vector<std::string> methods{}; ///< empty: all of transferMethods()
    std::vector<std::uint64_t> seeds{1, 2, 3};
    double budgetS = 60;
    /// What is held out and the seed are filled in. No family is kept for validation: settings were chosen before.
    TrainingRequest training{};
};

/// A method of this study, at one budget.
struct TransferMethod {
    std::string name;
    std::string_view summary;
    std::string optimizer;
    std::map<std::string, std::string> options{};
    bool takesModel = false;
    double budgetS = 0; ///< 0: it ends by itself; kBudget: as the study has it
    static constexpr double kBudget = -1;
};
[[nodiscard]] std::span<const TransferMethod> transferMethods();

/// A method with a seed on a workload; its plan gives all of the cells.
struct TransferRun {
    StudyRun run;
    std::string heldOut{TransferRow::kNothing};
    bool takesModel = false;
    [[nodiscard]] TransferRow row(const ResultRow& result) const;
};
inline constexpr std::string_view kFromFiles = "files"; ///< held out, for graphs that are of no family

/// In the order in which they are made. Fails where a family, a method or a file is not there.
[[nodiscard]] Result<std::vector<TransferRun>> transferRuns(const Registry& registry, const TransferRequest& request);

struct TransferWatcher {
    std::function<void(const std::string&)> begins; ///< "policy without gnmt, seed 1"
    std::function<void(const Progress&)> progress;
    std::function<void(const std::vector<TransferRow>&)> made{}; ///< rows of one run, in the table now; may be empty
    std::function<void(const std::string&)> said; ///< a sentence: what failed, or what is to be known of a result
};

/// Rows that the table has already are not made again. A policy that is there already has to be the one that its rows
/// were made with. Ends early, without the row under way, when stopped; a training then goes on from where it was.
[[nodiscard]] Result<> runTransfer(const Registry& registry, const TransferRequest& request,
                                   const std::vector<TransferRun>& runs, TransferTable& table,
                                   const std::filesystem::path& file, const TrainingEngine& engine,
                                   const Provenance& provenance, const TransferWatcher& watcher, std::stop_token stop);

/// The rows of the single families, of the super-families, or of files, each method at a budget as one of its own
/// ("anneal 10 s"), ready to be compared.
enum class TransferPart : std::uint8_t { Families, SuperFamilies, Files };
[[nodiscard]] StudyRows transferRows(const std::vector<TransferRun>& runs, const TransferTable& table,
                                     TransferPart part);
/// Policies against all else.
[[nodiscard]] const std::vector<Contest>& transferContests();

} // namespace opscape
