// SPDX-License-Identifier: MIT
// Boxes: the distance of a pixel's centre to the edge of a rounded rectangle, cut off at half a pixel to either side,
// is how much of the pixel is covered. Only pixels near an edge are asked; what lies between is filled in runs.
// Glyphs come as masks that were drawn once (text_face.h). Lines are in raster_line.cpp.
#include "raster_surface.h"

#include "raster_blend.h"
#include "text_face.h"

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kSharp = 0.8; ///< corners that are less round, pixels, are drawn square: nobody sees it

double clamp01(double v) { return std::clamp(v, 0.0, 1.0); }

/// Pixels from the first one touched to one past the last one, within the picture.
std::pair<int, int> touched(double from, double to, int size) {
    const double most = size;
    return {static_cast<int>(std::floor(std::clamp(from, 0.0, most))),
            static_cast<int>(std::ceil(std::clamp(to, 0.0, most)))};
}

} // namespace

RasterSurface::Ink::Ink(const QColor& colour)
    : rgb(colour.rgb()),
      alpha(static_cast<std::uint32_t>(colour.alpha() + (colour.alpha() >> 7))) {}

RasterSurface::RasterSurface(QImage& image, double pixelRatio)
    : m_pixels(reinterpret_cast<QRgb*>(image.bits())),
      m_stride(image.bytesPerLine() / 4),
      m_width(image.width()),
      m_height(image.height()),
      m_ratio(pixelRatio) {}

void RasterSurface::span(int y, int from, int to, const Ink& ink, double cover) {
    const auto alpha = static_cast<std::uint32_t>(cover * ink.alpha + 0.5);
    if (from < to && alpha > 0)
        RunBlender(ink.rgb, alpha)(row(y) + from, row(y) + to);
}

void RasterSurface::rect(const QRectF& rect, const QColor& fill) { fillRect(scaled(rect), fill); }

void RasterSurface::fillRect(const QRectF& rect, const QColor& fill) {
    const double left = std::max(rect.left(), 0.0), right = std::min(rect.right(), double(m_width));
    const double top = std::max(rect.top(), 0.0), bottom = std::min(rect.bottom(), double(m_height));
    if (left >= right || top >= bottom)
        return;
    const int x0 = static_cast<int>(left), y0 = static_cast<int>(top);
    const int x1 = static_cast<int>(std::ceil(right)), y1 = static_cast<int>(std::ceil(bottom));
    const Ink ink(fill);
    // Whole pixels between the two columns at the edges.
    const double coverLeft = std::min(right, x0 + 1.0) - left, coverRight = right - (x1 - 1.0);
    const int inner0 = coverLeft < 1 ? x0 + 1 : x0;
    const int inner1 = coverRight < 1 && x1 - 1 >= inner0 ? x1 - 1 : x1;
    const auto rows = [&](int from, int to, double high) {
        const double strength = high * ink.alpha;
        const RunBlender run(ink.rgb, static_cast<std::uint32_t>(strength + 0.5));
        const auto leftAlpha = static_cast<std::uint32_t>(strength * coverLeft + 0.5),
                   rightAlpha = static_cast<std::uint32_t>(strength * coverRight + 0.5);
        for (int y = from; y < to; ++y) {
            QRgb* const pixels = row(y);
            if (inner0 > x0)
                pixels[x0] = blended(pixels[x0], ink.rgb, leftAlpha);
            run(pixels + inner0, pixels + inner1);
            if (inner1 < x1)
                pixels[inner1] = blended(pixels[inner1], ink.rgb, rightAlpha);
        }
    };
    // The first and the last row may be covered in part.
    const double coverTop = std::min(bottom, y0 + 1.0) - top, coverBottom = bottom - (y1 - 1.0);
    rows(y0, y0 + 1, coverTop);
    rows(y0 + 1, y1 - 1, 1);
    if (y1 - 1 > y0)
        rows(y1 - 1, y1, coverBottom);
}

