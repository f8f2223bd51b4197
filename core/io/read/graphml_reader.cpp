// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>
#include <opscape/io/read/graph_draft.h>
#include <opscape/io/read/graphml_reader.h>
#include <opscape/io/read/xml_events.h>
#include <opscape/io/text.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace opscape {
namespace {

using Node = GraphDraft::Node;

/// A default is copied to every node.
constexpr std::size_t kLongestDefault = 200;
constexpr std::size_t kLongestType = 80;

class GraphmlReader : public XmlHandler {
public:
    explicit GraphmlReader(const std::string& origin) : m_origin(origin), m_draft(stemOf(origin)) {}

    void start(std::string_view name, const XmlAttributes& attributes) override {
        if (m_depth++ == 0 && name != "graphml")
            throw XmlError(fmt::format("the outermost element is {}, not graphml", elide(name, 80)));
        m_text.clear();
        if (m_unknown > 0 || m_inData) {
            ++m_unknown; // a tool's own elements; only the texts of their labels are of use
        } else if (name == "key") {
            addKey(attributes);
        } else if (name == "graph") {
            startGraph(attributes);
        } else if (name == "node") {
            needGraph(name);
            flushNode();
            m_open.push_back({std::string(attributes.at("id")), {}, {}, false});
        } else if (name == "edge") {
            needGraph(name);
            flushNode();
            startEdge(attributes);
        } else if (name == "data") {
            m_dataKey = attributes.at("key");
            m_inData = true;
        } else if (name == "hyperedge") {
            m_draft.diagnostics().add(Severity::Warning, "hyperedge", "Hyperedges, left out",
                                      fmt::format("line {}", line));
            ++m_unknown;
        } else if (name != "graphml" && name != "default" && name != "desc" && name != "port") {
            ++m_unknown;
        }
    }

    void end(std::string_view name) override {
        --m_depth;
        if (m_unknown > 0) {
            --m_unknown;
            if (name == "NodeLabel" && m_inData && !m_inEdge && !m_open.empty())
                m_open.back().label = m_text;
            m_text.clear();
        } else if (name == "data") {
            m_inData = false;
            data();
        } else if (name == "default") {
            keyDefault();
        } else if (name == "key") {
            m_lastKey = nullptr;
        } else if (name == "node") {
            flushNode();
            m_open.pop_back();
        } else if (name == "edge") {
            endEdge();
        } else if (name == "graph") {
            m_scopes.pop_back();
        }
    }

    void text(std::string_view piece) override {
        if (m_inData || m_lastKey != nullptr)
            m_text += piece;
    }

    Result<GraphFile> finish() && {
        for (Node node = 0; node < m_namedAt.size(); ++node) {
            if (m_namedAt[node] == 0)
                continue;
            const auto group = m_groups.find(std::string(m_draft.id(node)));
            if (group == m_groups.end())
                return fail("{}: line {}: the edge names the node \"{}\", which is not in the file.", m_origin,
                            m_namedAt[node], elide(m_draft.id(node), 120));
            m_draft.moveTo(node, group->second);
        }
        if (m_undirected > 0)
            m_draft.diagnostics().add(Severity::Warning, "undirected",
                                      "Graphs without directions, whose edges are taken to lead from source to target",
                                      m_origin);
        return std::move(m_draft).finish("graphml", m_origin, m_edges);
    }

private:
    struct Key {
        std::string name, defaultValue;
        bool ofNode = true, ofEdge = true;
    };
    /// A node whose end has not come; it is entered when that comes, or is a scope when a graph comes.
    struct OpenNode {
        std::string id, label;
        std::vector<std::pair<std::string, std::string>> attributes;
        bool isDone = false; ///< entered, or a scope
    };
    struct OpenEdge {
        Node from = 0, to = 0;
        std::string output;
        std::int64_t bytes = -1;
        bool isControl = false;
    };

    void addKey(const XmlAttributes& attributes) {
        Key key;
        const std::string id(attributes.at("id"));
        key.name = attributes.find("attr.name").value_or(id);
        const std::string_view of = attributes.find("for").value_or("all");
        key.ofNode = of == "node" || of == "all";
        key.ofEdge = of == "edge" || of == "all";
        m_lastKey = &(m_keys[id] = std::move(key));
    }

    void keyDefault() {
        if (m_lastKey == nullptr || !GraphDraft::isKnownAttribute(m_lastKey->name))
            return;
        if (m_text.size() > kLongestDefault)
            throw XmlError(
                fmt::format("the default of {} has more than {} bytes", elide(m_lastKey->name, 80), kLongestDefault));
        m_lastKey->defaultValue = m_text;
    }

    void needGraph(std::string_view what) const {
        if (m_scopes.empty())
            throw XmlError(fmt::format("a{} {} must stand in a graph", what == "edge" ? "n" : "", what));
    }

    void startGraph(const XmlAttributes& attributes) {
        m_isDirected = attributes.find("edgedefault").value_or("directed") != "undirected";
        if (m_open.empty() || m_open.back().isDone) {
            if (m_draft.nodeCount() == 0 && m_scopes.empty()) {
                if (const auto id = attributes.find("id"); id && !id->empty())
                    m_draft.rename(std::string(*id));
            }
            m_scopes.push_back(m_scopes.empty() ? GraphDraft::kRoot : m_scopes.back());
            return;
        }
        OpenNode& node = m_open.back();
        node.isDone = true;
        const bool isLabelled = !node.label.empty() && node.id.find('/') == std::string::npos;
        for (const auto& [name, value] : node.attributes)
            m_draft.diagnostics().add(Severity::Info, "group-attribute", "Attributes of groups, left out",
                                      fmt::format("{} of {}", elide(name, 80), elide(node.id, 80)));
        m_groups[node.id] = m_scopes.back();
        m_scopes.push_back(m_draft.addScope(m_scopes.back(), isLabelled ? node.label : node.id));
    }

