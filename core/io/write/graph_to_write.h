// SPDX-License-Identifier: MIT
// What is handed to a writer: a graph and, as far as they are there, the problem, a plan and its schedule; and what
// comes back: the bytes, with what the format could not express counted.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/plan/problem.h>
#include <opscape/sim/schedule.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace opscape {

struct GraphToWrite {
    const Graph& graph;
    const Problem* problem = nullptr;   ///< of this graph; for the cluster and the times of ops
    const Plan* plan = nullptr;         ///< of the problem, which is there too
    const Schedule* schedule = nullptr; ///< of the plan, of Detail::Full

    /// Where the plan has the op, else what the graph asks for; may be empty.
    [[nodiscard]] std::string_view device(OpId op) const;
    /// On its device, or without a plan on the fastest kind of the cluster; without a cluster the least of the given
    /// times. Negative where none is known.
    [[nodiscard]] std::int64_t timeNs(OpId op) const;
};

struct WrittenGraph {
    std::string bytes;
    Diagnostics lost; ///< what is not in the bytes
};

/// What a graph can hold beside ops with names and types, and which of them waits for which.
enum class GraphPart : std::uint8_t {
    Phase,
    Colocation,
    Device,
    Flops,
    BytesMoved,
    Workspace,
    Time,
    Attributes,
    Residents,  ///< tensors that no op makes: inputs, weights, constants, optimizer state
    Order,      ///< of inputs, and that one is read twice
    Omitted,    ///< inputs that are left out
    Unread,     ///< outputs that no op reads
    TensorName, ///< of what ops make
    TensorType,
    TensorShape,
    TensorBytes, ///< where they are given
    Control,     ///< that an edge is one of control
};

/// A set of parts.
class GraphParts {
public:
    constexpr GraphParts() = default;
    constexpr GraphParts(std::initializer_list<GraphPart> parts) {
        for (const GraphPart part : parts)
            m_bits |= 1U << static_cast<unsigned>(part);
    }
    [[nodiscard]] constexpr bool has(GraphPart part) const { return (m_bits >> static_cast<unsigned>(part) & 1U) != 0; }

private:
    std::uint32_t m_bits = 0;
};

/// The code under which a part is counted: "phase-not-written".
[[nodiscard]] std::string_view lossCode(GraphPart part);
/// Counts what the graph has of every part that is not kept.
void countLosses(const Graph& graph, GraphParts kept, Diagnostics& lost);

} // namespace opscape
