// SPDX-License-Identifier: MIT
#include "text_face.h"

#include "theme.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace opscape {

TextFace::TextFace(int size, bool bold) : m_size(size), m_bold(bold) {
    const QFontMetricsF metrics(Theme::font(size, bold));
    m_ascent = metrics.ascent();
    m_descent = metrics.descent();
    m_capHeight = metrics.capHeight();
    for (std::size_t i = 0; i < kCount; ++i)
        m_advance[i] = metrics.horizontalAdvance(QChar(static_cast<char16_t>(kFirst + i)));
}

double TextFace::width(const QString& text) const {
    double width = 0;
    for (const QChar c : text) {
        if (!isSimple(c))
            return QFontMetricsF(Theme::font(m_size, m_bold)).horizontalAdvance(text);
        width += advance(c);
    }
    return width;
}

const GlyphMask& TextFace::glyph(QChar simple, int phase) {
    const std::size_t i = simple.unicode() - kFirst;
    const auto p = static_cast<std::size_t>(phase);
    if (!std::exchange(m_made[i][p], true))
        m_glyphs[i][p] = mask(QString(simple), static_cast<double>(phase) / kPhases);
    return m_glyphs[i][p];
}

GlyphMask TextFace::mask(const QString& text, double phase) const {
    GlyphMask mask;
    const QFont font = Theme::font(m_size, m_bold);
    const int margin = 2 + m_size / 4; // letters may lean out of their space
    mask.width = static_cast<int>(std::ceil(QFontMetricsF(font).horizontalAdvance(text))) + 2 * margin;
    mask.height = static_cast<int>(std::ceil(height())) + 2 * margin;
    mask.left = -margin;
    mask.top = -static_cast<int>(std::ceil(m_ascent)) - margin;
    QImage image(mask.width, mask.height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setFont(font);
    painter.setPen(Qt::white);
    painter.drawText(QPointF(-mask.left + phase, -mask.top), text);
    painter.end();
    mask.pixels.resize(static_cast<std::size_t>(mask.width) * static_cast<std::size_t>(mask.height));
    auto* out = mask.pixels.data();
    for (int y = 0; y < mask.height; ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < mask.width; ++x)
            *out++ = static_cast<std::uint8_t>(qAlpha(line[x]));
    }
    // Empty rows and columns around the letter are only in the way.
    const auto row = [&](int y) { return mask.pixels.begin() + static_cast<std::ptrdiff_t>(y) * mask.width; };
    int top = 0, bottom = mask.height, left = 0, right = mask.width;
    const auto emptyRow = [&](int y) {
        return std::all_of(row(y), row(y) + mask.width, [](auto v) { return v == 0; });
    };
    while (top < bottom && emptyRow(top))
        ++top;
    while (bottom > top && emptyRow(bottom - 1))
        --bottom;
    const auto emptyColumn = [&](int x) {
        for (int y = top; y < bottom; ++y) {
            if (row(y)[x] != 0)
                return false;
        }
        return true;
    };
    while (left < right && emptyColumn(left))
        ++left;
    while (right > left && emptyColumn(right - 1))
        --right;
    GlyphMask tight{mask.left + left, mask.top + top, right - left, bottom - top, {}};
    for (int y = top; y < bottom; ++y)
        tight.pixels.insert(tight.pixels.end(), row(y) + left, row(y) + right);
    return tight;
}

TextFace& textFace(int size, bool bold) {
    thread_local std::map<std::pair<int, bool>, std::unique_ptr<TextFace>> faces;
    auto& face = faces[{size, bold}];
    if (!face)
        face = std::make_unique<TextFace>(size, bold);
    return *face;
}

} // namespace opscape
