// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/base/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace opscape {
namespace {

/// Length of the UTF-8 character at the front, 0 where there is none (Unicode 15, table 3-7).
std::size_t characterLength(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length)
        return 0;
    // The second byte's range keeps out overlong forms, surrogates and what lies beyond U+10FFFF.
    const unsigned char least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (byte(1) < least || byte(1) > most)
        return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if (byte(i) < 0x80 || byte(i) > 0xbf)
            return 0;
    }
    return length;
}

/// The code point of a whole character.
char32_t decoded(std::string_view character) {
    const auto lead = static_cast<unsigned char>(character[0]);
    if (character.size() == 1)
        return lead;
    char32_t code = lead & (0x7fU >> character.size());
    for (const char c : character.substr(1))
        code = code << 6U | (static_cast<unsigned char>(c) & 0x3fU);
    return code;
}

bool isBetween(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

/// Obeyed rather than seen: control characters, line and paragraph separators, marks and embeddings of direction.
bool isObeyed(char32_t code) {
    return code < 0x20 || isBetween(code, 0x7f, 0x9f) || code == 0x61c || isBetween(code, 0x200e, 0x200f) ||
           isBetween(code, 0x2028, 0x202e) || isBetween(code, 0x2066, 0x2069);
}

std::string printableText(std::string_view text, bool keepsLines) {
    std::string seen;
    seen.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
        text.remove_prefix(character.size());
        if (length == 0)
            seen += "\xef\xbf\xbd";
        else if (const char32_t code = decoded(character); !isObeyed(code) || (keepsLines && code == '\n'))
            seen += character;
        else if (code == '\n' || code == '\t' || code == '\r')
            seen += code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r";
        else
            seen += fmt::format("\\u{:04X}", static_cast<std::uint32_t>(code));
    }
    return seen;
}

/// Of characters that are two bytes of UTF-8.
char32_t lowered(char32_t code) {
    const auto odd = [code] { return code | 1U; };           // pairs that begin with an even code
    const auto even = [code] { return code + (code & 1U); }; // pairs that begin with an odd one
    if (code == 0xb5)
        return 0x3bc;
    if (isBetween(code, 0xc0, 0xde))
        return code == 0xd7 ? code : code + 0x20;
    if (code == 0x130 || code == 0x131 || code == 0x138 || code == 0x149 || code == 0x17f || code == 0x3a2)
        return code;
    if (code == 0x178)
        return 0xff;
    if (isBetween(code, 0x139, 0x148) || isBetween(code, 0x179, 0x17e))
        return even();
    if (isBetween(code, 0x100, 0x177))
        return odd();
    if (code == 0x386)
        return 0x3ac;
    if (isBetween(code, 0x388, 0x38a))
        return code + 0x25;
    if (code == 0x38c)
        return 0x3cc;
    if (isBetween(code, 0x38e, 0x38f))
        return code + 0x3f;
    if (isBetween(code, 0x391, 0x3ab))
        return code + 0x20;
    if (code == 0x3c2)
        return 0x3c3;
    if (isBetween(code, 0x400, 0x40f))
        return code + 0x50;
    if (isBetween(code, 0x410, 0x42f))
        return code + 0x20;
    if (code == 0x4c0)
        return 0x4cf;
    if (isBetween(code, 0x4c1, 0x4ce))
        return even();
    if (isBetween(code, 0x460, 0x481) || isBetween(code, 0x48a, 0x4bf) || isBetween(code, 0x4d0, 0x52f))
        return odd();
    return code;
}

} // namespace

bool isUtf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string toUtf8(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        clean += length == 0 ? "\xef\xbf\xbd" : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return clean;
}

std::string printable(std::string_view text) { return printableText(text, false); }

std::string printableLines(std::string_view text) { return printableText(text, true); }

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    for (std::size_t i = 0; i < lower.size();) {
        const auto lead = static_cast<unsigned char>(lower[i]);
        if (lead < 0x80) {
            lower[i] = lowerCase(lower[i]);
            ++i;
            continue;
        }
        const std::string_view rest = std::string_view(lower).substr(i);
        const std::size_t length = characterLength(rest);
        if (length == 2) {
            const char32_t code = lowered(decoded(rest.substr(0, 2)));
            lower[i] = static_cast<char>(0xc0U | code >> 6U);
            lower[i + 1] = static_cast<char>(0x80U | (code & 0x3fU));
        }
        i += std::max<std::size_t>(1, length);
    }
    return lower;
}

std::size_t characterCount(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::size_t characterBytes(std::string_view text) {
    return text.empty() ? 0 : std::max<std::size_t>(1, characterLength(text));
}

std::string counted(std::int64_t count, std::string_view what) {
    return fmt::format("{} {}{}", formatCount(count), what, count == 1 ? "" : "s");
}

} // namespace opscape
