// SPDX-License-Identifier: MIT
// How wide text is and how its letters look, remembered from picture to picture: asking Qt for either takes longer than
// drawing a box. Remembered per thread, as plain numbers and pixels.
#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <vector>

namespace opscape {

/// Coverage of each pixel of a piece of text, 0 to 255.
struct GlyphMask {
    int left = 0, top = 0; ///< of its first pixel, from the pen on the baseline
    int width = 0, height = 0;
    std::vector<std::uint8_t> pixels;
};

class TextFace {
public:
    static constexpr int kPhases = 4; ///< places between two pixels that a letter may start at

    TextFace(int size, bool bold);

    [[nodiscard]] double width(const QString& text) const;
    [[nodiscard]] double ascent() const { return m_ascent; }
    [[nodiscard]] double descent() const { return m_descent; }
    [[nodiscard]] double height() const { return m_ascent + m_descent; }
    [[nodiscard]] double capHeight() const { return m_capHeight; }

    /// True for the printable ones of ASCII, whose letters are known one by one.
    [[nodiscard]] static bool isSimple(QChar c) { return c.unicode() >= kFirst && c.unicode() <= kLast; }
    [[nodiscard]] double advance(QChar simple) const { return m_advance[simple.unicode() - kFirst]; }
    [[nodiscard]] const GlyphMask& glyph(QChar simple, int phase);
    /// Any text at all, drawn anew.
    [[nodiscard]] GlyphMask mask(const QString& text, double phase) const;

private:
    static constexpr char16_t kFirst = 0x20, kLast = 0x7e;
    static constexpr std::size_t kCount = kLast - kFirst + 1;

    int m_size;
    bool m_bold;
    double m_ascent = 0, m_descent = 0, m_capHeight = 0;
    std::array<double, kCount> m_advance{};
    std::array<std::array<GlyphMask, kPhases>, kCount> m_glyphs;
    std::array<std::array<bool, kPhases>, kCount> m_made{};
};

/// Of this thread, made when first asked for.
[[nodiscard]] TextFace& textFace(int size, bool bold);

} // namespace opscape
