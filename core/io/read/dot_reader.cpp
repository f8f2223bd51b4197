// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/io/read/dot_lexer.h>
#include <opscape/io/read/dot_reader.h>
#include <opscape/io/read/graph_draft.h>
#include <opscape/io/text.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

using Node = GraphDraft::Node;
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// Subgraphs in subgraphs.
constexpr int kDeepest = 64;
/// Of one edge between groups of nodes.
constexpr std::size_t kMostEdgesAtOnce = 10'000'000;
constexpr std::size_t kMostEdges = 100'000'000;
/// A default is copied to every node.
constexpr std::size_t kLongestDefault = 200;
constexpr std::size_t kLongestType = 80;

/// What a node's or an edge's attributes say of its looks.
bool isForDrawing(std::string_view name) {
    static constexpr auto kNames = std::to_array<std::string_view>({"URL",
                                                                    "area",
                                                                    "arrowhead",
                                                                    "arrowsize",
                                                                    "arrowtail",
                                                                    "class",
                                                                    "color",
                                                                    "colorscheme",
                                                                    "comment",
                                                                    "constraint",
                                                                    "decorate",
                                                                    "dir",
                                                                    "distortion",
                                                                    "edgeURL",
                                                                    "edgehref",
                                                                    "edgetarget",
                                                                    "edgetooltip",
                                                                    "fillcolor",
                                                                    "fixedsize",
                                                                    "fontcolor",
                                                                    "fontname",
                                                                    "fontsize",
                                                                    "gradientangle",
                                                                    "group",
                                                                    "headURL",
                                                                    "headclip",
                                                                    "headlabel",
                                                                    "headport",
                                                                    "headtooltip",
                                                                    "height",
                                                                    "href",
                                                                    "id",
                                                                    "image",
                                                                    "imagepos",
                                                                    "imagescale",
                                                                    "label",
                                                                    "labelangle",
                                                                    "labeldistance",
                                                                    "labelfloat",
                                                                    "labelfontcolor",
                                                                    "labelfontname",
                                                                    "labelfontsize",
                                                                    "labelloc",
                                                                    "labeltooltip",
                                                                    "layer",
                                                                    "len",
                                                                    "lhead",
                                                                    "lp",
                                                                    "ltail",
                                                                    "margin",
                                                                    "minlen",
                                                                    "nojustify",
                                                                    "ordering",
                                                                    "orientation",
                                                                    "penwidth",
                                                                    "peripheries",
                                                                    "pin",
                                                                    "pos",
                                                                    "rank",
                                                                    "rects",
                                                                    "regular",
                                                                    "root",
                                                                    "samehead",
                                                                    "sametail",
                                                                    "samplepoints",
                                                                    "shape",
                                                                    "shapefile",
                                                                    "showboxes",
                                                                    "sides",
                                                                    "skew",
                                                                    "sortv",
                                                                    "style",
                                                                    "tailURL",
                                                                    "tailclip",
                                                                    "taillabel",
                                                                    "tailport",
                                                                    "tailtooltip",
                                                                    "target",
                                                                    "tooltip",
                                                                    "vertices",
                                                                    "weight",
                                                                    "width",
                                                                    "xlabel",
                                                                    "xlp",
                                                                    "z"});
    static_assert(std::ranges::is_sorted(kNames));
    return std::ranges::binary_search(kNames, name);
}

/// The first line of a label, without its markup; empty where it only stands for the node's id.
std::string typeFromLabel(std::string_view label) {
    std::string text;
    int tags = 0;
    for (std::size_t i = 0; i < label.size() && text.size() < 4 * kLongestType; ++i) {
        const char c = label[i];
        if (c == '<') {
            if (!text.empty() && tags == 0)
                break;
            ++tags;
        } else if (c == '>') {
            tags = std::max(0, tags - 1);
        } else if (tags > 0 || (text.empty() && c == ' ')) {
            continue;
        } else if (c == '\n' || c == '|' ||
                   (c == '\\' && i + 1 < label.size() &&
                    std::string_view("nlr").find(label[i + 1]) != std::string_view::npos)) {
            if (!text.empty())
                break;
            i += c == '\\' ? 1 : 0;
        } else {
            text += c;
        }
    }
    while (text.ends_with(' '))
        text.pop_back();
    return text == "\\N" ? std::string() : elide(text, kLongestType);
}

