// SPDX-License-Identifier: MIT
// The nodes of a TensorFlow graph with the functions of its library put in the place of their calls, and names of
// inputs led to the node that writes them, through calls and arguments. Holds views into the messages, which must
// outlive it. Included by the TensorFlow reader's own files only.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/base/result.h>
#include <opscape/io/tensorflow/tensorflow_values.h>

#include <memory>
#include <optional>
#include <unordered_map>

namespace opscape {

/// Calls inside of calls are replaced up to this depth, and up to this many nodes and bytes in all.
inline constexpr int kDeepestCall = 32;
inline constexpr std::size_t kMostInlinedNodes = 1'000'000;
inline constexpr std::size_t kMostInlinedBytes = std::size_t{1} << 28;

/// "name", "name:1", "name:output:1" or "^name".
struct TfReference {
    std::string_view name;
    std::string_view output; ///< what follows the first colon
    bool isControl = false;
};
[[nodiscard]] TfReference parseReference(std::string_view text);

struct TfNode {
    const tensorflow::NodeDef* def = nullptr;
    int scope = 0;
    int body = -1; ///< the scope that the node's call opens; -1: it is no call
};

/// The graph itself, or the body of one call.
struct TfScope {
    std::string prefix; ///< of names
    int parent = -1;
    int call = -1; ///< node
    const tensorflow::FunctionDef* function = nullptr;
    const TfAttributes* arguments = nullptr; ///< attributes of the call
    std::unique_ptr<TfAttributes> ownArguments;
    std::unordered_map<std::string_view, int> nodes;
    std::unordered_map<std::string_view, int> inputs; ///< argument to its first input of the call
};

/// Who writes a value.
struct TfSource {
    static constexpr int kNobody = -1;
    int node = kNobody;
    std::size_t port = 0; ///< which of its outputs
    friend auto operator<=>(const TfSource&, const TfSource&) = default;
};

class TfProgram {
public:
    /// Fails when two nodes have one name.
    [[nodiscard]] static Result<TfProgram> make(const tensorflow::GraphDef& graph, const tensorflow::OpList& ops,
                                                const std::string& origin, Diagnostics& diagnostics);

    /// In the order of the file, the body of a call in its place.
    [[nodiscard]] const std::vector<TfNode>& nodes() const { return m_nodes; }
    [[nodiscard]] const std::vector<TfScope>& scopes() const { return m_scopes; }
    [[nodiscard]] const TfNode& node(int index) const { return m_nodes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const TfScope& scope(int index) const { return m_scopes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] std::string nameOf(int node) const;
    /// What the file says of a node's type; may be null.
    [[nodiscard]] const tensorflow::OpDef* definitionOf(const tensorflow::NodeDef& node) const;

    /// Of an input that is no control input. Fails where names lead in a circle. Bodies of functions name the outputs
    /// of a node; where the file does not define its type, they are counted in the order in which they are met.
    [[nodiscard]] Result<TfSource> sourceOf(int scope, TfReference reference);
    /// A node of the scope itself, which may be a call; -1 when there is none of that name.
    [[nodiscard]] int findNode(int scope, std::string_view name) const;
    /// Whether it names something in the scope, rather than one of its arguments or nothing.
    [[nodiscard]] bool isInside(int scope, const TfReference& reference) const;

private:
    TfProgram(const std::string& origin, Diagnostics& diagnostics) : m_origin(origin), m_diagnostics(&diagnostics) {}
    Result<> expand(int scope, const google::protobuf::RepeatedPtrField<tensorflow::NodeDef>& nodes, int depth);
    struct Function {
        const tensorflow::FunctionDef* def = nullptr;
        std::size_t bytes = 0; ///< of names and attributes
    };
    /// What runs in the place of a node.
    struct Callee {
        const Function* function = nullptr; ///< null: nothing that the file defines
        tensorflow::NameAttrList held;      ///< where the node holds it: with its arguments
        std::size_t firstInput = 0;         ///< of the node, that is the function's first argument
    };
    [[nodiscard]] Callee callee(const tensorflow::NodeDef& node) const;
    void noteControlFlow(int index);
    bool mayInline(int scope, const Function& function, const tensorflow::NodeDef& node, int depth);
    int openScope(int parent, int call, const Callee& called);
    std::size_t portOf(int node, std::string_view output);
    void noteUncalled(const tensorflow::GraphDef& graph);

    std::string m_origin;
    Diagnostics* m_diagnostics;
    std::vector<TfNode> m_nodes;
    std::vector<TfScope> m_scopes;
    std::unordered_map<std::string_view, Function> m_functions;
    std::unordered_map<std::string_view, const tensorflow::OpDef*> m_definitions;
    std::unordered_map<std::string, bool> m_called;
    std::unordered_map<int, std::vector<std::string_view>> m_outputNames; ///< by node, as met
    std::size_t m_inlinedNodes = 0, m_inlinedBytes = 0;
};

} // namespace opscape
