// SPDX-License-Identifier: MIT
// Typed ids: dense indices from 0 that cannot be mixed up. An invalid id is the largest value.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace opscape {

template <class Tag>
struct Id {
    static constexpr std::uint32_t kInvalid = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t value = kInvalid;

    constexpr Id() = default;
    constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}

    [[nodiscard]] constexpr bool valid() const { return value != kInvalid; }
    [[nodiscard]] constexpr std::size_t index() const { return value; }
    friend constexpr auto operator<=>(Id, Id) = default;
};

using OpId = Id<struct OpTag>;
using TensorId = Id<struct TensorTag>;
using ScopeId = Id<struct ScopeTag>;
using DeviceId = Id<struct DeviceTag>;
using KindId = Id<struct KindTag>; ///< a kind of device, e.g. all P100s of a cluster
using ChannelId = Id<struct ChannelTag>;

} // namespace opscape

template <class Tag>
struct std::hash<opscape::Id<Tag>> {
    std::size_t operator()(opscape::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>()(id.value); }
};
