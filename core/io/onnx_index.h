// SPDX-License-Identifier: MIT
// The names of an ONNX graph resolved: which node writes a value and which read it, and what of it all depends on
// constants alone. Holds views into the graph, which must outlive it.
#pragma once

#include <opscape/base/ids.h>
#include <opscape/base/result.h>
#include <opscape/graph/types.h>

#include <onnx/onnx_pb.h>

#include <unordered_map>
#include <vector>

namespace opscape {

inline constexpr int kNone = -1;

struct OnnxValue {
    std::string_view name;
    int producer = kNone;                           ///< node
    const onnx::TensorProto* initializer = nullptr; ///< of a weight or constant in the file
    const onnx::SparseTensorProto* sparse = nullptr;
    bool isInput = false;     ///< of the graph, fed from outside
    bool isOutput = false;    ///< of the graph
    bool isConstant = false;  ///< an initializer, or computed from constants alone
    std::vector<int> readers; ///< nodes, ascending, once per input slot

    [[nodiscard]] bool isInitializer() const { return initializer != nullptr || sparse != nullptr; }
};

struct OnnxNode {
    const onnx::NodeProto* proto = nullptr;
    std::vector<int> inputs;  ///< values, kNone for an omitted one; after them what its subgraphs read
    std::vector<int> outputs; ///< values; omitted ones are left out
    bool isConstant = false;  ///< computed from constants alone
};

class OnnxIndex {
public:
    /// Fails when two things have one name.
    [[nodiscard]] static Result<OnnxIndex> make(const onnx::GraphProto& graph, const std::string& origin);

    [[nodiscard]] const std::vector<OnnxNode>& nodes() const { return m_nodes; }
    [[nodiscard]] const std::vector<OnnxValue>& values() const { return m_values; }
    [[nodiscard]] const OnnxValue& value(int index) const { return m_values[static_cast<std::size_t>(index)]; }
    /// kNone where nothing has the name.
    [[nodiscard]] int find(std::string_view name) const;
    [[nodiscard]] std::size_t constantNodes() const;
    /// Distinct pairs of a value that a node writes and a node that reads it.
    [[nodiscard]] std::size_t edges() const;

private:
    OnnxIndex() = default;
    OnnxValue& at(int index) { return m_values[static_cast<std::size_t>(index)]; }
    int indexOf(std::string_view name);
    Result<> declare(std::string_view name, std::string_view what, const std::string& origin);
    Result<> addResidents(const onnx::GraphProto& graph, const std::string& origin);
    Result<> addNodes(const onnx::GraphProto& graph, const std::string& origin);
    void connect();
    void markConstants();

    std::vector<OnnxNode> m_nodes;
    std::vector<OnnxValue> m_values;
    std::unordered_map<std::string_view, int> m_byName;
};

/// The node's name, else its first output's; may be empty.
[[nodiscard]] std::string nameOf(const onnx::NodeProto& node);
/// "pool1 (MaxPool)"
[[nodiscard]] std::string describe(const onnx::NodeProto& node);
/// Null where the node has none of that name.
[[nodiscard]] const onnx::AttributeProto* attributeOf(const onnx::NodeProto& node, std::string_view name);
/// Names from outside that the subgraphs of a node (the branches of If, the bodies of Loop and Scan) read; each once.
[[nodiscard]] std::vector<std::string_view> capturedNames(const onnx::NodeProto& node);
[[nodiscard]] bool hasSubgraph(const onnx::NodeProto& node);

} // namespace opscape
