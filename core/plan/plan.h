// SPDX-License-Identifier: MIT
// A plan: for every op its device, its priority in the device's ready queue and its fusion group. Plans are values.
#pragma once

#include <opscape/base/ids.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace opscape {

/// In which order a device runs its ready ops. Fifo: by the time they became ready. Priority: the highest first. Order:
/// strictly from the highest priority to the lowest, waiting for an op that is not ready yet. Ties: the lower op id.
enum class QueuePolicy : std::uint8_t { Fifo, Priority, Order };

[[nodiscard]] std::string_view toString(QueuePolicy policy);

struct Plan {
    static constexpr std::uint32_t kNotFused = 0xffffffffu;

    std::vector<DeviceId> device; ///< per op
    QueuePolicy policy = QueuePolicy::Fifo;
    std::vector<std::int64_t> priority;     ///< per op, higher first; empty with Fifo
    std::vector<std::uint32_t> fusionGroup; ///< per op, kNotFused where alone; empty: nothing is fused

    friend bool operator==(const Plan&, const Plan&) = default;

    /// Every op on one device, FIFO.
    [[nodiscard]] static Plan allOn(DeviceId device, std::size_t opCount);
};

} // namespace opscape
