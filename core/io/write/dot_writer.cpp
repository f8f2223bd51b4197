// SPDX-License-Identifier: MIT
// In a quoted string of DOT a backslash stands for itself but before a quote, and two of them stay two: an odd number
// of backslashes before a quote or at the end cannot be said, so that one more is written and counted.
#include <opscape/base/text.h>
#include <opscape/io/write/dot_writer.h>
#include <opscape/io/write/op_fields.h>
#include <opscape/io/write/scope_path.h>

#include <iterator>

namespace opscape {
namespace {

class DotWriter {
public:
    explicit DotWriter(const GraphToWrite& what) : m_what(what), m_graph(what.graph) {}

    WrittenGraph write() {
        out() += "digraph ";
        quoted(m_graph.name());
        out() += " {\n";
        nodes();
        edges();
        out() += "}\n";
        countLosses(m_graph, kFieldParts, m_written.lost);
        countTimes(m_what, m_written.lost);
        return std::move(m_written);
    }

private:
    std::string& out() { return m_written.bytes; }
    void indent() { out().append(2 * (m_walk.depth() + 1), ' '); }

    void quoted(std::string_view text) {
        const std::string sound = toUtf8(text);
        out() += '"';
        for (const char c : sound) {
            if (c == '"' || c == '\\')
                out() += '\\';
            out() += c == '\0' ? ' ' : c;
        }
        out() += '"';
        if (sound.find('\0') != std::string::npos)
            m_written.lost.add(Severity::Warning, "text-changed", "Texts with a NUL, written with a blank in its place",
                               printable(sound));
    }

    static bool isPlainLabel(std::string_view label) {
        constexpr std::size_t kLongest = 80;
        return !label.empty() && label.size() <= kLongest && !label.starts_with(' ') && !label.ends_with(' ') &&
               label.find_first_of("<>|\\\n") == std::string_view::npos;
    }

    void nodes() {
        const auto open = [this](std::string_view path) {
            out().append(2 * m_walk.depth(), ' ');
            out() += "subgraph ";
            quoted(fmt::format("cluster_{}", path));
            out() += " {\n";
            if (!isPlainLabel(leafName(path)))
                return;
            indent();
            out() += "label=";
            quoted(leafName(path));
            out() += ";\n";
        };
        const auto close = [this] {
            out().append(2 * m_walk.depth(), ' ');
            out() += "}\n";
        };
        for (const OpId id : opsByScope(m_graph)) {
            const Op& op = m_graph.op(id);
            m_walk.goTo(nestedPath(op.name), open, close);
            indent();
            quoted(op.name);
            out() += " [label=";
            quoted(leafName(op.name));
            opFields(
                m_what, id, "cost",
                [this](std::string_view key, std::string_view value) {
                    fmt::format_to(std::back_inserter(out()), ", {}=", key);
                    quoted(value);
                },
                [this](std::string_view key, std::int64_t value) {
                    fmt::format_to(std::back_inserter(out()), ", {}={}", key, value);
                });
            out() += "];\n";
        }
        m_walk.goTo({}, open, close);
    }

    void edges() {
        const auto ends = [this](OpId from, OpId to) {
            out() += "  ";
            quoted(m_graph.op(from).name);
            out() += " -> ";
            quoted(m_graph.op(to).name);
        };
        forEachEdge(
            m_graph,
            [&](OpId from, std::size_t output, TensorId tensor, OpId to) {
                ends(from, to);
                fmt::format_to(std::back_inserter(out()), " [bytes={}, tensor={}];\n", m_graph.tensorBytes(tensor),
                               output);
            },
            [&](OpId from, OpId to) {
                ends(from, to);
                out() += " [control=true, style=dashed];\n";
            });
    }

    const GraphToWrite& m_what;
    const Graph& m_graph;
    WrittenGraph m_written;
    ScopeWalk m_walk;
};

} // namespace

Result<WrittenGraph> writeDot(const GraphToWrite& what) { return DotWriter(what).write(); }

} // namespace opscape
