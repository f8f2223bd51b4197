// SPDX-License-Identifier: MIT
// A graph while a file is read whose nodes have ids and whose edges name two of them: DOT, GraphML, Model Explorer,
// Chakra. Nodes come in any order, are named before they are described, and lie in scopes; edges are kept in a few
// bytes each until all is known. finish() makes the tensors: the edges of one node that name the same output, or that
// name none and carry the same number of bytes, are the reads of one tensor.
#pragma once

#include <opscape/graph/graph_builder.h>
#include <opscape/io/format.h>
#include <opscape/io/read/id_table.h>

namespace opscape {

/// "cpu" where the name of a device says so, else "gpu": the type of device that a time without one is of.
[[nodiscard]] std::string deviceTypeOf(std::string_view device);
/// "encoder/layer_0/fc" of fc in encoder/layer_0. A name that begins with its scope stays as it is.
[[nodiscard]] std::string nameInScope(std::string_view scope, std::string_view name);
/// A whole number that is not negative, or a real one, rounded; none where the text is neither or does not fit.
[[nodiscard]] std::optional<std::int64_t> parseFigure(std::string_view text);

class GraphDraft {
public:
    using Node = std::uint32_t;
    using Output = std::uint32_t; ///< which of a node's outputs: a name that files use, "0", "out", or none
    using Scope = std::uint32_t;

    static constexpr Output kUnnamed = 0;
    static constexpr Scope kRoot = 0;

    explicit GraphDraft(std::string name) : m_builder(std::move(name)) {}

    /// Before the first node.
    void rename(std::string name) { m_builder = GraphBuilder(std::move(name)); }
    void reserve(std::size_t nodes) { m_builder.reserve(nodes, nodes); }

    /// The node of an id, made where it is not there yet; its op takes the id as name.
    Node node(std::string_view id);
    [[nodiscard]] std::optional<Node> find(std::string_view id) const { return m_ids.find(id); }
    [[nodiscard]] std::string_view id(Node node) const { return m_ids.text(node); }
    [[nodiscard]] std::size_t nodeCount() const { return m_builder.opCount(); }
    [[nodiscard]] Op& op(Node node) { return m_builder.op(OpId(node)); }

    /// A scope in another. A name that begins with the path of what is around it is the whole path.
    Scope addScope(Scope around, std::string name);
    void renameScope(Scope scope, std::string name) { m_scopes[scope].name = std::move(name); }
    [[nodiscard]] bool isInside(Scope inner, Scope outer) const;
    [[nodiscard]] Scope scopeOf(Node node) const { return m_scopeOf[node]; }
    void moveTo(Node node, Scope scope) { m_scopeOf[node] = scope; }

    /// What text attributes say: type, device, time_ns (also cost and time), flops, bytes (of the node's outputs),
    /// bytes_moved, workspace_bytes, phase and colocation become the op's, any other is kept as its attribute, as a
    /// number where it is one. A figure that cannot be read is kept as text and counted.
    void setAttribute(Node node, std::string_view name, std::string_view value);
    /// Whether setAttribute() makes it more than an attribute.
    [[nodiscard]] static bool isKnownAttribute(std::string_view name);
    /// Kept as it is, a long text shortened; the last of one name counts.
    void keepAttribute(Node node, std::string_view name, AttributeValue value);

    /// Of each output that neither its description nor an edge gives a size.
    void setOutputBytes(Node node, std::int64_t bytes);

    Output output(std::string_view name) { return m_outputs.add(name); }
    /// Describes an output, whether or not an edge reads it.
    void describe(Node node, Output output, Tensor tensor);
    /// `bytes` negative: as described, else as setOutputBytes() says, else unknown.
    void edge(Node from, Node to, Output output = kUnnamed, std::int64_t bytes = -1);
    void control(Node from, Node to) { m_builder.addControl(OpId(from), OpId(to)); }
    [[nodiscard]] std::size_t edgeCount() const { return m_edges.size(); }
    /// Where each of them begins and ends.
    [[nodiscard]] std::vector<std::pair<Node, Node>> edgeEnds() const;

    [[nodiscard]] Diagnostics& diagnostics() { return m_file.diagnostics; }
    /// `fileEdges`: where not every edge of the file is one of edge().
    [[nodiscard]] Result<GraphFile> finish(std::string format, const std::string& origin,
                                           std::optional<std::size_t> fileEdges = std::nullopt) &&;

private:
    struct Edge {
        Node from, to;
        Output output;
        std::int64_t bytes;
    };
    struct Described {
        Node node;
        Output output;
        TensorId tensor;
    };
    struct NamedScope {
        Scope around; ///< came before it
        std::string name;
    };

    [[nodiscard]] TensorId describedTensor(Node node, Output output) const;
    [[nodiscard]] std::vector<std::string> scopePaths();
    void nameOps();
    void makeTensors();

    GraphBuilder m_builder;
    GraphFile m_file;
    IdTable m_ids, m_outputs = [] {
        IdTable table;
        table.add({}); // kUnnamed
        return table;
    }();
    std::vector<Scope> m_scopeOf;
    std::vector<NamedScope> m_scopes{{kRoot, {}}};
    std::vector<Edge> m_edges;
    std::vector<Described> m_described;      ///< sorted by node and output once all is read
    std::vector<std::int64_t> m_outputBytes; ///< by node, as far as any gives it
};

} // namespace opscape
