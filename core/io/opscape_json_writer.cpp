// SPDX-License-Identifier: MIT
#include <opscape/io/opscape_json.h>
#include <opscape/io/text.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace opscape {
namespace {

class Writer {
public:
    explicit Writer(const GraphToWrite& what) : m_what(what), m_graph(what.graph) {}

    std::string write() {
        m_out += "{\"opscape_graph\": 1, \"name\": ";
        appendJson(m_out, m_graph.name());
        m_out += ",\n\"ops\": [";
        for (std::size_t i = 0; i < m_graph.opCount(); ++i)
            op(OpId(i));
        m_out += "\n],\n\"tensors\": [";
        for (std::size_t i = 0; i < m_graph.tensorCount(); ++i)
            tensor(TensorId(i));
        m_out += "\n]}\n";
        return std::move(m_out);
    }

private:
    void op(OpId id) {
        const Op& op = m_graph.op(id);
        beginLine(id.index(), op.name);
        textUnlessEmpty("type", op.type);
        if (op.phase != Phase::Forward)
            textUnlessEmpty("phase", toString(op.phase));
        textUnlessEmpty("colocation", op.colocation);
        textUnlessEmpty("device", m_what.device(id));
        if (op.flops >= 0)
            number("flops", op.flops);
        if (op.bytesMoved >= 0)
            number("bytes_moved", op.bytesMoved);
        if (op.workspaceBytes != 0)
            number("workspace_bytes", op.workspaceBytes);
        if (!op.timeNs.empty()) {
            key("time_ns");
            const char* separator = "{";
            for (const auto& [kind, ns] : op.timeNs) {
                m_out += std::exchange(separator, ", ");
                appendJson(m_out, kind);
                fmt::format_to(std::back_inserter(m_out), ": {}", ns);
            }
            m_out += '}';
        }
        attributes(op);
        if (!m_graph.inputs(id).empty())
            ids("inputs", m_graph.inputs(id));
        if (!m_graph.controlPredecessors(id).empty())
            ids("after", m_graph.controlPredecessors(id));
        m_out += '}';
    }

    void attributes(const Op& op) {
        if (op.attributes.empty())
            return;
        key("attributes");
        const char* separator = "{";
        for (const Attribute& attribute : op.attributes) {
            m_out += std::exchange(separator, ", ");
            appendJson(m_out, attribute.name);
            m_out += ": ";
            std::visit([this](const auto& value) { this->value(value); }, attribute.value);
        }
        m_out += '}';
    }

    void value(std::int64_t value) { fmt::format_to(std::back_inserter(m_out), "{}", value); }
    void value(const std::string& value) { appendJson(m_out, value); }
    void value(const std::vector<std::int64_t>& values) {
        fmt::format_to(std::back_inserter(m_out), "[{}]", fmt::join(values, ", "));
    }
    void value(double value) {
        const bool tagged = !std::isfinite(value);
        m_out += tagged ? "{\"real\": " : "";
        appendJson(m_out, value);
        m_out += tagged ? "}" : "";
    }
    void value(const std::vector<double>& values) {
        const bool tagged = values.empty() || std::ranges::any_of(values, [](double v) { return !std::isfinite(v); });
        m_out += tagged ? "{\"reals\": [" : "[";
        const char* separator = "";
        for (const double v : values) {
            m_out += std::exchange(separator, ", ");
            appendJson(m_out, v);
        }
        m_out += tagged ? "]}" : "]";
    }

    void tensor(TensorId id) {
        const Tensor& tensor = m_graph.tensor(id);
        beginLine(id.index(), tensor.name);
        if (const OpId producer = m_graph.producer(id); producer.valid())
            number("producer", producer.value);
        else
            textUnlessEmpty("kind", toString(tensor.kind));
        if (tensor.dtype != DType::Unknown)
            textUnlessEmpty("dtype", toString(tensor.dtype));
        if (tensor.shapeKnown) {
            key("shape");
            value(tensor.shape);
        }
        if (tensor.bytes >= 0)
            number("bytes", tensor.bytes);
        m_out += '}';
    }

    void beginLine(std::size_t index, std::string_view name) {
        m_out += index == 0 ? "\n{\"name\": " : ",\n{\"name\": ";
        appendJson(m_out, name);
    }
    void key(std::string_view key) { fmt::format_to(std::back_inserter(m_out), ", \"{}\": ", key); }
    void number(std::string_view name, std::int64_t value) {
        fmt::format_to(std::back_inserter(m_out), ", \"{}\": {}", name, value);
    }
    void textUnlessEmpty(std::string_view name, std::string_view text) {
        if (text.empty())
            return;
        key(name);
        appendJson(m_out, text);
    }
    template <class Id>
    void ids(std::string_view name, std::span<const Id> row) {
        key(name);
        const char* separator = "[";
        for (const Id id : row) {
            m_out += std::exchange(separator, ", ");
            if (id.valid())
                value(std::int64_t{id.value});
            else
                m_out += "null";
        }
        m_out += ']';
    }

    const GraphToWrite& m_what;
    const Graph& m_graph;
    std::string m_out;
};

} // namespace

std::string writeOpscapeJson(const Graph& graph) { return Writer({graph}).write(); }

Result<WrittenGraph> writeOpscapeJson(const GraphToWrite& what) { return WrittenGraph{Writer(what).write(), {}}; }

} // namespace opscape
