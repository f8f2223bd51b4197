// SPDX-License-Identifier: MIT
// Text in aligned columns, for people.
#pragma once

#include <string>
#include <vector>

namespace opscape {

class Table {
public:
    struct Column {
        std::string title;
        bool right = false; ///< aligned to the right, as numbers are
    };

    /// A header line is printed unless every title is empty.
    explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}

    /// One cell per column; made printable (core/base/text.h).
    void row(std::vector<std::string> cells);
    [[nodiscard]] bool empty() const { return m_rows.empty(); }
    /// Lines that end with a newline; `indent` spaces before each.
    [[nodiscard]] std::string text(std::size_t indent = 0) const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace opscape
