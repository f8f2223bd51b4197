// SPDX-License-Identifier: MIT
// Numbers with units, as a query has them: 2ms, 1.5GiB, 3k.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opscape {

/// "2ms" in ns; a unit is needed except for 0. None for what is not a time of 0 to 292 years.
[[nodiscard]] std::optional<std::int64_t> parseTime(std::string_view text);
/// "1.5GiB", "4MB" or "512".
[[nodiscard]] std::optional<std::int64_t> parseBytes(std::string_view text);
/// "-3", "2.5k", "1G": whole numbers, with decimal prefixes.
[[nodiscard]] std::optional<std::int64_t> parseCount(std::string_view text);

} // namespace opscape
