// SPDX-License-Identifier: MIT
// Numbers as people read them, the same in every pane, table and file; independent of the locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace opscape {

/// "0 ns", "850 ns", "12.3 us", "4.56 ms", "1.23 s": three significant digits.
[[nodiscard]] std::string formatTime(std::int64_t ns);
/// "512 B", "0.977 KiB", "1.50 KiB", "16.0 GiB": binary units, three significant digits.
[[nodiscard]] std::string formatBytes(std::int64_t bytes);
/// "12,345".
[[nodiscard]] std::string formatCount(std::int64_t count);
/// "950 ", "1.23 k", "4.56 G": decimal prefixes, to be followed by a unit such as FLOP or B/s.
[[nodiscard]] std::string formatSi(double value);
/// "12.3%"; one decimal.
[[nodiscard]] std::string formatPercent(double fraction);

/// Shortens UTF-8 text to at most `width` characters, "..." in the middle: names differ most at their ends.
[[nodiscard]] std::string elide(std::string_view text, std::size_t width);

} // namespace opscape
