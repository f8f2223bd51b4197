// SPDX-License-Identifier: MIT
// One node or result a line. Edges name the slot of the reader and the output of the producer; an edge of control has
// "control" in place of both.
#include <opscape/io/text.h>
#include <opscape/io/write/model_explorer_writer.h>
#include <opscape/io/write/op_fields.h>
#include <opscape/io/write/scope_path.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace opscape {
namespace {

constexpr GraphParts kKept{GraphPart::Phase,       GraphPart::Colocation, GraphPart::Device,     GraphPart::Flops,
                           GraphPart::BytesMoved,  GraphPart::Workspace,  GraphPart::Attributes, GraphPart::Order,
                           GraphPart::Unread,      GraphPart::TensorName, GraphPart::TensorType, GraphPart::TensorShape,
                           GraphPart::TensorBytes, GraphPart::Control,    GraphPart::Time};

class ModelExplorerWriter {
public:
    explicit ModelExplorerWriter(const GraphToWrite& what) : m_what(what), m_graph(what.graph) {
        m_output.resize(m_graph.tensorCount());
        for (std::size_t i = 0; i < m_graph.opCount(); ++i) {
            const auto outputs = m_graph.outputs(OpId(i));
            for (std::size_t k = 0; k < outputs.size(); ++k)
                m_output[outputs[k].index()] = static_cast<std::uint32_t>(k);
        }
    }

    WrittenGraph write() {
        out() += "{\"label\": ";
        appendJson(out(), m_graph.name());
        out() += ", \"graphs\": [{\"id\": ";
        appendJson(out(), m_graph.name());
        out() += ", \"nodes\": [";
        for (std::size_t i = 0; i < m_graph.opCount(); ++i)
            node(OpId(i));
        out() += "\n]}]}\n";
        countLosses(m_graph, kKept, m_written.lost);
        countTimes(m_what, m_written.lost);
        return std::move(m_written);
    }

private:
    std::string& out() { return m_written.bytes; }
    void text(std::string_view key, std::string_view value) {
        fmt::format_to(std::back_inserter(out()), "\"{}\": ", key);
        appendJson(out(), value);
    }
    void pair(std::string_view key, std::string_view value) {
        out() += std::exchange(m_separator, ", ");
        out() += "{\"key\": ";
        appendJson(out(), key);
        out() += ", ";
        text("value", value);
        out() += '}';
    }

    void node(OpId id) {
        const Op& op = m_graph.op(id);
        out() += id.index() == 0 ? "\n{" : ",\n{";
        text("id", op.name);
        out() += ", ";
        text("label", leafName(op.name));
        out() += ", ";
        text("namespace", scopePath(op.name));
        out() += ", \"attrs\": [";
        m_separator = "";
        opFields(
            m_what, id, "time_ns", [this](std::string_view key, std::string_view value) { pair(key, value); },
            [this](std::string_view key, std::int64_t value) { pair(key, std::to_string(value)); });
        for (const Attribute& attribute : op.attributes)
            pair(attribute.name, valueText(attribute.value));
        out() += ']';
        edges(id);
        outputs(id);
        out() += '}';
    }

    static std::string valueText(const AttributeValue& value) {
        struct Text {
            std::string operator()(std::int64_t v) const { return fmt::format("{}", v); }
            std::string operator()(double v) const { return fmt::format("{}", v); }
            std::string operator()(const std::string& v) const { return v; }
            std::string operator()(const std::vector<std::int64_t>& v) const {
                return fmt::format("[{}]", fmt::join(v, ", "));
            }
            std::string operator()(const std::vector<double>& v) const {
                return fmt::format("[{}]", fmt::join(v, ", "));
            }
        };
        return std::visit(Text(), value);
    }

    void edges(OpId id) {
        const auto inputs = m_graph.inputs(id);
        m_separator = ", \"incomingEdges\": [";
        bool any = false;
        const auto edge = [&](OpId from, const std::string& output, const std::string& slot) {
            any = true;
            out() += std::exchange(m_separator, ", ");
            out() += '{';
            text("sourceNodeId", m_graph.op(from).name);
            out() += ", ";
            text("sourceNodeOutputId", output);
            out() += ", ";
            text("targetNodeInputId", slot);
            out() += '}';
        };
        for (std::size_t slot = 0; slot < inputs.size(); ++slot) {
            if (inputs[slot].valid() && m_graph.producer(inputs[slot]).valid())
                edge(m_graph.producer(inputs[slot]), std::to_string(m_output[inputs[slot].index()]),
                     std::to_string(slot));
        }
        for (const OpId before : m_graph.controlPredecessors(id))
            edge(before, "control", "control");
        out() += any ? "]" : "";
    }

