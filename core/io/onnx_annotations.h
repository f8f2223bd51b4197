// SPDX-License-Identifier: MIT
// Where ONNX models say on which devices nodes run, and what else is said beside the graph: defaults of functions'
// attributes (IR version 9), metadata_props of nodes (IR version 10), device configurations of the model and of nodes
// (IR version 11). They are newer than libonnx, which carries them along as unknown fields.
#pragma once

#include <opscape/graph/graph.h>

#include <onnx/onnx_pb.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

/// A list of devices that nodes refer to.
struct OnnxDeviceConfiguration {
    std::string name;
    std::vector<std::string> devices;
};

/// Of types that the standard does not have, and before the keys of metadata that tell what only a graph here knows.
inline constexpr std::string_view kOwnOnnxDomain = "opscape", kOnnxMetadata = "opscape.";

inline constexpr int kIrVersionOfMetadata = 10, kIrVersionOfDevices = 11;

[[nodiscard]] std::vector<OnnxDeviceConfiguration> deviceConfigurationsOf(const onnx::ModelProto& model);
void addDeviceConfiguration(onnx::ModelProto& model, const OnnxDeviceConfiguration& configuration);

/// The device that a node's configurations name for its tensors; empty when there is none or not one alone.
[[nodiscard]] std::string deviceOf(const onnx::NodeProto& node,
                                   const std::vector<OnnxDeviceConfiguration>& configurations);
/// Puts all tensors that the node writes (reads, where it writes none) on a device of a configuration.
void setDevice(onnx::NodeProto& node, std::string_view configuration, std::size_t device);

/// Puts a node that says nothing of it where another one says it runs.
void copyDevice(const onnx::NodeProto& from, onnx::NodeProto& to);

/// What a function has an attribute be that a call does not give.
[[nodiscard]] std::optional<onnx::AttributeProto> defaultOfAttribute(const onnx::FunctionProto& function,
                                                                     std::string_view name);

/// The metadata of a node; the last of one key counts.
[[nodiscard]] std::map<std::string, std::string> metadataOf(const onnx::NodeProto& node);
void addMetadata(onnx::NodeProto& node, std::string_view key, std::string_view value);

/// What the annotations say: device, and phase, colocation, work and times where this program wrote them.
void annotate(Op& op, const onnx::NodeProto& node, const std::vector<OnnxDeviceConfiguration>& configurations);

} // namespace opscape
