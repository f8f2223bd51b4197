// SPDX-License-Identifier: MIT
#include "table.h"

#include <opscape/base/text.h>

#include <algorithm>

namespace opscape {

void Table::row(std::vector<std::string> cells) {
    std::ranges::transform(cells, cells.begin(), printable);
    m_rows.push_back(std::move(cells));
}

std::string Table::text(std::size_t indent) const {
    std::vector<std::vector<std::string>> lines;
    if (std::ranges::any_of(m_columns, [](const Column& column) { return !column.title.empty(); })) {
        std::vector<std::string>& header = lines.emplace_back();
        for (const Column& column : m_columns)
            header.push_back(column.title);
    }
    lines.insert(lines.end(), m_rows.begin(), m_rows.end());
    std::vector<std::size_t> widths(m_columns.size(), 0);
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] = std::max(widths[i], characterCount(line[i]));
    }
    std::string text;
    for (const auto& line : lines) {
        text.append(indent, ' ');
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::string padding(widths[i] - characterCount(line[i]), ' ');
            text += m_columns[i].right ? padding + line[i] : line[i] + padding;
            text += "  ";
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

} // namespace opscape