class DotReader {
public:
    DotReader(std::string_view bytes, const std::string& origin)
        : m_lexer(bytes),
          m_origin(origin),
          m_draft(stemOf(origin)) {}

    Result<GraphFile> read() {
        if (m_lexer.token().isKeyword("strict"))
            m_lexer.next();
        const bool isDirected = m_lexer.token().isKeyword("digraph");
        if (!isDirected && !m_lexer.token().isKeyword("graph"))
            m_lexer.bad("a DOT file must begin with digraph or graph");
        m_lexer.next();
        if (m_lexer.token().isText()) {
            if (std::string name = m_lexer.take(); !name.empty())
                m_draft.rename(std::move(name));
        }
        Group root;
        body(root, 0);
        // What follows the first graph of a file is not read by Graphviz' tools either.
        if (m_lexer.token().kind != DotToken::Kind::End)
            m_draft.diagnostics().add(Severity::Warning, "further-graph", "Text after the first graph, left out",
                                      elide(m_lexer.token().text, 80));
        if (!isDirected && m_edges > 0)
            m_draft.diagnostics().add(Severity::Warning, "undirected",
                                      "Graphs without directions, whose edges are taken to lead from left to right",
                                      m_origin);
        return std::move(m_draft).finish("dot", m_origin, m_edges);
    }

private:
    /// A subgraph, or all of the file.
    struct Group {
        GraphDraft::Scope scope = GraphDraft::kRoot;
        Attributes nodeDefaults, edgeDefaults;
        std::vector<Node> nodes; ///< mentioned in it; not for the whole file
        bool isRoot = true;
    };
    /// What an edge statement has between its arrows.
    struct End {
        std::size_t begin; ///< in m_ends of the statement
        std::string port;
    };

    void expect(char mark, std::string_view what) {
        if (m_lexer.token().kind == DotToken::Kind::End)
            m_lexer.bad("the file ends before the graph is closed; it seems to be cut off");
        if (!m_lexer.token().is(mark))
            m_lexer.bad(what);
        m_lexer.next();
    }

    void body(Group& group, int depth) {
        if (depth > kDeepest)
            m_lexer.bad(fmt::format("subgraphs are nested more than {} deep", kDeepest));
        expect('{', "a { must follow here");
        while (!m_lexer.token().is('}')) {
            if (m_lexer.token().kind == DotToken::Kind::End)
                m_lexer.bad("the file ends before the graph is closed; it seems to be cut off");
            statement(group, depth);
        }
        m_lexer.next();
    }

    void statement(Group& group, int depth) {
        const DotToken& token = m_lexer.token();
        if (token.is(';') || token.is(',')) {
            m_lexer.next();
        } else if (token.isKeyword("graph") || token.isKeyword("node") || token.isKeyword("edge")) {
            const std::string what = m_lexer.take();
            if (!m_lexer.token().is('['))
                m_lexer.bad(fmt::format("a [ must follow the word {}", what));
            attributes(m_attributes);
            if (what == "graph")
                groupAttributes(group);
            else
                setDefaults(what == "node" ? group.nodeDefaults : group.edgeDefaults);
        } else {
            edgesOrNode(group, depth);
        }
    }

    void edgesOrNode(Group& group, int depth) {
        std::vector<Node> nodes;
        std::vector<End> ends;
        bool isSubgraph = false;
        if (m_lexer.token().isText()) {
            std::string id = m_lexer.take();
            if (m_lexer.token().is('=')) {
                m_lexer.next();
                if (!m_lexer.token().isText())
                    m_lexer.bad("a value must follow the =");
                m_attributes.assign(1, {std::move(id), m_lexer.take()});
                groupAttributes(group);
                return;
            }
            ends.push_back({0, {}});
            mention(group, id, nodes, ends.back());
        } else {
            isSubgraph = true;
            ends.push_back({0, {}});
            subgraph(group, depth, nodes);
        }
        while (m_lexer.token().isEdge()) {
            m_lexer.next();
            ends.push_back({nodes.size(), {}});
            if (m_lexer.token().isText())
                mention(group, m_lexer.take(), nodes, ends.back());
            else
                subgraph(group, depth, nodes);
        }
        attributes(m_attributes);
        if (ends.size() > 1)
            connect(group, nodes, ends);
        else if (!isSubgraph)
            describe(nodes.front(), m_attributes);
    }

