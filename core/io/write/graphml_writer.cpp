// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/io/write/graphml_writer.h>
#include <opscape/io/write/op_fields.h>
#include <opscape/io/write/scope_path.h>

#include <iterator>

namespace opscape {
namespace {

struct Key {
    std::string_view name, of, type;
};
constexpr Key kKeys[] = {
    {"label", "node", "string"}, {"type", "node", "string"},      {"device", "node", "string"},
    {"time_ns", "node", "long"}, {"phase", "node", "string"},     {"colocation", "node", "string"},
    {"flops", "node", "long"},   {"bytes_moved", "node", "long"}, {"workspace_bytes", "node", "long"},
    {"bytes", "edge", "long"},   {"tensor", "edge", "int"},       {"control", "edge", "boolean"},
};

class GraphmlWriter {
public:
    explicit GraphmlWriter(const GraphToWrite& what) : m_what(what), m_graph(what.graph) {}

    WrittenGraph write() {
        out() +=
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
        for (const Key& key : kKeys)
            fmt::format_to(std::back_inserter(out()),
                           "  <key id=\"{0}\" for=\"{1}\" attr.name=\"{0}\" attr.type=\"{2}\"/>\n", key.name, key.of,
                           key.type);
        out() += "  <graph id=\"";
        escaped(m_graph.name());
        out() += "\" edgedefault=\"directed\">\n";
        nodes();
        edges();
        out() += "  </graph>\n</graphml>\n";
        countLosses(m_graph, kFieldParts, m_written.lost);
        countTimes(m_what, m_written.lost);
        return std::move(m_written);
    }

private:
    std::string& out() { return m_written.bytes; }
    void indent() { out().append(2 * (m_walk.depth() + 2), ' '); }

    /// In an attribute or between tags. XML has no way to say most control characters.
    void escaped(std::string_view text) {
        const std::string sound = toUtf8(text);
        bool isChanged = false;
        for (std::size_t i = 0; i < sound.size(); ++i) {
            const char c = sound[i];
            switch (c) {
            case '&':
                out() += "&amp;";
                break;
            case '<':
                out() += "&lt;";
                break;
            case '>':
                out() += "&gt;";
                break;
            case '"':
                out() += "&quot;";
                break;
            case '\n':
            case '\r':
            case '\t':
                fmt::format_to(std::back_inserter(out()), "&#{};", static_cast<int>(c));
                break;
            default: {
                const std::string_view rest = std::string_view(sound).substr(i, 3);
                const bool isNoCharacter = rest == "\xef\xbf\xbe" || rest == "\xef\xbf\xbf"; // U+FFFE, U+FFFF
                if (static_cast<unsigned char>(c) < 0x20 || isNoCharacter) {
                    out() += "\xef\xbf\xbd"; // U+FFFD
                    i += isNoCharacter ? 2 : 0;
                    isChanged = true;
                } else {
                    out() += c;
                }
            }
            }
        }
        if (isChanged)
            m_written.lost.add(Severity::Warning, "text-changed",
                               "Texts with characters that XML cannot have, written with U+FFFD in their place",
                               printable(sound));
    }

    void data(std::string_view key, std::string_view value) {
        fmt::format_to(std::back_inserter(out()), "<data key=\"{}\">", key);
        escaped(value);
        out() += "</data>";
    }
    void data(std::string_view key, std::int64_t value) {
        fmt::format_to(std::back_inserter(out()), "<data key=\"{}\">{}</data>", key, value);
    }

    /// An id for the node of the next scope, which is no op's name.
    [[nodiscard]] std::string scopeId() {
        std::string id;
        do
            id = fmt::format("scope{}", m_scopes++);
        while (m_graph.findOp(id).valid());
        return id;
    }

    void nodes() {
        const auto open = [this](std::string_view path) {
            out().append(2 * (m_walk.depth() + 1), ' ');
            const std::string id = scopeId();
            fmt::format_to(std::back_inserter(out()), "<node id=\"{}\">", id);
            data("label", path);
            fmt::format_to(std::back_inserter(out()), "<graph id=\"{}:\" edgedefault=\"directed\">\n", id);
        };
        const auto close = [this] {
            out().append(2 * (m_walk.depth() + 1), ' ');
            out() += "</graph></node>\n";
        };
        for (const OpId id : opsByScope(m_graph)) {
            const Op& op = m_graph.op(id);
            m_walk.goTo(nestedPath(op.name), open, close);
            indent();
            out() += "<node id=\"";
            escaped(op.name);
            out() += "\">";
            opFields(
                m_what, id, "time_ns", [this](std::string_view key, std::string_view value) { data(key, value); },
                [this](std::string_view key, std::int64_t value) { data(key, value); });
            out() += "</node>\n";
        }
        m_walk.goTo({}, open, close);
    }

    void edges() {
        const auto begin = [this](OpId from, OpId to) {
            out() += "    <edge source=\"";
            escaped(m_graph.op(from).name);
            out() += "\" target=\"";
            escaped(m_graph.op(to).name);
            out() += "\">";
        };
        forEachEdge(
            m_graph,
            [&](OpId from, std::size_t output, TensorId tensor, OpId to) {
                begin(from, to);
                data("bytes", m_graph.tensorBytes(tensor));
                data("tensor", static_cast<std::int64_t>(output));
                out() += "</edge>\n";
            },
            [&](OpId from, OpId to) {
                begin(from, to);
                data("control", std::string_view("true"));
                out() += "</edge>\n";
            });
    }

    const GraphToWrite& m_what;
    const Graph& m_graph;
    WrittenGraph m_written;
    ScopeWalk m_walk;
    std::size_t m_scopes = 0; ///< opened so far
};

} // namespace

Result<WrittenGraph> writeGraphml(const GraphToWrite& what) { return GraphmlWriter(what).write(); }

} // namespace opscape
