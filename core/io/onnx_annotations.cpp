// SPDX-License-Identifier: MIT
// The messages by the numbers of their fields:
//   FunctionProto: attribute_proto = 11
//   ModelProto: configuration = 26; DeviceConfigurationProto: name = 1, num_devices = 2, device = 3
//   NodeProto: metadata_props = 9, device_configurations = 10; StringStringEntryProto: key = 1, value = 2
//   NodeDeviceConfigurationProto: configuration_id = 1, sharding_spec = 2; ShardingSpecProto: tensor_name = 1, device =
//   2
#include <opscape/base/text.h>
#include <opscape/io/onnx_annotations.h>

#include <fmt/format.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace opscape {
namespace {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

constexpr int kFunctionDefaults = 11, kModelConfiguration = 26, kNodeMetadata = 9, kNodeConfigurations = 10;

/// Calls visit(fields) for each message of that number; what is none is passed over.
template <class Visit>
void forEachMessage(const UnknownFieldSet& fields, int number, const Visit& visit) {
    for (int i = 0; i < fields.field_count(); ++i) {
        const UnknownField& field = fields.field(i);
        UnknownFieldSet inner;
        if (field.number() == number && field.type() == UnknownField::TYPE_LENGTH_DELIMITED &&
            inner.ParseFromString(field.length_delimited()))
            visit(inner);
    }
}

std::vector<std::string> textsOf(const UnknownFieldSet& fields, int number) {
    std::vector<std::string> texts;
    for (int i = 0; i < fields.field_count(); ++i) {
        const UnknownField& field = fields.field(i);
        if (field.number() == number && field.type() == UnknownField::TYPE_LENGTH_DELIMITED)
            texts.push_back(toUtf8(field.length_delimited()));
    }
    return texts;
}

std::string textOf(const UnknownFieldSet& fields, int number) {
    const auto texts = textsOf(fields, number);
    return texts.empty() ? std::string() : texts.back();
}

/// Whole numbers, packed or one by one.
std::vector<std::uint64_t> numbersOf(const UnknownFieldSet& fields, int number) {
    std::vector<std::uint64_t> numbers;
    for (int i = 0; i < fields.field_count(); ++i) {
        const UnknownField& field = fields.field(i);
        if (field.number() != number)
            continue;
        if (field.type() == UnknownField::TYPE_VARINT)
            numbers.push_back(field.varint());
        if (field.type() != UnknownField::TYPE_LENGTH_DELIMITED)
            continue;
        std::uint64_t value = 0;
        int shift = 0;
        for (const char c : field.length_delimited()) {
            const auto byte = static_cast<unsigned char>(c);
            if (shift < 64)
                value |= std::uint64_t{byte & 0x7fU} << shift;
            shift += 7;
            if (byte < 0x80) {
                numbers.push_back(value);
                value = 0;
                shift = 0;
            }
        }
    }
    return numbers;
}

void addMessage(UnknownFieldSet& fields, int number, const UnknownFieldSet& message) {
    message.SerializeToString(fields.AddLengthDelimited(number));
}

} // namespace

std::vector<OnnxDeviceConfiguration> deviceConfigurationsOf(const onnx::ModelProto& model) {
    std::vector<OnnxDeviceConfiguration> configurations;
    forEachMessage(model.unknown_fields(), kModelConfiguration, [&](const UnknownFieldSet& fields) {
        configurations.push_back({textOf(fields, 1), textsOf(fields, 3)});
    });
    return configurations;
}

void addDeviceConfiguration(onnx::ModelProto& model, const OnnxDeviceConfiguration& configuration) {
    UnknownFieldSet fields;
    fields.AddLengthDelimited(1, configuration.name);
    fields.AddVarint(2, configuration.devices.size());
    for (const std::string& device : configuration.devices)
        fields.AddLengthDelimited(3, device);
    addMessage(*model.mutable_unknown_fields(), kModelConfiguration, fields);
}