    void outputs(OpId id) {
        const auto tensors = m_graph.outputs(id);
        for (std::size_t k = 0; k < tensors.size(); ++k) {
            const Tensor& tensor = m_graph.tensor(tensors[k]);
            fmt::format_to(std::back_inserter(out()), "{}{{\"id\": \"{}\", \"attrs\": [",
                           k == 0 ? ", \"outputsMetadata\": [" : ", ", k);
            m_separator = "";
            if (!tensor.name.empty())
                pair("tensor_name", tensor.name);
            if (tensor.dtype != DType::Unknown)
                pair("dtype", toString(tensor.dtype));
            if (tensor.shapeKnown)
                pair("shape", fmt::format("[{}]", fmt::join(tensor.shape, ",")));
            if (tensor.bytes >= 0)
                pair("bytes", std::to_string(tensor.bytes));
            out() += "]}";
        }
        out() += tensors.empty() ? "" : "]";
    }

    const GraphToWrite& m_what;
    const Graph& m_graph;
    std::vector<std::uint32_t> m_output; ///< per tensor that an op makes: which output it is
    WrittenGraph m_written;
    const char* m_separator = "";
};

/// Opens the file, up to the first result.
std::string beginNodeData(const Graph& graph, std::string_view name) {
    std::string out = "{";
    appendJson(out, graph.name());
    out += ": {\"name\": ";
    appendJson(out, name);
    out += ", \"results\": {";
    return out;
}

} // namespace

Result<WrittenGraph> writeModelExplorer(const GraphToWrite& what) { return ModelExplorerWriter(what).write(); }

Result<WrittenGraph> writeModelExplorerTimes(const GraphToWrite& what) {
    WrittenGraph written{beginNodeData(what.graph, "time, ns"), {}};
    const char* separator = "\n";
    for (std::size_t i = 0; i < what.graph.opCount(); ++i) {
        const std::string& name = what.graph.op(OpId(i)).name;
        const std::int64_t ns = what.timeNs(OpId(i));
        if (ns < 0) {
            written.lost.add(Severity::Info, "time-unknown", "Ops whose time is not known, left out", name);
            continue;
        }
        written.bytes += std::exchange(separator, ",\n");
        appendJson(written.bytes, name);
        fmt::format_to(std::back_inserter(written.bytes), ": {{\"value\": {}}}", ns);
    }
    written.bytes += "\n}, \"gradient\": [{\"stop\": 0, \"bgColor\": \"#ffffcc\"}, {\"stop\": 0.5, \"bgColor\": "
                     "\"#fd8d3c\"}, {\"stop\": 1, \"bgColor\": \"#bd0026\"}]}}\n";
    return written;
}

Result<WrittenGraph> writeModelExplorerDevices(const GraphToWrite& what) {
    // Light, so that dark text can be read on them.
    constexpr const char* kColours[] = {"#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99",
                                        "#cab2d6", "#ffff99", "#d9d9d9", "#ccebc5"};
    std::map<std::string_view, std::size_t> colours; // in the order of first use
    WrittenGraph written{beginNodeData(what.graph, "device"), {}};
    const char* separator = "\n";
    for (std::size_t i = 0; i < what.graph.opCount(); ++i) {
        const std::string& name = what.graph.op(OpId(i)).name;
        const std::string_view device = what.device(OpId(i));
        if (device.empty()) {
            written.lost.add(Severity::Info, "device-unknown", "Ops without a device, left out", name);
            continue;
        }
        const std::size_t colour = colours.try_emplace(device, colours.size()).first->second;
        written.bytes += std::exchange(separator, ",\n");
        appendJson(written.bytes, name);
        written.bytes += ": {\"value\": ";
        appendJson(written.bytes, device);
        fmt::format_to(std::back_inserter(written.bytes), ", \"bgColor\": \"{}\"}}",
                       kColours[colour % std::size(kColours)]);
    }
    written.bytes += "\n}}}\n";
    return written;
}

} // namespace opscape
