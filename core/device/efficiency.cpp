// SPDX-License-Identifier: MIT
#include <opscape/device/efficiency.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

constexpr std::array<std::string_view, kOpClassCount> kNames{
    "matrix", "convolution", "grouped_convolution", "recurrent", "attention", "reduction", "elementwise", "movement"};

} // namespace

std::string_view toString(OpClass opClass) { return kNames[static_cast<std::size_t>(opClass)]; }

std::optional<OpClass> parseOpClass(std::string_view name) {
    const auto it = std::ranges::find(kNames, name);
    if (it == kNames.end())
        return std::nullopt;
    return static_cast<OpClass>(it - kNames.begin());
}

} // namespace opscape
