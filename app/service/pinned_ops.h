// SPDX-License-Identifier: MIT
// Which ops a run kept where they were pinned, as a text that is kept among its options: "3 ops: 0-1@2 7@0", ops by
// their number in the graph, behind the @ the number of the device.
#pragma once

#include <opscape/base/ids.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

/// `pins`: per op, invalid where it is free. Empty where none is pinned.
[[nodiscard]] std::string pinnedText(std::span<const DeviceId> pins);
/// None where the text says only how many there were, as older ones do, or does not fit the graph and its cluster.
[[nodiscard]] std::optional<std::vector<DeviceId>> parsePinned(std::string_view text, std::size_t ops,
                                                               std::size_t devices);

} // namespace opscape