    /// The node at hand becomes an op, now that nothing can follow that makes it a scope, or at its end.
    void flushNode() {
        if (m_open.empty() || m_open.back().isDone)
            return;
        OpenNode& open = m_open.back();
        open.isDone = true;
        const Node node = m_draft.node(open.id);
        if (node < m_namedAt.size() && m_namedAt[node] == 0)
            throw XmlError(
                fmt::format("there is a node \"{}\" already; each must have an id of its own", elide(open.id, 120)));
        m_namedAt.resize(m_draft.nodeCount(), 0);
        m_namedAt[node] = 0;
        m_draft.moveTo(node, m_scopes.back());
        for (const auto& [id, key] : m_keys) {
            if (key.ofNode && !key.defaultValue.empty())
                m_draft.setAttribute(node, key.name, key.defaultValue);
        }
        for (const auto& [name, value] : open.attributes)
            m_draft.setAttribute(node, name, value);
        if (Op& op = m_draft.op(node); op.type.empty())
            op.type = elide(std::string_view(open.label).substr(0, open.label.find('\n')), kLongestType);
    }

    Node endpoint(std::string_view id) {
        const Node node = m_draft.node(id);
        if (node >= m_namedAt.size())
            m_namedAt.push_back(static_cast<std::uint32_t>(line));
        return node;
    }

    void startEdge(const XmlAttributes& attributes) {
        m_inEdge = true;
        m_edge = {};
        m_edge.from = endpoint(attributes.at("source"));
        m_edge.to = endpoint(attributes.at("target"));
        m_edge.output = attributes.find("sourceport").value_or("");
        const auto directed = attributes.find("directed");
        m_undirected += (directed ? *directed == "true" : m_isDirected) ? 0 : 1;
        for (const auto& [id, key] : m_keys) {
            if (key.ofEdge && !key.ofNode && key.name == "bytes" && !key.defaultValue.empty())
                m_edge.bytes = parseFigure(key.defaultValue).value_or(-1);
        }
    }

    void endEdge() {
        m_inEdge = false;
        ++m_edges;
        if (m_edge.isControl)
            m_draft.control(m_edge.from, m_edge.to);
        else
            m_draft.edge(m_edge.from, m_edge.to, m_draft.output(m_edge.output), m_edge.bytes);
    }

    void data() {
        const auto key = m_keys.find(m_dataKey);
        if (key == m_keys.end())
            throw XmlError(fmt::format("the key \"{}\" is not declared", elide(m_dataKey, 80)));
        const std::string& name = key->second.name;
        if (m_inEdge) {
            edgeData(name);
        } else if (!m_open.empty() && !m_open.back().isDone) {
            if (name == "label")
                m_open.back().label = m_text;
            else if (!m_text.empty())
                m_open.back().attributes.emplace_back(name, m_text);
        }
        m_text.clear();
    }

    void edgeData(const std::string& name) {
        if (name == "bytes") {
            const auto figure = parseFigure(m_text);
            if (!figure)
                m_draft.diagnostics().add(Severity::Warning, "unreadable-figure",
                                          "Figures that are not numbers from 0, kept as text",
                                          fmt::format("line {}: bytes: {}", line, elide(m_text, 80)));
            m_edge.bytes = figure.value_or(-1);
        } else if (name == "tensor") {
            m_edge.output = m_text;
        } else if (name == "control") {
            m_edge.isControl = m_text == "true" || m_text == "1";
        } else if (!m_text.empty()) {
            m_draft.diagnostics().add(Severity::Info, "edge-attribute",
                                      "Attributes of edges that have no meaning here, left out", elide(name, 80));
        }
    }

    const std::string& m_origin;
    GraphDraft m_draft;
    std::map<std::string, Key> m_keys;
    Key* m_lastKey = nullptr;                ///< the one that is open
    std::vector<GraphDraft::Scope> m_scopes; ///< of the graphs that are open
    std::vector<OpenNode> m_open;
    std::unordered_map<std::string, GraphDraft::Scope> m_groups; ///< by id: what is around it
    std::vector<std::uint32_t> m_namedAt; ///< by node: the line of the first edge that names it; 0 once it came itself
    std::string m_text, m_dataKey;
    OpenEdge m_edge;
    std::size_t m_edges = 0, m_undirected = 0;
    int m_depth = 0, m_unknown = 0; ///< elements that are open; those of them that are not GraphML's own
    bool m_inData = false, m_inEdge = false, m_isDirected = true;
};

} // namespace

bool isGraphml(std::string_view bytes) {
    constexpr std::size_t kNear = 8192;
    bytes = bytes.substr(0, kNear);
    const std::size_t begin = bytes.find_first_not_of(" \t\r\n\xef\xbb\xbf"); // also skips a byte order mark
    return begin != std::string_view::npos && bytes[begin] == '<' && bytes.find("<graphml") != std::string_view::npos;
}

Result<GraphFile> readGraphml(std::string_view bytes, const std::string& origin) {
    GraphmlReader reader(origin);
    if (auto parsed = parseXml(bytes, origin, reader); !parsed)
        return fail(std::move(parsed.error()));
    return std::move(reader).finish();
}

} // namespace opscape
