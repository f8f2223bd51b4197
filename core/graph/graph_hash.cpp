// SPDX-License-Identifier: MIT
#include <opscape/base/hash.h>
#include <opscape/graph/graph_hash.h>

namespace opscape {
namespace {

/// Named in the hash so that a change of what is hashed cannot pass for the same graph.
constexpr std::string_view kScheme = "opscape-graph-1";

/// Lengths and counts are hashed as 64 bits whatever the platform.
void count(Hasher& h, std::size_t n) { h.value(static_cast<std::uint64_t>(n)); }

void hashValue(Hasher& h, const AttributeValue& value) {
    count(h, value.index());
    std::visit(
        [&h](const auto& v) {
            using V = std::decay_t<decltype(v)>;
            if constexpr (std::is_arithmetic_v<V>) {
                h.value(v);
            } else if constexpr (std::is_same_v<V, std::string>) {
                h.text(v);
            } else {
                count(h, v.size());
                h.bytes(v.data(), v.size() * sizeof v[0]);
            }
        },
        value);
}

void hashOp(Hasher& h, const Op& op) {
    h.text(op.name);
    h.text(op.type);
    h.value(op.phase);
    h.text(op.colocation);
    h.text(op.requestedDevice);
    h.value(op.flops);
    h.value(op.bytesMoved);
    h.value(op.workspaceBytes);
    count(h, op.timeNs.size());
    for (const auto& [kind, ns] : op.timeNs) {
        h.text(kind);
        h.value(ns);
    }
    count(h, op.attributes.size());
    for (const Attribute& attribute : op.attributes) {
        h.text(attribute.name);
        hashValue(h, attribute.value);
    }
}

void hashTensor(Hasher& h, const Tensor& tensor) {
    h.text(tensor.name);
    h.value(tensor.kind);
    h.value(tensor.dtype);
    h.value(tensor.shapeKnown);
    count(h, tensor.shape.size());
    h.bytes(tensor.shape.data(), tensor.shape.size() * sizeof(Shape::value_type));
    h.value(tensor.bytes);
}

template <class Id>
void hashIds(Hasher& h, std::span<const Id> ids) {
    static_assert(sizeof(Id) == sizeof(std::uint32_t));
    count(h, ids.size());
    h.bytes(ids.data(), ids.size_bytes());
}

} // namespace

std::string graphHash(const Graph& graph) {
    Hasher h;
    h.text(kScheme);
    h.text(graph.name());
    count(h, graph.opCount());
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        hashOp(h, graph.op(OpId(i)));
        hashIds(h, graph.inputs(OpId(i)));
        hashIds(h, graph.outputs(OpId(i)));
        hashIds(h, graph.controlSuccessors(OpId(i)));
    }
    for (std::size_t t = 0; t < graph.tensorCount(); ++t)
        hashTensor(h, graph.tensor(TensorId(t)));
    return h.hex();
}

} // namespace opscape
