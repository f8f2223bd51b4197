// SPDX-License-Identifier: MIT
#include <opscape/io/write/graph_to_write.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace opscape {
namespace {

struct PartInfo {
    std::string_view code, summary;
};

/// By GraphPart.
constexpr std::array<PartInfo, 17> kParts{{
    {"phase-not-written", "Ops whose phase (backward, update) is not written"},
    {"colocation-not-written", "Ops whose colocation group is not written"},
    {"device-not-written", "Ops whose device is not written"},
    {"flops-not-written", "Ops whose given number of operations is not written"},
    {"bytes-moved-not-written", "Ops whose given memory traffic is not written"},
    {"workspace-not-written", "Ops whose scratch memory is not written"},
    {"time-not-written", "Ops whose given times are not written"},
    {"attribute-not-written", "Attributes of ops that are not written"},
    {"resident-not-written", "Inputs, weights, constants and optimizer state that are not written"},
    {"order-not-written", "Ops of whose inputs the order, or that one is read twice, is not written"},
    {"omitted-not-written", "Ops of whose inputs it is not written that some are left out"},
    {"output-not-written", "Outputs that no op reads, not written"},
    {"tensor-name-not-written", "Outputs whose names are not written"},
    {"dtype-not-written", "Tensors whose element type is not written"},
    {"shape-not-written", "Tensors whose shape is not written"},
    {"tensor-bytes-not-written", "Tensors whose given size is not written"},
    {"control-not-written", "Control edges that are written like those of data"},
}};

class Counter {
public:
    Counter(const Graph& graph, GraphParts kept, Diagnostics& lost) : m_graph(graph), m_kept(kept), m_lost(lost) {}

    void count() {
        for (std::size_t i = 0; i < m_graph.opCount(); ++i)
            op(OpId(i));
        for (std::size_t i = 0; i < m_graph.tensorCount(); ++i)
            tensor(TensorId(i));
    }

private:
    void lose(GraphPart part, std::string_view name) {
        if (!m_kept.has(part))
            m_lost.add(Severity::Info, lossCode(part), kParts[static_cast<std::size_t>(part)].summary,
                       std::string(name));
    }

    void op(OpId id) {
        const Op& op = m_graph.op(id);
        if (op.phase != Phase::Forward)
            lose(GraphPart::Phase, op.name);
        if (!op.colocation.empty())
            lose(GraphPart::Colocation, op.name);
        if (!op.requestedDevice.empty())
            lose(GraphPart::Device, op.name);
        if (op.flops >= 0)
            lose(GraphPart::Flops, op.name);
        if (op.bytesMoved >= 0)
            lose(GraphPart::BytesMoved, op.name);
        if (op.workspaceBytes != 0)
            lose(GraphPart::Workspace, op.name);
        if (!op.timeNs.empty())
            lose(GraphPart::Time, op.name);
        if (!m_kept.has(GraphPart::Attributes)) {
            for (const Attribute& attribute : op.attributes)
                lose(GraphPart::Attributes, attribute.name + " of " + op.name);
        }
        inputs(id);
        if (!m_kept.has(GraphPart::Control)) {
            for (const OpId before : m_graph.controlPredecessors(id))
                lose(GraphPart::Control, m_graph.op(before).name + " -> " + op.name);
        }
    }

    void inputs(OpId id) {
        std::vector<TensorId> there;
        std::ranges::copy_if(m_graph.inputs(id), std::back_inserter(there), &TensorId::valid);
        if (there.size() != m_graph.inputs(id).size())
            lose(GraphPart::Omitted, m_graph.op(id).name);
        if (std::ranges::adjacent_find(there, std::ranges::greater_equal()) != there.end())
            lose(GraphPart::Order, m_graph.op(id).name);
    }

    void tensor(TensorId id) {
        const Tensor& tensor = m_graph.tensor(id);
        const OpId producer = m_graph.producer(id);
        if (!producer.valid() && !m_kept.has(GraphPart::Residents)) {
            lose(GraphPart::Residents, tensor.name);
            return;
        }
        if (producer.valid() && m_graph.consumers(id).empty() && !m_kept.has(GraphPart::Unread)) {
            lose(GraphPart::Unread, tensor.name.empty() ? "of " + m_graph.op(producer).name : tensor.name);
            return;
        }
        if (!tensor.name.empty() && producer.valid())
            lose(GraphPart::TensorName, tensor.name);
        if (tensor.dtype != DType::Unknown)
            lose(GraphPart::TensorType, tensor.name);
        if (tensor.shapeKnown)
            lose(GraphPart::TensorShape, tensor.name);
        if (tensor.bytes >= 0)
            lose(GraphPart::TensorBytes, tensor.name);
    }

    const Graph& m_graph;
    GraphParts m_kept;
    Diagnostics& m_lost;
};

} // namespace

std::string_view GraphToWrite::device(OpId op) const {
    if (plan != nullptr)
        return problem->cluster->device(plan->device[op.index()]).name;
    return graph.op(op).requestedDevice;
}

std::int64_t GraphToWrite::timeNs(OpId op) const {
    if (plan != nullptr)
        return problem->opNs(op, plan->device[op.index()]);
    if (problem != nullptr)
        return problem->cost->fastestNs(op);
    std::int64_t least = -1;
    for (const auto& [kind, ns] : graph.op(op).timeNs)
        least = least < 0 ? ns : std::min(least, ns);
    return least;
}

std::string_view lossCode(GraphPart part) { return kParts[static_cast<std::size_t>(part)].code; }

void countLosses(const Graph& graph, GraphParts kept, Diagnostics& lost) { Counter(graph, kept, lost).count(); }

} // namespace opscape