    /// A node by its id, which may be followed by a port, as one end of an edge.
    void mention(Group& group, const std::string& id, std::vector<Node>& nodes, End& end) {
        if (m_lexer.token().is(':')) {
            m_lexer.next();
            if (!m_lexer.token().isText())
                m_lexer.bad("a port must follow the :");
            end.port = m_lexer.take();
            if (m_lexer.token().is(':')) { // the side of the node where the edge begins
                m_lexer.next();
                if (!m_lexer.token().isText())
                    m_lexer.bad("a side such as n or se must follow the second :");
                m_lexer.next();
            }
        }
        const std::size_t before = m_draft.nodeCount();
        const Node node = m_draft.node(id);
        if (m_draft.nodeCount() > before) {
            m_hasType.push_back(0);
            describe(node, group.nodeDefaults);
        }
        nodes.push_back(node);
        if (group.isRoot)
            return;
        group.nodes.push_back(node);
        if (group.scope != m_draft.scopeOf(node) && m_draft.isInside(group.scope, m_draft.scopeOf(node)))
            m_draft.moveTo(node, group.scope);
    }

    void subgraph(Group& around, int depth, std::vector<Node>& nodes) {
        Group group{around.scope, around.nodeDefaults, around.edgeDefaults, {}, false};
        if (m_lexer.token().isKeyword("subgraph")) {
            m_lexer.next();
            if (m_lexer.token().isText()) {
                std::string name = m_lexer.take();
                if (name.starts_with("cluster")) {
                    name.erase(0, name.starts_with("cluster_") ? 8 : 7);
                    group.scope = m_draft.addScope(around.scope, std::move(name));
                }
            }
        } else if (!m_lexer.token().is('{')) {
            m_lexer.bad("a node, an edge, a subgraph or an attribute must stand here");
        }
        body(group, depth + 1);
        std::ranges::sort(group.nodes);
        group.nodes.erase(std::unique(group.nodes.begin(), group.nodes.end()), group.nodes.end());
        if (!around.isRoot)
            around.nodes.insert(around.nodes.end(), group.nodes.begin(), group.nodes.end());
        nodes.insert(nodes.end(), group.nodes.begin(), group.nodes.end());
    }

    /// None or several lists in brackets.
    void attributes(Attributes& list) {
        list.clear();
        while (m_lexer.token().is('[')) {
            m_lexer.next();
            while (!m_lexer.token().is(']')) {
                if (!m_lexer.token().isText())
                    expect(']', "a ] or the name of an attribute must stand here");
                std::string name = m_lexer.take();
                std::string value = "true";
                if (m_lexer.token().is('=')) {
                    m_lexer.next();
                    if (!m_lexer.token().isText())
                        m_lexer.bad("a value must follow the =");
                    value = m_lexer.take();
                }
                list.emplace_back(std::move(name), std::move(value));
                if (m_lexer.token().is(',') || m_lexer.token().is(';'))
                    m_lexer.next();
            }
            m_lexer.next();
        }
    }

    void groupAttributes(const Group& group) {
        if (group.scope == GraphDraft::kRoot)
            return;
        for (const auto& [name, value] : m_attributes) {
            if (name != "label")
                continue;
            if (std::string label = typeFromLabel(value); !label.empty())
                m_draft.renameScope(group.scope, std::move(label));
        }
    }

