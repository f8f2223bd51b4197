// SPDX-License-Identifier: MIT
// What a TensorFlow node says about itself: attributes, types and shapes, what it is to a graph. Included by the
// TensorFlow reader's own files only.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/graph/graph.h>
#include <opscape/io/tensorflow/tensorflow.pb.h>

#include <optional>

namespace opscape {

/// The bytes of an AttrEntry each.
using TfAttributes = google::protobuf::RepeatedPtrField<std::string>;

/// Whether the attributes of a node are what they should be; nothing else is to be asked of a node before.
[[nodiscard]] bool checkAttributes(const tensorflow::NodeDef& node);
[[nodiscard]] tensorflow::AttrEntry parseAttribute(const std::string& attribute);
[[nodiscard]] std::string_view keyOf(const std::string& attribute);
/// None when there is none of that name.
[[nodiscard]] std::optional<tensorflow::AttrValue> findAttribute(const TfAttributes& attributes, std::string_view name);

/// What becomes of a node.
enum class TfRole {
    Op,
    Constant, ///< a value in the file
    Variable, ///< state that ops read and write
    Input     ///< fed from outside
};
[[nodiscard]] TfRole roleOf(const tensorflow::NodeDef& node);
/// Whether constant inputs make its outputs constants.
[[nodiscard]] bool isPure(const tensorflow::NodeDef& node);
/// Inputs of an optimizer's op, from the second on, that are its own state and no gradient.
[[nodiscard]] std::size_t optimizerStates(std::string_view type);
[[nodiscard]] Phase phaseOf(std::string_view name, std::string_view type);

[[nodiscard]] DType dtypeOf(tensorflow::DataType type);
/// Without name and kind. `arguments` are the attributes of the function call around the node, for values that stand
/// for one of them; null outside of functions. `definition` is what the file says of the node's type; may be null.
[[nodiscard]] Tensor outputOf(const tensorflow::NodeDef& node, std::size_t port, const TfAttributes* arguments,
                              const tensorflow::OpDef* definition);
/// How many outputs the node says that it has; 0 where it does not.
[[nodiscard]] std::size_t shapedOutputs(const tensorflow::NodeDef& node);

/// Attributes as far as a graph keeps them; those read elsewhere are left out, the others counted.
[[nodiscard]] std::vector<Attribute> attributesOf(const tensorflow::NodeDef& node, Diagnostics& diagnostics);

} // namespace opscape