std::string deviceOf(const onnx::NodeProto& node, const std::vector<OnnxDeviceConfiguration>& configurations) {
    std::set<std::string> devices;
    forEachMessage(node.unknown_fields(), kNodeConfigurations, [&](const UnknownFieldSet& fields) {
        const std::string id = textOf(fields, 1);
        const auto of = std::ranges::find(configurations, id, &OnnxDeviceConfiguration::name);
        forEachMessage(fields, 2, [&](const UnknownFieldSet& spec) {
            for (const std::uint64_t index : numbersOf(spec, 2)) {
                const bool isNamed = of != configurations.end() && index < of->devices.size();
                devices.insert(isNamed ? of->devices[index] : fmt::format("{}:{}", id, index));
            }
        });
    });
    return devices.size() == 1 ? *devices.begin() : std::string();
}

void setDevice(onnx::NodeProto& node, std::string_view configuration, std::size_t device) {
    UnknownFieldSet fields;
    fields.AddLengthDelimited(1, std::string(configuration));
    const auto& tensors = node.output_size() > 0 ? node.output() : node.input();
    for (const std::string& tensor : tensors) {
        if (tensor.empty())
            continue;
        UnknownFieldSet spec;
        spec.AddLengthDelimited(1, tensor);
        spec.AddVarint(2, device);
        addMessage(fields, 2, spec);
    }
    addMessage(*node.mutable_unknown_fields(), kNodeConfigurations, fields);
}

void copyDevice(const onnx::NodeProto& from, onnx::NodeProto& to) {
    const UnknownFieldSet& fields = from.unknown_fields();
    for (int i = 0; i < fields.field_count(); ++i) {
        if (fields.field(i).number() == kNodeConfigurations)
            to.mutable_unknown_fields()->AddField(fields.field(i));
    }
    const auto metadata = metadataOf(from);
    constexpr std::string_view kDevice = "opscape.device";
    if (const auto device = metadata.find(std::string(kDevice)); device != metadata.end())
        addMetadata(to, kDevice, device->second);
}

std::optional<onnx::AttributeProto> defaultOfAttribute(const onnx::FunctionProto& function, std::string_view name) {
    const UnknownFieldSet& fields = function.unknown_fields();
    for (int i = 0; i < fields.field_count(); ++i) {
        const UnknownField& field = fields.field(i);
        onnx::AttributeProto attribute;
        if (field.number() == kFunctionDefaults && field.type() == UnknownField::TYPE_LENGTH_DELIMITED &&
            attribute.ParseFromString(field.length_delimited()) && attribute.name() == name)
            return attribute;
    }
    return std::nullopt;
}

std::map<std::string, std::string> metadataOf(const onnx::NodeProto& node) {
    std::map<std::string, std::string> metadata;
    forEachMessage(node.unknown_fields(), kNodeMetadata, [&](const UnknownFieldSet& fields) {
        metadata.insert_or_assign(textOf(fields, 1), textOf(fields, 2));
    });
    return metadata;
}

void addMetadata(onnx::NodeProto& node, std::string_view key, std::string_view value) {
    UnknownFieldSet fields;
    fields.AddLengthDelimited(1, std::string(key));
    fields.AddLengthDelimited(2, toUtf8(value));
    addMessage(*node.mutable_unknown_fields(), kNodeMetadata, fields);
}

void annotate(Op& op, const onnx::NodeProto& node, const std::vector<OnnxDeviceConfiguration>& configurations) {
    op.requestedDevice = deviceOf(node, configurations);
    for (const auto& [key, text] : metadataOf(node)) {
        if (!key.starts_with(kOnnxMetadata))
            continue;
        const std::string_view what = std::string_view(key).substr(kOnnxMetadata.size());
        constexpr std::string_view kTime = "time_ns.";
        std::int64_t figure = -1;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), figure);
        const bool isFigure = read.ec == std::errc() && read.ptr == text.data() + text.size() && figure >= 0;
        if (what == "device")
            op.requestedDevice = text;
        else if (what == "colocation")
            op.colocation = text;
        else if (what == "phase")
            op.phase = parsePhase(text).value_or(Phase::Forward);
        else if (what == "flops" && isFigure)
            op.flops = figure;
        else if (what == "bytes_moved" && isFigure)
            op.bytesMoved = figure;
        else if (what == "workspace_bytes" && isFigure)
            op.workspaceBytes = figure;
        else if (what.starts_with(kTime) && isFigure)
            op.timeNs[std::string(what.substr(kTime.size()))] = figure;
    }
}

} // namespace opscape
