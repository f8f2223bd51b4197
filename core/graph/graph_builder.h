// SPDX-License-Identifier: MIT
// The only way to make a Graph. Readers and generators add ops and tensors in the order of their source; build() names,
// checks, derives the adjacency and either returns a sound graph or one sentence on why there is none.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/base/result.h>
#include <opscape/graph/graph.h>

#include <string_view>
#include <unordered_map>

namespace opscape {

class GraphBuilder {
public:
    explicit GraphBuilder(std::string name) { m_graph.m_name = std::move(name); }

    void reserve(std::size_t ops, std::size_t tensors);

    /// An empty or repeated name is replaced by build().
    OpId addOp(Op op);
    /// An activation written by `producer`, its next output.
    TensorId addOutput(OpId producer, Tensor tensor);
    /// An input, weight, constant or optimizer state; `tensor.kind` must say which.
    TensorId addResident(Tensor tensor);
    /// The op's next input slot; an invalid id is an omitted optional input.
    void addInput(OpId op, TensorId tensor);
    void addControl(OpId before, OpId after);

    [[nodiscard]] std::size_t opCount() const { return m_graph.m_ops.size(); }
    [[nodiscard]] Op& op(OpId id) { return m_graph.m_ops[id.index()]; }
    [[nodiscard]] const Op& op(OpId id) const { return m_graph.m_ops[id.index()]; }
    [[nodiscard]] const Tensor& tensor(TensorId id) const { return m_graph.m_tensors[id.index()]; }

    /// Fails on a cycle, naming ops on it, and on a negative time or workspace. What it repairs is counted: an op
    /// without a name gets its type and number, the later of two ops of one name gets "#2", "#3" ..., whichever is
    /// free; self and repeated control edges are dropped; a tensor of unknown size has 0 bytes; in texts that
    /// are not UTF-8, U+FFFD stands for what is not. Leaves the builder empty.
    [[nodiscard]] Result<Graph> build(Diagnostics& diagnostics) &&;

private:
    TensorId addTensor(OpId producer, Tensor tensor);
    void nameOps();
    void makeWritable();
    Result<> checkFigures() const;
    void sizes();
    void dataEdges();
    void controlEdges();
    void neighbours();
    Result<> topologicalSort();
    [[nodiscard]] std::string cycleAmong(const std::vector<std::uint32_t>& waiting) const;
    void colocation();

    Graph m_graph;
    std::vector<std::pair<OpId, TensorId>> m_inputs; ///< in the order they were added
    std::vector<std::pair<OpId, OpId>> m_control;
    std::unordered_map<std::string_view, SharedText> m_texts; ///< each that ops have in common, once
    Diagnostics m_diagnostics;
};

} // namespace opscape
