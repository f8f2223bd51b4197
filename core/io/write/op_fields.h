// SPDX-License-Identifier: MIT
// What formats of nodes and edges with free attributes (DOT, GraphML, Model Explorer) say of an op and of an edge: the
// same facts under the same keys.
#pragma once

#include <opscape/io/write/graph_to_write.h>

namespace opscape {

/// What those formats keep of a graph, where a writer does not say more.
inline constexpr GraphParts kFieldParts{GraphPart::Phase,       GraphPart::Colocation, GraphPart::Device,
                                        GraphPart::Flops,       GraphPart::BytesMoved, GraphPart::Workspace,
                                        GraphPart::TensorBytes, GraphPart::Control,    GraphPart::Time};

/// Calls text(key, value) and number(key, value) for what is known, the device and the time as they are to be written.
template <class Text, class Number>
void opFields(const GraphToWrite& what, OpId id, std::string_view timeKey, const Text& text, const Number& number) {
    const Op& op = what.graph.op(id);
    text("type", std::string_view(op.type));
    if (const std::string_view device = what.device(id); !device.empty())
        text("device", device);
    if (const std::int64_t ns = what.timeNs(id); ns >= 0)
        number(timeKey, ns);
    if (op.phase != Phase::Forward)
        text("phase", toString(op.phase));
    if (!op.colocation.empty())
        text("colocation", std::string_view(op.colocation));
    if (op.flops >= 0)
        number("flops", op.flops);
    if (op.bytesMoved >= 0)
        number("bytes_moved", op.bytesMoved);
    if (op.workspaceBytes != 0)
        number("workspace_bytes", op.workspaceBytes);
}

/// Calls data(from, output, tensor, to) and control(from, to): by producer, output and reader, then by reader.
template <class Data, class Control>
void forEachEdge(const Graph& graph, const Data& data, const Control& control) {
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const auto outputs = graph.outputs(OpId(i));
        for (std::size_t output = 0; output < outputs.size(); ++output) {
            for (const OpId to : graph.consumers(outputs[output]))
                data(OpId(i), output, outputs[output], to);
        }
        for (const OpId to : graph.controlSuccessors(OpId(i)))
            control(OpId(i), to);
    }
}

/// Counts given times but one of kind "gpu" that is written as it is: those formats have one time per op, of no kind.
void countTimes(const GraphToWrite& what, Diagnostics& lost);

} // namespace opscape
