// SPDX-License-Identifier: MIT
// The two tables of a study: what came out, one row per (workload, optimizer, ...), and how a search got there, the
// step time of its best plan over time.
#pragma once

#include "study/csv_table.h"

#include <cstdint>

namespace opscape {

struct ResultRow {
    std::string workload; ///< id in the zoo
    std::string preset;
    int devices = 0;
    std::string optimizer; ///< name of the method (study/methods.h)
    std::string scheduler; ///< "own": the order that the optimizer found itself
    std::string fuser;     ///< "own" likewise
    std::uint64_t seed = 0;
    double budgetS = 0; ///< that the optimizer was given; 0 where it takes none
    std::int64_t stepTimeNs = 0, lowerBoundNs = 0;
    bool feasible = false; ///< fits in memory
    double wallS = 0;      ///< that it took
    std::int64_t simulations = 0;

    [[nodiscard]] static std::span<const CsvColumn<ResultRow>> columns();
    /// The same experiment, whatever came out.
    [[nodiscard]] bool sameCell(const ResultRow& other) const;
    friend bool operator==(const ResultRow&, const ResultRow&) = default;
};

/// A result with a policy that was trained on other graphs, or beside such.
struct TransferRow : ResultRow {
    std::string heldOut{kNothing}; ///< family or super-family that the policy had not seen; "files" for no family
    std::string model{kNothing};   ///< hash of its weights

    static constexpr std::string_view kNothing = "-"; ///< there is no policy

    [[nodiscard]] static std::span<const CsvColumn<TransferRow>> columns();
    [[nodiscard]] bool sameCell(const TransferRow& other) const;
    friend bool operator==(const TransferRow&, const TransferRow&) = default;
};

/// The best plan that fits in memory became better.
struct CurveRow {
    std::string workload, preset, optimizer;
    std::uint64_t seed = 0;
    double budgetS = 0;
    double timeS = 0;             ///< since the search began
    std::int64_t simulations = 0; ///< until then
    std::int64_t bestNs = 0;

    [[nodiscard]] static std::span<const CsvColumn<CurveRow>> columns();
    /// Of the same search.
    [[nodiscard]] bool sameCell(const CurveRow& other) const;
    friend bool operator==(const CurveRow&, const CurveRow&) = default;
};

using ResultTable = CsvTable<ResultRow>;
using CurveTable = CsvTable<CurveRow>;
using TransferTable = CsvTable<TransferRow>;
extern template class CsvTable<ResultRow>;
extern template class CsvTable<CurveRow>;
extern template class CsvTable<TransferRow>;

} // namespace opscape