void RasterSurface::stack(const QRectF& rect, std::span<const BarPart> parts) {
    const QRectF r = scaled(rect);
    const auto x0 = std::max(0, static_cast<int>(std::lround(r.left()))),
               x1 = std::min(m_width, static_cast<int>(std::lround(r.right())));
    const auto top = static_cast<int>(std::lround(r.top())), bottom = static_cast<int>(std::lround(r.bottom()));
    const int y0 = std::max(0, top), y1 = std::min(m_height, bottom);
    if (x0 >= x1)
        return;
    const auto fill = [&](int y, QRgb colour) { std::fill(row(y) + x0, row(y) + x1, colour); };
    if (parts.size() == 1) {
        for (int y = y0; y < y1; ++y)
            fill(y, parts[0].colour.rgb());
        return;
    }
    // From the bottom up; a row that two or more parts share has the mean of them.
    std::size_t part = 0;
    double until = parts[0].share * (bottom - top); // where the part at hand ends, rows above the bottom
    for (int y = bottom - 1; y >= top; --y) {
        const double low = bottom - 1 - y, high = low + 1;
        if (until >= high || part + 1 == parts.size()) {
            if (y >= y0 && y < y1)
                fill(y, parts[part].colour.rgb());
            continue;
        }
        double red = 0, green = 0, blue = 0, from = low;
        for (bool isLast = false; !isLast;) {
            isLast = until >= high || part + 1 == parts.size();
            const double share = (isLast ? high : until) - from;
            const QColor& colour = parts[part].colour;
            red += share * colour.red();
            green += share * colour.green();
            blue += share * colour.blue();
            if (isLast)
                break;
            from = until;
            until += parts[++part].share * (bottom - top);
        }
        if (y >= y0 && y < y1)
            fill(y, qRgb(static_cast<int>(red + 0.5), static_cast<int>(green + 0.5), static_cast<int>(blue + 0.5)));
    }
}

RasterSurface::Cover RasterSurface::Shape::at(double qx, double qy) const {
    const double distance = (qx > 0 && qy > 0 ? std::sqrt(qx * qx + qy * qy) : std::max(qx, qy)) - radius;
    const double edge = std::min({line + 0.5 - std::abs(distance), 2 * line, 1.0});
    return {static_cast<float>(clamp01(0.5 - distance)), static_cast<float>(line > 0 ? std::max(edge, 0.0) : 0.0)};
}

void RasterSurface::blendBox(const Shape& s, const Ink& fill, const Ink& line) {
    const double reach = s.line + 0.5;
    const auto [x0, x1] = touched(s.x - s.halfWidth - reach, s.x + s.halfWidth + reach, m_width);
    const auto [y0, y1] = touched(s.y - s.halfHeight - reach, s.y + s.halfHeight + reach, m_height);
    const double flatX = s.halfWidth - s.radius, flatY = s.halfHeight - s.radius;
    const auto put = [&](QRgb& pixel, Cover c) {
        if (c.fill > 0 && fill.alpha > 0)
            pixel =
                blended(pixel, fill.rgb, static_cast<std::uint32_t>(c.fill * static_cast<float>(fill.alpha) + 0.5F));
        if (c.line > 0)
            pixel =
                blended(pixel, line.rgb, static_cast<std::uint32_t>(c.line * static_cast<float>(line.alpha) + 0.5F));
    };
    // Draws one row: between the two columns at `edge` from the middle nothing depends on x.
    const auto drawRow = [&](int y, double edge, double qy) {
        const int inner0 = std::clamp(static_cast<int>(std::ceil(std::max(s.x - edge - 0.5, -1.0))), x0, x1);
        const int inner1 =
            std::clamp(static_cast<int>(std::floor(std::min(s.x + edge + 0.5, m_width + 1.0))), inner0, x1);
        QRgb* const pixels = row(y);
        const auto side = [&](int from, int to) {
            for (int x = from; x < to; ++x)
                put(pixels[x], s.at(std::abs(x + 0.5 - s.x) - flatX, qy));
        };
        side(x0, inner0);
        const Cover middle = s.at(-1e9, qy);
        span(y, inner0, inner1, fill, middle.fill);
        if (middle.line > 0)
            span(y, inner0, inner1, line, middle.line);
        side(inner1, x1);
    };
    // Away from the corners a row is all fill but for the outline at both ends.
    const double straight = std::min(0.0, s.radius - reach);
    for (int y = y0; y < y1; ++y) {
        const double qy = std::abs(y + 0.5 - s.y) - flatY;
        if (qy <= straight)
            drawRow(y, s.halfWidth - reach - 0.5, -1e9);
        else
            drawRow(y, flatX - s.line - 1, qy);
    }
}

void RasterSurface::box(const QRectF& rect, double radius, const QColor& fill, const QColor& line, double lineWidth) {
    const double half = line.alpha() > 0 ? lineWidth / 2 * m_ratio : 0;
    const QRectF r = scaled(rect);
    radius = std::min({radius * m_ratio, r.width() / 2, r.height() / 2});
    if (radius >= kSharp)
        return blendBox({r.center().x(), r.center().y(), r.width() / 2, r.height() / 2, radius, half}, Ink(fill),
                        Ink(line));
    if (fill.alpha() > 0)
        fillRect(r, fill);
    if (half <= 0)
        return;
    const QRectF out = r.adjusted(-half, -half, half, half);
    const double inside = std::max(0.0, out.height() - 4 * half);
    fillRect({out.left(), out.top(), out.width(), 2 * half}, line);
    fillRect({out.left(), out.bottom() - 2 * half, out.width(), 2 * half}, line);
    fillRect({out.left(), out.top() + 2 * half, 2 * half, inside}, line);
    fillRect({out.right() - 2 * half, out.top() + 2 * half, 2 * half, inside}, line);
}

