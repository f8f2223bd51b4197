// SPDX-License-Identifier: MIT
// zlib for the JSON texts in the database, which shrink to a tenth. Internal to the store.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace opscape {

[[nodiscard]] std::string compress(std::string_view text);
/// None when `bytes` does not hold exactly `size` bytes of text.
[[nodiscard]] std::optional<std::string> decompress(std::string_view bytes, std::size_t size);

} // namespace opscape
