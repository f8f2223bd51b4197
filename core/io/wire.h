// SPDX-License-Identifier: MIT
// The outline of a protobuf message, read field by field without a schema: enough to tell formats apart and to say
// where a file is cut off.
#pragma once

#include <cstdint>
#include <string_view>

namespace opscape {

struct WireField {
    enum Type : std::uint8_t { Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5 };
    std::uint64_t number = 0;
    Type type = Varint;
    std::uint64_t value = 0; ///< of a Varint; of a Length its bytes as the message says
    std::string_view bytes;  ///< of a Length, as far as they are there
};

class WireReader {
public:
    explicit WireReader(std::string_view message) : m_message(message) {}

    /// False at the end, and where the bytes are no fields.
    bool next(WireField& field);

    /// All of it was fields, though the last may lack its end.
    [[nodiscard]] bool isSound() const { return m_isSound; }
    /// The last field says that it has more bytes than follow.
    [[nodiscard]] bool isCut() const { return m_isCut; }
    /// Where the last field begins.
    [[nodiscard]] std::size_t fieldAt() const { return m_fieldAt; }
    /// Where the content of the last field begins.
    [[nodiscard]] std::size_t contentAt() const { return m_contentAt; }

private:
    bool varint(std::uint64_t& value);

    std::string_view m_message;
    std::size_t m_at = 0, m_fieldAt = 0, m_contentAt = 0;
    bool m_isSound = true, m_isCut = false;
};

/// A number of up to eight bytes as messages hold it raw, the lowest byte first.
[[nodiscard]] std::uint64_t littleEndian(std::string_view bytes);

/// Not empty, UTF-8 and without control characters, as names are. The last character may be cut off.
[[nodiscard]] bool looksLikeName(std::string_view bytes);

} // namespace opscape
