// SPDX-License-Identifier: MIT
#include "pinned_ops.h"

#include <opscape/base/text.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace opscape {
namespace {

constexpr std::string_view kListBegins = ": ";

} // namespace

std::string pinnedText(std::span<const DeviceId> pins) {
    const auto count = std::ranges::count_if(pins, &DeviceId::valid);
    if (count == 0)
        return {};
    std::string text = counted(count, "op") + ":";
    for (std::size_t first = 0; first < pins.size();) {
        std::size_t end = first + 1;
        while (end < pins.size() && pins[end] == pins[first])
            ++end;
        if (pins[first].valid()) {
            text += fmt::format(" {}", first);
            if (end > first + 1)
                text += fmt::format("-{}", end - 1);
            text += fmt::format("@{}", pins[first].index());
        }
        first = end;
    }
    return text;
}

std::optional<std::vector<DeviceId>> parsePinned(std::string_view text, std::size_t ops, std::size_t devices) {
    const std::size_t begin = text.find(kListBegins);
    if (begin == std::string_view::npos)
        return std::nullopt;
    std::vector<DeviceId> pins(ops);
    const char* at = text.data() + begin + kListBegins.size();
    const char* const end = text.data() + text.size();
    const auto number = [&](std::size_t& value) {
        const auto [next, error] = std::from_chars(at, end, value);
        at = next;
        return error == std::errc();
    };
    while (at < end) {
        std::size_t first = 0, device = 0;
        if (!number(first))
            return std::nullopt;
        std::size_t last = first;
        if (at < end && *at == '-' && !number((++at, last)))
            return std::nullopt;
        if (at >= end || *at++ != '@' || !number(device) || last < first || last >= ops || device >= devices)
            return std::nullopt;
        for (std::size_t op = first; op <= last; ++op)
            pins[op] = DeviceId(device);
        if (at < end && *at++ != ' ')
            return std::nullopt;
    }
    return pins;
}

} // namespace opscape
