// SPDX-License-Identifier: MIT
// What a benchmark measured, as a table for people or as JSON for programs.
#pragma once

#include <opscape/base/units.h>

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace opscape::bench {

struct BenchRow {
    const char* key;
    const char* what;
    double value;
    int digits;
};

inline void printRows(std::span<const BenchRow> rows, bool json) {
    if (json)
        std::puts("{");
    for (const BenchRow& row : rows) {
        const std::string value = row.digits == 0 && !json ? formatCount(static_cast<std::int64_t>(row.value))
                                                           : fmt::format("{:.{}f}", row.value, row.digits);
        if (json)
            fmt::print("  \"{}\": {}{}\n", row.key, value, &row == &rows.back() ? "" : ",");
        else
            fmt::print("{:<52} {:>14}\n", row.what, value);
    }
    if (json)
        std::puts("}");
}

} // namespace opscape::bench
