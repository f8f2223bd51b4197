// SPDX-License-Identifier: MIT
// What lies in the memory of each device and for how long: every tensor, copy, resident and scratch space of a finished
// schedule. At any moment the bytes of those that are alive add up to the memory curve.
#pragma once

#include <opscape/plan/problem.h>
#include <opscape/sim/schedule.h>

#include <span>
#include <string_view>

namespace opscape {

struct MemorySpan {
    enum class Kind : std::uint8_t {
        Output,   ///< made on the device
        Copy,     ///< received from another one
        Resident, ///< weight, constant, input or optimizer state: there all of the time
        Workspace ///< scratch memory of the op while it runs
    };
    Kind kind = Kind::Output;
    TensorId tensor; ///< invalid for workspace
    OpId op;         ///< the producer; of a resident its first reader there; of workspace the op itself
    std::int64_t bytes = 0;
    std::int64_t sinceNs = 0;
    std::int64_t untilNs = 0; ///< the first moment at which it is gone
};

/// "output", "copy", "resident", "workspace".
[[nodiscard]] std::string_view toString(MemorySpan::Kind kind);

class MemoryUse {
public:
    /// The schedule is one of Detail::Full, of this plan. Keeps nothing of the three.
    MemoryUse(const Problem& problem, const Plan& plan, const Schedule& schedule);

    /// Everything that is ever in the memory of a device, by the time it comes.
    [[nodiscard]] std::span<const MemorySpan> of(DeviceId device) const { return m_spans[device.index()]; }
    /// What is there from this moment on, largest first.
    [[nodiscard]] std::vector<MemorySpan> aliveAt(DeviceId device, std::int64_t ns) const;

private:
    std::vector<std::vector<MemorySpan>> m_spans; ///< per device
};

} // namespace opscape
