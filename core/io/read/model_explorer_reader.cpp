// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>
#include <opscape/io/json_document.h>
#include <opscape/io/read/graph_draft.h>
#include <opscape/io/read/model_explorer_reader.h>
#include <opscape/io/read/tensor_text.h>
#include <opscape/io/text.h>

namespace opscape {
namespace {

using Kind = JsonValue::Kind;
using Node = GraphDraft::Node;

/// Text, or a number as text: ids are written either way.
std::string textOf(JsonValue json) {
    return json.is(Kind::Integer) ? fmt::format("{}", json.integer()) : std::string(json.text());
}

class ModelExplorerReader {
public:
    explicit ModelExplorerReader(const std::string& origin) : m_origin(origin), m_draft(stemOf(origin)) {}

    void read(JsonValue root) {
        collect(root);
        if (m_graphs.empty())
            root.bad("holds no graph: a list of \"graphs\", each with \"nodes\", must be there");
        if (const auto label = root.is(Kind::Object) ? root.find("label") : std::nullopt;
            label && label->is(Kind::Text))
            m_draft.rename(std::string(label->text()));
        std::size_t nodes = 0;
        for (const JsonValue graph : m_graphs)
            nodes += graph.at("nodes").size();
        m_draft.reserve(nodes);
        for (const JsonValue graph : m_graphs) {
            m_prefix = m_graphs.size() > 1 ? textOf(graph.at("id")) : std::string();
            for (const JsonValue node : graph.at("nodes").items())
                addNode(node);
            if (const auto groups = graph.find("groupNodeAttributes"))
                note("group-attributes", "Attributes of groups, left out", groups->place());
        }
        for (const JsonValue graph : m_graphs) { // edges come before the nodes they begin at
            m_prefix = m_graphs.size() > 1 ? textOf(graph.at("id")) : std::string();
            for (const JsonValue node : graph.at("nodes").items())
                addEdges(node);
        }
    }

    Result<GraphFile> finish() && { return std::move(m_draft).finish("model-explorer", m_origin, m_edges); }

private:
    /// The graphs of a collection, of a list of them, of a list of graphs, or the one that stands alone.
    void collect(JsonValue json) {
        if (json.is(Kind::List)) {
            for (const JsonValue item : json.items())
                collect(item);
            return;
        }
        const auto graphs = json.find("graphs"), subgraphs = json.find("subgraphs");
        if (!graphs && !subgraphs) {
            if (json.find("nodes"))
                m_graphs.push_back(json);
            return;
        }
        for (const JsonValue graph : (graphs ? *graphs : *subgraphs).items())
            m_graphs.push_back(graph);
    }

    void note(std::string_view code, std::string_view summary, std::string example) {
        m_draft.diagnostics().add(Severity::Info, code, summary, std::move(example));
    }

    [[nodiscard]] std::string idOf(JsonValue json) const { return nameInScope(m_prefix, textOf(json)); }

    GraphDraft::Scope scopeOf(std::string_view path) {
        while (path.ends_with('/') || path.ends_with(';'))
            path.remove_suffix(1);
        if (path.empty() && m_prefix.empty())
            return GraphDraft::kRoot;
        const std::uint32_t number = m_scopeNames.add(path.empty() ? m_prefix : nameInScope(m_prefix, path));
        if (number == m_scopes.size())
            m_scopes.push_back(m_draft.addScope(GraphDraft::kRoot, std::string(m_scopeNames.text(number))));
        return m_scopes[number];
    }

