// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/io/wire.h>

#include <algorithm>

namespace opscape {

bool WireReader::varint(std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64 && m_at < m_message.size(); shift += 7) {
        const auto byte = static_cast<unsigned char>(m_message[m_at++]);
        value |= std::uint64_t{byte & 0x7fu} << shift;
        if (byte < 0x80)
            return true;
    }
    m_isCut = m_at == m_message.size();
    m_isSound = m_isCut;
    return false;
}

bool WireReader::next(WireField& field) {
    if (m_at == m_message.size() || m_isCut || !m_isSound)
        return false;
    m_fieldAt = m_contentAt = m_at;
    std::uint64_t tag = 0;
    if (!varint(tag))
        return false;
    field = {};
    field.number = tag >> 3;
    m_contentAt = m_at;
    const auto take = [this](std::uint64_t count) {
        const std::size_t left = m_message.size() - m_at;
        m_isCut = count > left;
        const std::string_view taken = m_message.substr(m_at, m_isCut ? left : static_cast<std::size_t>(count));
        m_at += taken.size();
        return taken;
    };
    switch (tag & 7u) {
    case WireField::Varint:
        return varint(field.value);
    case WireField::Length:
        field.type = WireField::Length;
        if (!varint(field.value))
            return false;
        m_contentAt = m_at;
        field.bytes = take(field.value);
        return true;
    case WireField::Fixed64:
        field.type = WireField::Fixed64;
        take(8);
        return true;
    case WireField::Fixed32:
        field.type = WireField::Fixed32;
        take(4);
        return true;
    default:
        m_isSound = false;
        return false;
    }
}

std::uint64_t littleEndian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t byte = bytes.size(); byte-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[byte]);
    return value;
}

bool looksLikeName(std::string_view bytes) {
    if (bytes.empty() || std::ranges::any_of(bytes, [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
        return false;
    for (std::size_t cut = 0; cut < std::min<std::size_t>(4, bytes.size()); ++cut) {
        if (isUtf8(bytes.substr(0, bytes.size() - cut)))
            return true;
    }
    return false;
}

} // namespace opscape
