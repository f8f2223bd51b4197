// SPDX-License-Identifier: MIT
// The only way to make a Graph. Readers add what they find, in the order of the file; build() checks it, derives the
// adjacency and either returns a sound graph or one sentence on why there is none.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/base/result.h>
#include <opscape/graph/graph.h>
#include <unordered_map>

namespace opscape {

class GraphBuilder {
public:
    explicit GraphBuilder(std::string name) { m_graph.m_name = std::move(name); }

    void reserve(std::size_t ops, std::size_t tensors);

    /// A repeated op name gets "#2", "#3" ... and an empty one its type and number; both are counted as problems.
    OpId addOp(Op op);
    /// An activation written by `producer`, its next output.
    TensorId addOutput(OpId producer, Tensor tensor);
    /// An input, weight, constant or optimizer state. `tensor.kind` must say which.
    TensorId addResident(Tensor tensor);
    /// The op's next input slot; an invalid id is an omitted optional input.
    void addInput(OpId op, TensorId tensor);
    void addControl(OpId before, OpId after);

    [[nodiscard]] std::size_t opCount() const { return m_graph.m_ops.size(); }
    [[nodiscard]] Op& op(OpId id) { return m_graph.m_ops[id.index()]; }
    [[nodiscard]] const Tensor& tensor(TensorId id) const { return m_graph.m_tensors[id.index()]; }

    /// Fails on a cycle, naming ops on it. Self control edges and repeated control edges are dropped and counted;
    /// tensors of unknown size and renamed ops are counted. Leaves the builder empty.
    [[nodiscard]] Result<Graph> build(Diagnostics& diagnostics) &&;

private:
    void adjacency();
    Result<> topologicalSort();
    void colocation();
    void hashContent();

    Graph m_graph;
    std::vector<std::vector<TensorId>> m_inputs, m_outputs;
    std::vector<std::pair<OpId, OpId>> m_control;
    std::unordered_map<std::string, int> m_names;
    Diagnostics m_diagnostics;
};

} // namespace opscape