    void setDefaults(Attributes& defaults) {
        for (auto& [name, value] : m_attributes) {
            if (name != "control" && !GraphDraft::isKnownAttribute(name)) {
                if (!isForDrawing(name))
                    m_draft.diagnostics().add(Severity::Info, "default-attribute",
                                              "Default attributes that have no meaning here, left out",
                                              elide(name, 80));
                continue;
            }
            if (value.size() > kLongestDefault)
                m_lexer.bad(fmt::format("the default of {} has more than {} bytes", elide(printable(name), 80),
                                        kLongestDefault));
            const auto it = std::ranges::find(defaults, name, &Attributes::value_type::first);
            if (it != defaults.end())
                it->second = std::move(value);
            else
                defaults.emplace_back(std::move(name), std::move(value));
        }
    }

    void describe(Node node, const Attributes& list) {
        for (const auto& [name, value] : list) {
            if (name == "label") {
                if (m_hasType[node] == 0)
                    m_draft.op(node).type = typeFromLabel(value);
            } else if (!isForDrawing(name)) {
                m_hasType[node] |= name == "type" || name == "op_type" ? 1 : 0;
                m_draft.setAttribute(node, name, value);
            }
        }
    }

    void connect(const Group& group, const std::vector<Node>& nodes, const std::vector<End>& ends) {
        std::int64_t bytes = -1;
        bool isControl = false;
        std::string output;
        const auto read = [&](const Attributes& list) {
            for (const auto& [name, value] : list) {
                if (name == "bytes") {
                    const auto figure = parseFigure(value);
                    if (!figure)
                        m_draft.diagnostics().add(
                            Severity::Warning, "unreadable-figure", "Figures that are not numbers from 0, kept as text",
                            fmt::format("bytes of an edge from {}: {}", m_draft.id(nodes.front()), elide(value, 80)));
                    bytes = figure.value_or(-1);
                } else if (name == "tensor") {
                    output = value;
                } else if (name == "control") {
                    isControl = value == "true" || value == "1";
                } else if (!isForDrawing(name)) {
                    m_draft.diagnostics().add(Severity::Info, "edge-attribute",
                                              "Attributes of edges that have no meaning here, left out",
                                              elide(name, 80));
                }
            }
        };
        read(group.edgeDefaults);
        read(m_attributes);
        const auto endOf = [&](std::size_t i) { return i + 1 < ends.size() ? ends[i + 1].begin : nodes.size(); };
        for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
            const std::size_t from = endOf(i) - ends[i].begin, to = endOf(i + 1) - ends[i + 1].begin;
            if (from * to > kMostEdgesAtOnce || m_edges + from * to > kMostEdges)
                m_lexer.bad(fmt::format("an edge between groups of {} and {} nodes makes too many edges", from, to));
            m_edges += from * to;
            const GraphDraft::Output name = m_draft.output(output.empty() ? ends[i].port : output);
            for (std::size_t a = ends[i].begin; a < endOf(i); ++a) {
                for (std::size_t b = ends[i + 1].begin; b < endOf(i + 1); ++b)
                    isControl ? m_draft.control(nodes[a], nodes[b]) : m_draft.edge(nodes[a], nodes[b], name, bytes);
            }
        }
    }

    DotLexer m_lexer;
    const std::string& m_origin;
    GraphDraft m_draft;
    Attributes m_attributes;             ///< of the statement at hand
    std::vector<std::uint8_t> m_hasType; ///< by node: its type was given and does not follow from a label
    std::size_t m_edges = 0;
};

} // namespace

bool isDot(std::string_view bytes) {
    constexpr std::size_t kNear = 65536;
    try {
        DotLexer lexer(bytes.substr(0, kNear));
        if (lexer.token().isKeyword("strict"))
            lexer.next();
        if (!lexer.token().isKeyword("digraph") && !lexer.token().isKeyword("graph"))
            return false;
        lexer.next();
        if (lexer.token().isText())
            lexer.next();
        return lexer.token().is('{');
    } catch (const DotError&) {
        return false;
    }
}

Result<GraphFile> readDot(std::string_view bytes, const std::string& origin) {
    try {
        return DotReader(bytes, origin).read();
    } catch (const DotError& error) {
        return fail("{}: {}.", origin, error.what());
    }
}

} // namespace opscape
