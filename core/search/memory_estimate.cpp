// SPDX-License-Identifier: MIT
#include <opscape/search/memory_estimate.h>
#include <opscape/sim/resident_view.h>

#include <algorithm>
#include <limits>

namespace opscape {

MemoryEstimate::MemoryEstimate(const Problem& problem)
    : m_graph(*problem.graph),
      m_deviceCount(problem.cluster->deviceCount()),
      m_use(m_deviceCount) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t d = 0; d < m_deviceCount; ++d) {
        const std::int64_t bytes = problem.cluster->kindOf(DeviceId(d)).memoryBytes;
        m_capacity.push_back(bytes > 0 ? bytes : std::numeric_limits<std::int64_t>::max());
        least = std::min(least, m_capacity.back());
    }
    std::int64_t everything = 0;
    for (std::size_t t = 0; t < m_graph.tensorCount(); ++t)
        everything += homeBytes(problem, TensorId(t));
    for (std::size_t i = 0; i < m_graph.opCount(); ++i)
        everything += problem.cost->cost(OpId(i)).workspaceBytes;
    m_matters = everything > least;
    if (!m_matters)
        return;
    m_present.assign(m_graph.tensorCount() * m_deviceCount, 0);
    m_stamp.assign(m_graph.tensorCount(), 0);
    for (std::size_t i = 0; i < m_graph.opCount(); ++i) {
        const OpId op(i);
        std::int64_t kept = 0;
        std::int64_t working = problem.cost->cost(op).workspaceBytes;
        for (const TensorId tensor : m_graph.dataInputs(op))
            working += homeBytes(problem, tensor);
        for (const TensorId tensor : m_graph.outputs(op)) {
            const std::int64_t bytes = homeBytes(problem, tensor);
            working += bytes;
            const auto isBackward = [this](OpId reader) { return m_graph.op(reader).phase == Phase::Backward; };
            if (m_graph.op(op).phase == Phase::Forward && std::ranges::any_of(m_graph.consumers(tensor), isBackward))
                kept += bytes;
        }
        m_kept.push_back(kept);
        m_working.push_back(working);
    }
}

MemoryEstimate::Use MemoryEstimate::after(std::span<const OpId> ops, DeviceId device, bool commit) {
    Use use = m_use[device.index()];
    ++m_call;
    for (const OpId op : ops) {
        use.steady += m_kept[op.index()];
        use.working = std::max(use.working, m_working[op.index()]);
        for (const TensorId tensor : m_graph.inputs(op)) {
            if (!tensor.valid() || m_graph.producer(tensor).valid() || m_stamp[tensor.index()] == m_call)
                continue;
            m_stamp[tensor.index()] = m_call;
            std::uint8_t& present = m_present[tensor.index() * m_deviceCount + device.index()];
            use.steady += present != 0 ? 0 : m_graph.tensorBytes(tensor);
            present = present != 0 || commit ? 1 : 0;
        }
    }
    return use;
}

std::int64_t MemoryEstimate::roomAfter(std::span<const OpId> ops, DeviceId device) {
    const Use use = after(ops, device, false);
    return m_capacity[device.index()] - use.steady - use.working;
}

void MemoryEstimate::place(std::span<const OpId> ops, DeviceId device) {
    m_use[device.index()] = after(ops, device, true);
}

} // namespace opscape
