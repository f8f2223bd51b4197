// SPDX-License-Identifier: MIT
// Which devices still have room for an op, by an estimate that can be kept up to date while ops are being placed: what
// is resident, what the forward pass keeps for the backward pass, and the largest working set (inputs, outputs,
// workspace) of any op there. Received copies and other tensors that happen to live at the same time are not in it; the
// simulation of the finished plan has the last word.
#pragma once

#include <opscape/plan/problem.h>

namespace opscape {

class MemoryEstimate {
public:
    explicit MemoryEstimate(const Problem& problem);

    /// False when the whole graph fits every device at once: then nothing else needs to be called.
    [[nodiscard]] bool matters() const { return m_matters; }
    /// Bytes left on the device after placing these ops; negative when they do not fit.
    [[nodiscard]] std::int64_t roomAfter(std::span<const OpId> ops, DeviceId device);
    void place(std::span<const OpId> ops, DeviceId device);

private:
    struct Use {
        std::int64_t steady = 0;  ///< resident tensors and what is kept for the backward pass
        std::int64_t working = 0; ///< the largest working set
    };
    /// With these ops added; marks their resident tensors as present when `commit`.
    Use after(std::span<const OpId> ops, DeviceId device, bool commit);

    const Graph& m_graph;
    std::size_t m_deviceCount;
    bool m_matters = false;
    std::vector<std::int64_t> m_capacity;        ///< per device
    std::vector<Use> m_use;                      ///< per device
    std::vector<std::uint8_t> m_present;         ///< [tensor][device]: resident there already
    std::vector<std::int64_t> m_kept, m_working; ///< per op
    std::vector<std::size_t> m_stamp;            ///< per tensor, so that one call counts it once
    std::size_t m_call = 0;
};

} // namespace opscape
