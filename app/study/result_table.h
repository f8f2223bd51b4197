// SPDX-License-Identifier: MIT
// A table of results on disk, as CSV: one row per (workload, optimizer, ...), written as soon as it is known, so that a
// long study can be stopped and goes on where it was. Lines that begin with # say what made the rows.
#pragma once

#include <opscape/base/result.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace opscape {

struct ResultRow {
    std::string workload; ///< id in the zoo
    std::string preset;
    int devices = 0;
    std::string optimizer;
    std::string scheduler; ///< "own": the order that the optimizer found itself
    std::string fuser;
    std::uint64_t seed = 0;
    double budgetS = 0; ///< that the optimizer was given; 0 where it takes none
    std::int64_t stepTimeNs = 0, lowerBoundNs = 0;
    bool feasible = false; ///< fits in memory
    double wallS = 0;      ///< that it took
    std::int64_t simulations = 0;

    /// The same experiment, whatever came out.
    [[nodiscard]] bool sameCell(const ResultRow& other) const;
    friend bool operator==(const ResultRow&, const ResultRow&) = default;
};

/// What the rows of one sitting were made with; a study that goes on elsewhere adds another.
struct Provenance {
    std::string command; ///< as one would type it
    std::string machine; ///< kind of processor and number of cores
    std::string commit;  ///< of the sources; empty where they are not under version control
};

/// The machine and sources at hand.
[[nodiscard]] Provenance provenanceOf(std::string command);

class ResultTable {
public:
    /// Reads what is there already; a missing file is an empty table. Fails on a row that does not read, with its line.
    [[nodiscard]] static Result<ResultTable> open(const std::filesystem::path& file);

    [[nodiscard]] const std::vector<ResultRow>& rows() const { return m_rows; }
    [[nodiscard]] const ResultRow* find(const ResultRow& cell) const;
    /// Adds the row to the file too. Before the first one of this sitting the provenance is written.
    [[nodiscard]] Result<> add(const ResultRow& row, const Provenance& provenance);

private:
    std::filesystem::path m_file;
    std::vector<ResultRow> m_rows;
    bool m_hasProvenance = false;
};

} // namespace opscape
