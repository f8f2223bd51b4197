// SPDX-License-Identifier: MIT
// Rows on disk, as CSV, each written as soon as it is known, so that a long study can be stopped and goes on where it
// was. Lines that begin with # say what made the rows. A kind of row names its columns and its cell: what it is a
// result of, whatever came out.
#pragma once

#include <opscape/base/result.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

/// How a column is written, and read back (false: it is not of that form).
template <class Row>
struct CsvColumn {
    std::string_view name;
    std::string (*write)(const Row&);
    bool (*read)(std::string_view, Row&);
};

/// What the rows of one sitting were made with; a study that goes on elsewhere adds another.
struct Provenance {
    std::string command; ///< as one would type it
    std::string machine; ///< kind of processor and number of cores
    std::string commit;  ///< of the sources; empty where they are not under version control
};

/// The machine and sources at hand.
[[nodiscard]] Provenance provenanceOf(std::string command);

/// Row has columns() and sameCell(). One that was not opened is kept in memory only.
template <class Row>
class CsvTable {
public:
    /// Reads what is there already; a missing file is an empty table. Fails on a row that does not read, with its line.
    [[nodiscard]] static Result<CsvTable> open(const std::filesystem::path& file);

    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
    /// The first row of that cell; null when there is none.
    [[nodiscard]] const Row* find(const Row& cell) const;
    /// Adds the rows to the file too, at once. Before the first of this sitting the provenance is written.
    [[nodiscard]] Result<> add(std::span<const Row> rows, const Provenance& provenance);
    [[nodiscard]] Result<> add(const Row& row, const Provenance& provenance) {
        return add(std::span<const Row>(&row, 1), provenance);
    }

private:
    std::filesystem::path m_file;
    std::vector<Row> m_rows;
    bool m_hasProvenance = false;
};

} // namespace opscape
