// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/io/read/chakra.pb.h>
#include <opscape/io/read/chakra_graph.h>
#include <opscape/io/read/chakra_reader.h>
#include <opscape/io/wire.h>

#include <optional>

namespace opscape {
namespace {

/// Messages one after the other, each behind its length.
struct Messages {
    std::string_view bytes;
    std::size_t at = 0;

    /// None at the end, and where a message is longer than what is left; `at` then stays.
    std::optional<std::string_view> next() {
        std::uint64_t size = 0;
        std::size_t begin = at;
        for (int shift = 0;; shift += 7) {
            if (begin >= bytes.size() || shift > 28)
                return std::nullopt;
            const auto byte = static_cast<unsigned char>(bytes[begin++]);
            size |= std::uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80)
                break;
        }
        if (size > bytes.size() - begin)
            return std::nullopt;
        at = begin + size;
        return bytes.substr(begin, size);
    }
};

/// Only fields that messages of metadata have had: a version and attributes.
bool isMetadata(std::string_view message) {
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
        if (field.number > 2 || field.type != WireField::Length)
            return false;
    }
    return reader.isSound() && !reader.isCut();
}

bool isNode(std::string_view message) {
    bool hasId = false, hasName = false;
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
        if (field.number > 11 || (field.number == 1 && field.type != WireField::Varint) ||
            (field.number == 2 && field.type != WireField::Length))
            return false;
        hasId = hasId || field.number == 1;
        hasName = hasName || field.number == 2;
    }
    return reader.isSound() && !reader.isCut() && hasId && hasName;
}

std::optional<AttributeValue> valueOf(const chakra::Attribute& attribute) {
    using Is = chakra::Attribute;
    switch (attribute.value_case()) {
    case Is::kDoubleValue:
        return attribute.double_value();
    case Is::kFloatValue:
        return double{attribute.float_value()};
    case Is::kInt32Value:
        return std::int64_t{attribute.int32_value()};
    case Is::kInt64Value:
        return attribute.int64_value();
    case Is::kUint32Value:
        return std::int64_t{attribute.uint32_value()};
    case Is::kUint64Value:
        return static_cast<std::int64_t>(attribute.uint64_value());
    case Is::kSint32Value:
        return std::int64_t{attribute.sint32_value()};
    case Is::kSint64Value:
        return attribute.sint64_value();
    case Is::kFixed32Value:
        return std::int64_t{attribute.fixed32_value()};
    case Is::kFixed64Value:
        return static_cast<std::int64_t>(attribute.fixed64_value());
    case Is::kSfixed32Value:
        return std::int64_t{attribute.sfixed32_value()};
    case Is::kSfixed64Value:
        return attribute.sfixed64_value();
    case Is::kBoolValue:
        return std::int64_t{attribute.bool_value() ? 1 : 0};
    case Is::kStringValue:
        return attribute.string_value();
    case Is::VALUE_NOT_SET:
        break;
    }
    return std::nullopt;
}

ChakraNode nodeOf(const chakra::Node& message, Diagnostics& diagnostics) {
    ChakraNode node;
    node.id = message.id();
    node.name = toUtf8(message.name());
    node.type = chakraNodeType(message.type());
    node.control.assign(message.control().begin(), message.control().end());
    node.data.assign(message.data().begin(), message.data().end());
    if (message.duration_us() > 0)
        node.durationUs = static_cast<std::int64_t>(std::min<std::uint64_t>(message.duration_us(), INT64_MAX));
    node.outputBytes = chakraTensorBytes(message.outputs().values());
    if (message.start_us() > 0)
        node.attributes.push_back({"start_us", static_cast<std::int64_t>(message.start_us())});
    for (const chakra::Attribute& attribute : message.attributes()) {
        const auto value = valueOf(attribute);
        if (!value) {
            diagnostics.add(Severity::Info, "list-attribute", "Attributes that are lists, left out",
                            fmt::format("{} of {}", attribute.name(), node.name));
            continue;
        }
        if (attribute.name() == "is_cpu_op")
            node.device =
                std::get_if<std::int64_t>(&*value) != nullptr && std::get<std::int64_t>(*value) != 0 ? "cpu" : "gpu";
        else if (attribute.name() == "comm_size" && std::holds_alternative<std::int64_t>(*value))
            node.outputBytes = std::max(node.outputBytes, std::get<std::int64_t>(*value));
        if (attribute.name() != "is_cpu_op")
            node.attributes.push_back({toUtf8(attribute.name()), *value});
    }
    return node;
}

} // namespace

bool isChakra(std::string_view bytes) {
    Messages messages{bytes};
    const auto metadata = messages.next();
    if (!metadata || !isMetadata(*metadata))
        return false;
    const std::size_t second = messages.at;
    const auto node = messages.next();
    if (node)
        return isNode(*node);
    // A trace without nodes, or one that is cut off in its first node: then the metadata must say what it is.
    return (second == bytes.size() || metadata->size() > 4) && metadata->find("schema") != std::string_view::npos;
}

Result<GraphFile> readChakra(std::string_view bytes, const std::string& origin) {
    Messages messages{bytes};
    const auto metadata = messages.next();
    if (!metadata || !isMetadata(*metadata))
        return fail("{}: this is not a Chakra execution trace.", origin);
    ChakraGraph graph(origin);
    chakra::Node message;
    for (std::size_t number = 0; messages.at < bytes.size(); ++number) {
        const std::size_t begin = messages.at;
        const auto part = messages.next();
        if (!part)
            return fail("{}: node {} at byte {} is longer than what is left; the file seems to be cut off.", origin,
                        number, begin);
        if (!message.ParseFromArray(part->data(), static_cast<int>(part->size())))
            return fail("{}: node {} at byte {} is damaged: its bytes are no message of a Chakra trace.", origin,
                        number, begin);
        if (!graph.add(nodeOf(message, graph.diagnostics())))
            return fail("{}: node {} at byte {} has the id {}, which another node has already.", origin, number, begin,
                        message.id());
    }
    return std::move(graph).finish("chakra");
}

} // namespace opscape
