// SPDX-License-Identifier: MIT
// The outermost layer of a protobuf message: fields with a number and a type. For telling formats apart before they are
// parsed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace opscape {

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5 };

struct WireField {
    std::uint64_t number = 0;
    WireType type = WireType::Varint;
    std::string_view bytes; ///< of a Length field
};

inline std::optional<std::uint64_t> readVarint(std::string_view bytes, std::size_t& at) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        value |= std::uint64_t{byte & 0x7fu} << shift;
        if (byte < 0x80)
            return value;
    }
    return std::nullopt;
}

/// The field at `at`, which moves behind it; none where there is none or it is longer than what is left.
inline std::optional<WireField> readField(std::string_view bytes, std::size_t& at) {
    const auto tag = readVarint(bytes, at);
    if (!tag || *tag >> 3 == 0)
        return std::nullopt;
    WireField field;
    field.number = *tag >> 3;
    std::size_t size = 0;
    switch (*tag & 7u) {
    case 0:
        if (!readVarint(bytes, at))
            return std::nullopt;
        return field;
    case 1:
        field.type = WireType::Fixed64;
        size = 8;
        break;
    case 2: {
        field.type = WireType::Length;
        const auto length = readVarint(bytes, at);
        if (!length || *length > bytes.size() - at)
            return std::nullopt;
        size = *length;
        break;
    }
    case 5:
        field.type = WireType::Fixed32;
        size = 4;
        break;
    default:
        return std::nullopt;
    }
    if (size > bytes.size() - at)
        return std::nullopt;
    field.bytes = bytes.substr(at, size);
    at += size;
    return field;
}

} // namespace opscape