void RasterSurface::dashedBox(const QRectF& rect, double radius, const QColor& line, double lineWidth) {
    const QRectF r = scaled(rect);
    const double k = radius * m_ratio * 0.29; // the way from a corner to its arc, as a chamfer
    const std::array<QPointF, 9> outline{
        QPointF(r.left() + k, r.top()),     QPointF(r.right() - k, r.top()),    QPointF(r.right(), r.top() + k),
        QPointF(r.right(), r.bottom() - k), QPointF(r.right() - k, r.bottom()), QPointF(r.left() + k, r.bottom()),
        QPointF(r.left(), r.bottom() - k),  QPointF(r.left(), r.top() + k),     QPointF(r.left() + k, r.top())};
    dashes(outline, Ink(line), lineWidth * m_ratio);
}

void RasterSurface::triangle(const std::array<QPointF, 3>& corners, const QColor& fill) {
    const std::array p{scaled(corners[0]), scaled(corners[1]), scaled(corners[2])};
    const double area = (p[1].x() - p[0].x()) * (p[2].y() - p[0].y()) - (p[1].y() - p[0].y()) * (p[2].x() - p[0].x());
    if (std::abs(area) < 1e-6)
        return;
    std::array<std::array<double, 3>, 3> sides; // distance to each side, positive inside: a x + b y + c
    for (std::size_t i = 0; i < 3; ++i) {
        const QPointF a = p[i], b = p[(i + 1) % 3];
        const double length = std::hypot(b.x() - a.x(), b.y() - a.y()) * (area > 0 ? 1 : -1);
        const double nx = -(b.y() - a.y()) / length, ny = (b.x() - a.x()) / length;
        sides[i] = {nx, ny, -(nx * a.x() + ny * a.y())};
    }
    const auto [left, right] = std::minmax({p[0].x(), p[1].x(), p[2].x()});
    const auto [top, bottom] = std::minmax({p[0].y(), p[1].y(), p[2].y()});
    const auto [x0, x1] = touched(left - 0.5, right + 0.5, m_width);
    const auto [y0, y1] = touched(top - 0.5, bottom + 0.5, m_height);
    const Ink ink(fill);
    for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
            double cover = 1;
            for (const auto& [a, b, c] : sides)
                cover = std::min(cover, a * (x + 0.5) + b * (y + 0.5) + c + 0.5);
            span(y, x, x + 1, ink, clamp01(cover));
        }
    }
}

void RasterSurface::mask(const GlyphMask& glyph, int x, int y, const Ink& ink) {
    const int left = x + glyph.left, top = y + glyph.top;
    const int fromX = std::max(0, -left), toX = std::min(glyph.width, m_width - left);
    const int fromY = std::max(0, -top), toY = std::min(glyph.height, m_height - top);
    for (int v = fromY; v < toY; ++v) {
        const std::uint8_t* cover = glyph.pixels.data() + static_cast<std::ptrdiff_t>(v) * glyph.width;
        QRgb* const pixels = row(top + v) + left;
        for (int u = fromX; u < toX; ++u) {
            if (cover[u] != 0)
                pixels[u] = blended(pixels[u], ink.rgb, (cover[u] + (cover[u] >> 7U)) * ink.alpha >> 8U);
        }
    }
}

void RasterSurface::text(QPointF baseline, const QString& text, int size, bool bold, const QColor& colour) {
    baseline = scaled(baseline);
    size = static_cast<int>(std::lround(size * m_ratio));
    if (baseline.y() < -size || baseline.y() > m_height + size || baseline.x() > m_width || baseline.x() < -1e6)
        return;
    TextFace& face = textFace(size, bold);
    const Ink ink(colour);
    const int y = static_cast<int>(std::lround(baseline.y()));
    if (!std::ranges::all_of(text, TextFace::isSimple)) {
        const int x = static_cast<int>(std::floor(baseline.x()));
        return mask(face.mask(text, baseline.x() - x), x, y, ink);
    }
    double pen = baseline.x();
    for (const QChar c : text) {
        const int quarter = static_cast<int>(std::floor(pen * TextFace::kPhases + 0.5));
        const int x =
            quarter >= 0 ? quarter / TextFace::kPhases : (quarter - TextFace::kPhases + 1) / TextFace::kPhases;
        if (x > m_width)
            return;
        mask(face.glyph(c, quarter - x * TextFace::kPhases), x, y, ink);
        pen += face.advance(c);
    }
}

} // namespace opscape
