// SPDX-License-Identifier: MIT
// One node or result a line. Edges name the slot of the reader and the output of the producer; an edge of control has
// "control" in place of both.
#include <opscape/io/text.h>
#include <opscape/io/write/model_explorer_writer.h>
#include <opscape/io/write/op_fields.h>
#include <opscape/io/write/scope_path.h>

#include <algorithm>
#include <charconv>
#include <cmath>
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
        text("namespace", namespaceOf(op.name));
        out() += ", \"attrs\": [";
        m_separator = "";
        opFields(
            m_what, id, "time_ns", [this](std::string_view key, std::string_view value) { pair(key, value); },
            [this](std::string_view key, std::int64_t value) { pair(key, std::to_string(value)); });
        for (const Attribute& attribute : op.attributes)
            addAttribute(op, attribute);
        out() += ']';
        edges(id);
        outputs(id);
        out() += '}';
    }

    /// Ends of paths that the format does not distinguish fall away.
    static std::string_view namespaceOf(std::string_view name) {
        std::string_view path = nestedPath(name);
        while (path.ends_with(';'))
            path = scopePath(path);
        return path;
    }

    /// Everything is text here, which readers take for a number where it is one.
    void addAttribute(const Op& op, const Attribute& attribute) {
        constexpr std::string_view kTaken[] = {"type",  "op_type", "device",      "colocation",
                                               "phase", "time_ns", "cost",        "time",
                                               "flops", "bytes",   "bytes_moved", "workspace_bytes"};
        const auto first = std::ranges::find(op.attributes, attribute.name, &Attribute::name);
        if (std::ranges::count(kTaken, attribute.name) != 0 || &*first != &attribute) {
            lose(lossCode(GraphPart::Attributes), "Attributes that have the name of something else", op, attribute);
            return;
        }
        std::string text;
        if (const auto* whole = std::get_if<std::int64_t>(&attribute.value)) {
            text = std::to_string(*whole);
        } else if (const auto* real = std::get_if<double>(&attribute.value); real != nullptr && std::isfinite(*real)) {
            appendJson(text, *real);
        } else {
            text = std::visit(AsText(), attribute.value);
            if (!std::holds_alternative<std::string>(attribute.value) || isNumber(text))
                lose("attribute-as-text", "Attributes that are written as text, whatever they were", op, attribute);
        }
        pair(attribute.name, text);
    }
    void lose(std::string_view code, std::string_view summary, const Op& op, const Attribute& attribute) {
        m_written.lost.add(Severity::Info, code, summary, fmt::format("{} of {}", attribute.name, op.name));
    }
    static bool isNumber(std::string_view text) {
        double number = 0;
        return std::from_chars(text.data(), text.data() + text.size(), number).ptr == text.data() + text.size();
    }
    struct AsText {
        std::string operator()(const std::string& v) const { return v; }
        template <class Number>
        std::string operator()(const Number& v) const {
            return fmt::format("{}", v);
        }
        template <class Number>
        std::string operator()(const std::vector<Number>& v) const {
            return fmt::format("[{}]", fmt::join(v, ", "));
        }
    };

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
            const std::string_view dtype = tensor.dtype == DType::Unknown ? "" : toString(tensor.dtype);
            if (tensor.shapeKnown)
                pair("tensor_shape", fmt::format("{}[{}]", dtype, fmt::join(tensor.shape, ",")));
            else if (!dtype.empty())
                pair("tensor_shape", dtype);
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
