// SPDX-License-Identifier: MIT
// Numbers with units, as a query has them: 2ms, 1.5GiB, 3k.
#pragma once

#include "fields.h"

#include <optional>

namespace opscape {

struct Quantity {
    std::int64_t value = 0;
    /// What is the same to the precision it was written with: 322us are 321.5 to 322.5 us, 3 are 3.
    std::int64_t least = 0, most = 0;
};

/// "2ms" in ns, where a unit is needed except for 0; "1.5GiB", "4MB" or "512" in bytes; "-3", "2.5k", "1G" with decimal
/// prefixes. None for what is no such number, nor less than 2^63; times and sizes are not negative.
[[nodiscard]] std::optional<Quantity> parseQuantity(QueryValue kind, std::string_view text);
/// True of "ms" for a time, "KiB" for a size, "k" for a count, whatever the case.
[[nodiscard]] bool isUnit(QueryValue kind, std::string_view word);

} // namespace opscape
