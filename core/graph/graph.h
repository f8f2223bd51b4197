// SPDX-License-Identifier: MIT
// The computation graph: ops, the tensors they read and write, and control edges. Immutable once built (see
// graph_builder.h), so it is shared freely between threads. Ids are dense and keep the order of the file, because every
// tie in the product is broken by id. Adjacency is held in CSR arrays.
#pragma once

#include <opscape/base/ids.h>
#include <opscape/graph/name_index.h>
#include <opscape/graph/shared_text.h>
#include <opscape/graph/times_by_kind.h>
#include <opscape/graph/types.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

/// What is known of one op beside its tensors.
struct Op {
    std::string name; ///< unique; '/' separates name scopes
    SharedText type;  ///< e.g. "Conv", "MatMul"
    Phase phase = Phase::Forward;
    SharedText colocation;             ///< ops with the same non-empty group share a device
    SharedText requestedDevice;        ///< as the file says it; empty when it does not
    std::int64_t flops = -1;           ///< floating-point operations; negative: derived from type and shapes
    std::int64_t bytesMoved = -1;      ///< memory traffic, bytes; negative: derived from the tensors
    std::int64_t workspaceBytes = 0;   ///< scratch memory while it runs, bytes
    TimesByKind timeNs;                ///< given time, ns, by device kind or type ("P100", "gpu")
    std::vector<Attribute> attributes; ///< in the order of the file
    friend bool operator==(const Op&, const Op&) = default;
};

struct Tensor {
    std::string name;
    TensorKind kind = TensorKind::Activation;
    DType dtype = DType::Unknown;
    bool shapeKnown = false; ///< false: nothing is known of the shape, not even its rank
    Shape shape;
    std::int64_t bytes = -1; ///< given size, bytes; negative: from dtype and shape
    friend bool operator==(const Tensor&, const Tensor&) = default;
};

class Graph {
public:
    [[nodiscard]] const std::string& name() const { return m_name; }

    [[nodiscard]] std::size_t opCount() const { return m_ops.size(); }
    [[nodiscard]] std::size_t tensorCount() const { return m_tensors.size(); }
    /// Data edges (distinct pairs of an activation and an op that reads it) plus control edges.
    [[nodiscard]] std::size_t edgeCount() const { return m_dataEdges + m_controlOut.items.size(); }
    [[nodiscard]] std::size_t controlEdgeCount() const { return m_controlOut.items.size(); }

    [[nodiscard]] const Op& op(OpId id) const { return m_ops[id.index()]; }
    [[nodiscard]] const Tensor& tensor(TensorId id) const { return m_tensors[id.index()]; }
    /// Invalid for inputs, weights, constants and optimizer state.
    [[nodiscard]] OpId producer(TensorId id) const { return m_producer[id.index()]; }
    /// Size in bytes as simulated; 0 where nothing tells (the builder counts those as problems).
    [[nodiscard]] std::int64_t tensorBytes(TensorId id) const { return m_bytes[id.index()]; }

    /// Input slots in the order of the op's signature; an omitted optional input is an invalid id; a tensor may repeat.
    [[nodiscard]] std::span<const TensorId> inputs(OpId id) const { return m_inputs.row(id.index()); }
    /// Tensors the op writes, in order.
    [[nodiscard]] std::span<const TensorId> outputs(OpId id) const { return m_outputs.row(id.index()); }
    /// Ops that read the tensor, ascending, each once.
    [[nodiscard]] std::span<const OpId> consumers(TensorId id) const { return m_consumers.row(id.index()); }
    /// Distinct activations the op reads, ascending: what it waits for.
    [[nodiscard]] std::span<const TensorId> dataInputs(OpId id) const { return m_dataInputs.row(id.index()); }
    [[nodiscard]] std::span<const OpId> controlSuccessors(OpId id) const { return m_controlOut.row(id.index()); }
    [[nodiscard]] std::span<const OpId> controlPredecessors(OpId id) const { return m_controlIn.row(id.index()); }
    /// Distinct ops before and after it, through data or control, ascending.
    [[nodiscard]] std::span<const OpId> predecessors(OpId id) const { return m_predecessors.row(id.index()); }
    [[nodiscard]] std::span<const OpId> successors(OpId id) const { return m_successors.row(id.index()); }

    /// All ops, producers before consumers; among the ready ones the lowest id first.
    [[nodiscard]] std::span<const OpId> topologicalOrder() const { return m_topological; }
    /// Colocation groups with at least two ops, by name, each ascending.
    [[nodiscard]] const std::vector<std::vector<OpId>>& colocationGroups() const { return m_colocationGroups; }
    /// Index into colocationGroups(), or -1.
    [[nodiscard]] int colocationGroup(OpId id) const { return m_colocationOf[id.index()]; }

    /// Invalid when there is no op of that name.
    [[nodiscard]] OpId findOp(std::string_view name) const { return m_byName.find(m_ops, name); }
    /// 32 hex digits over all of the content: equal graphs have equal hashes.
    [[nodiscard]] const std::string& hash() const { return m_hash; }

    /// Equal in everything a file can say.
    friend bool operator==(const Graph& a, const Graph& b);

private:
    friend class GraphBuilder;

    template <class T>
    struct Csr {
        std::vector<std::uint32_t> first{0};
        std::vector<T> items;
        [[nodiscard]] std::span<const T> row(std::size_t i) const {
            return {items.data() + first[i], items.data() + first[i + 1]};
        }
        void endRow() { first.push_back(static_cast<std::uint32_t>(items.size())); }
        friend bool operator==(const Csr&, const Csr&) = default;
    };

    std::string m_name;
    std::vector<Op> m_ops;
    std::vector<Tensor> m_tensors;
    std::vector<OpId> m_producer;
    std::vector<std::int64_t> m_bytes;
    Csr<TensorId> m_inputs, m_outputs, m_dataInputs;
    Csr<OpId> m_consumers, m_controlOut, m_controlIn, m_predecessors, m_successors;
    std::vector<OpId> m_topological;
    NameIndex m_byName;
    std::vector<std::vector<OpId>> m_colocationGroups;
    std::vector<int> m_colocationOf;
    std::size_t m_dataEdges = 0;
    std::string m_hash;
};

} // namespace opscape
