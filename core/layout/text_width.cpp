// SPDX-License-Identifier: MIT
#include <opscape/layout/text_width.h>

#include <array>

namespace opscape {
namespace {

/// Advance of the printable ASCII characters from space on, hundredths of the text height.
constexpr std::array<unsigned char, 95> kAdvance{
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

} // namespace

float textWidth(std::string_view text, bool bold) {
    float hundredths = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 && byte < 0xC0) // inside a longer UTF-8 sequence
            continue;
        const bool ascii = byte >= 32 && byte < 127;
        hundredths += ascii ? static_cast<float>(kAdvance[byte - 32U]) : 75.0F;
    }
    return hundredths / 100 * kTextHeight * (bold ? 1.11F : 1.0F);
}

} // namespace opscape
