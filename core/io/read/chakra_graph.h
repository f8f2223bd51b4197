// SPDX-License-Identifier: MIT
// What the two forms of a Chakra execution trace have in common: nodes with ids, what they wait for, how long they
// took.
#pragma once

#include <opscape/io/read/graph_draft.h>

namespace opscape {

struct ChakraNode {
    std::uint64_t id = 0;
    std::string name;
    std::string type; ///< "COMM_COLL_NODE"; empty where the trace does not say
    std::vector<std::uint64_t> control, data;
    std::int64_t durationUs = -1; ///< negative: not measured
    std::int64_t outputBytes = -1;
    std::string device; ///< "cpu" or "gpu"; empty where the trace does not say
    std::vector<Attribute> attributes;
};

/// "COMP_NODE" of 4; a number that has no name is written out.
[[nodiscard]] std::string chakraNodeType(std::uint64_t number);
/// Bytes of all tensors in a nested list of PyTorch's records [tensor, storage, offset, elements, bytes of one,
/// 'device']; negative where there is none.
[[nodiscard]] std::int64_t chakraTensorBytes(std::string_view list);
/// What kind of op a node is, by its name: "aten::copy_" of "aten::copy_(3)", "at::native::vectorized_kernel" of a
/// kernel with its template arguments and parameters.
[[nodiscard]] std::string chakraOpType(std::string_view name);

class ChakraGraph {
public:
    explicit ChakraGraph(const std::string& origin);

    void reserve(std::size_t nodes) { m_draft.reserve(nodes); }
    /// False where there is a node of that id already.
    bool add(ChakraNode node);
    void edge(std::uint64_t from, std::uint64_t to, std::int64_t bytes);
    [[nodiscard]] Diagnostics& diagnostics() { return m_draft.diagnostics(); }
    [[nodiscard]] Result<GraphFile> finish(std::string format) &&;

private:
    struct Dependency {
        std::uint64_t on;
        GraphDraft::Node node;
        bool isControl;
    };

    [[nodiscard]] std::optional<GraphDraft::Node> nodeOf(std::uint64_t id) const;
    void addControl(const std::vector<std::pair<GraphDraft::Node, GraphDraft::Node>>& control);

    const std::string& m_origin;
    GraphDraft m_draft;
    std::vector<Dependency> m_dependencies;
};

} // namespace opscape