    void addNode(JsonValue json) {
        const JsonValue idValue = json.at("id");
        const std::string id = idOf(idValue);
        const std::size_t before = m_draft.nodeCount();
        const Node node = m_draft.node(id);
        if (m_draft.nodeCount() == before)
            idValue.bad(fmt::format("is {}, which another node has already", elide(id, 120)));
        m_draft.op(node).name = textOf(idValue);
        m_draft.moveTo(node, scopeOf({}));
        std::string label;
        for (const auto [key, value] : json.members()) {
            if (key == "label")
                label = textOf(value);
            else if (key == "namespace")
                m_draft.moveTo(node, scopeOf(value.text()));
            else if (key == "subgraphIds")
                note("subgraph-ids", "Nodes that stand for a graph, which is read beside them", id);
            else if (key == "attrs")
                addAttributes(node, value);
            else if (key == "outputsMetadata")
                addOutputs(node, value);
        }
        Op& op = m_draft.op(node);
        const bool labelIsName = op.name == label || op.name.ends_with("/" + label);
        if (op.type.empty() && !labelIsName)
            op.type = std::move(label);
    }

    void addAttributes(Node node, JsonValue list) {
        for (const JsonValue entry : list.items()) {
            const JsonValue value = entry.at("value");
            const std::string_view key = entry.at("key").text();
            if (value.is(Kind::Text) || value.is(Kind::Integer))
                m_draft.setAttribute(node, key, textOf(value));
            else if (value.is(Kind::Real))
                m_draft.keepAttribute(node, key, value.real());
            else
                note("attribute-not-text", "Attributes that are neither text nor number, left out", value.place());
        }
    }

    void addOutputs(Node node, JsonValue list) {
        std::int64_t number = 0;
        for (const JsonValue output : list.items()) {
            const auto id = output.find("id");
            Tensor tensor;
            for (const JsonValue entry : output.at("attrs").items()) {
                const std::string_view key = entry.at("key").text();
                const std::string value = textOf(entry.at("value"));
                if (key == "tensor_shape" || key == "shape")
                    parseTensorText(value, tensor);
                else if (key == "tensor_name" || key == "name")
                    tensor.name = value;
                else if (key == "bytes")
                    tensor.bytes = parseFigure(value).value_or(-1);
                else
                    note("output-attribute", "Attributes of outputs that have no meaning here, left out",
                         std::string(key));
            }
            const std::string name = id ? textOf(*id) : fmt::format("{}", number);
            if (tensor.name.empty())
                tensor.name = fmt::format("{}:{}", m_draft.id(node), name);
            m_draft.describe(node, m_draft.output(name), std::move(tensor));
            ++number;
        }
    }

    void addEdges(JsonValue json) {
        const auto edges = json.find("incomingEdges");
        if (!edges)
            return;
        const Node to = *m_draft.find(idOf(json.at("id")));
        for (const JsonValue edge : edges->items()) {
            const JsonValue source = edge.at("sourceNodeId");
            const auto from = m_draft.find(idOf(source));
            if (!from) {
                m_draft.diagnostics().add(Severity::Warning, "dangling-edge",
                                          "Edges from nodes that are not in the file, left out",
                                          fmt::format("{}: {}", source.place(), elide(textOf(source), 120)));
                continue;
            }
            const auto output = edge.find("sourceNodeOutputId");
            const std::string name = output ? textOf(*output) : "0";
            if (name == "control")
                m_draft.control(*from, to);
            else
                m_draft.edge(*from, to, m_draft.output(name));
            ++m_edges;
        }
    }

    const std::string& m_origin;
    GraphDraft m_draft;
    std::vector<JsonValue> m_graphs;
    std::string m_prefix; ///< of the graph at hand
    std::size_t m_edges = 0;
    IdTable m_scopeNames;
    std::vector<GraphDraft::Scope> m_scopes; ///< by number of their name
};

} // namespace

bool looksLikeModelExplorer(std::string_view bytes) {
    constexpr std::size_t kNear = 65536;
    bytes = bytes.substr(0, kNear);
    const char start = jsonStart(bytes);
    const auto has = [&](std::string_view key) { return bytes.find(key) != std::string_view::npos; };
    return (start == '{' || start == '[') && has("\"nodes\"") && (has("\"namespace\"") || has("\"incomingEdges\""));
}

Result<GraphFile> readModelExplorer(FileText text, const std::string& origin) {
    return readJsonBy(ModelExplorerReader(origin), std::move(text), origin);
}

} // namespace opscape
