// SPDX-License-Identifier: MIT
// Lines with soft edges: a segment is walked along its longer axis, and at each step the stretch across it that the
// line covers is filled, its two ends by the part of a pixel that lies inside. Curves are cut into pieces short enough
// not to show. Clipped before anything is turned into whole numbers, which could not hold what lies far outside.
#include "raster_blend.h"
#include "raster_surface.h"

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

/// Cuts off what lies outside (Liang, Barsky 1984); false when nothing is left.
bool cutOff(QPointF& a, QPointF& b, double left, double top, double right, double bottom) {
    const QPointF way = b - a;
    double from = 0, to = 1;
    const auto cut = [&](double along, double room) {
        if (along == 0)
            return room >= 0;
        const double at = room / along;
        along < 0 ? from = std::max(from, at) : to = std::min(to, at);
        return from <= to;
    };
    if (!cut(-way.x(), a.x() - left) || !cut(way.x(), right - a.x()) || !cut(-way.y(), a.y() - top) ||
        !cut(way.y(), bottom - a.y()))
        return false;
    b = a + way * to;
    a += way * from;
    return true;
}

constexpr std::int64_t kOne = 1 << 16;
constexpr std::int64_t kShift = 1 << 20; ///< makes places positive, which are then cut off and not rounded

double lengthOf(QPointF way) { return std::sqrt(QPointF::dotProduct(way, way)); }

/// The two points between lie on the way from the first to the last.
bool isStraight(QPointF a, QPointF b, QPointF c, QPointF d) {
    const auto off = [&](QPointF p) {
        return std::abs((p.x() - a.x()) * (d.y() - a.y()) - (p.y() - a.y()) * (d.x() - a.x()));
    };
    const QPointF way = d - a;
    const double length = QPointF::dotProduct(way, way), near = 0.05 * std::sqrt(length);
    const auto between = [&](QPointF p) {
        const double on = QPointF::dotProduct(p - a, way);
        return on >= 0 && on <= length;
    };
    return off(b) <= near && off(c) <= near && between(b) && between(c);
}

constexpr double kPiece = 7; ///< pixels of a curve that are drawn as a straight line
constexpr int kMostPieces = 48;

} // namespace

void RasterSurface::segment(QPointF a, QPointF b, const Ink& ink, double width) {
    const double margin = width + 2;
    const QPointF on = a; // not changed by what is cut off, so that a band of a picture is as the whole
    if (!cutOff(a, b, -margin, -margin, m_width + margin, m_height + margin))
        return;
    const QPointF way = b - a;
    const bool steep = std::abs(way.y()) > std::abs(way.x());
    const double along = steep ? std::abs(way.y()) : std::abs(way.x());
    if (along < 1e-6)
        return;
    if (steep ? a.y() > b.y() : a.x() > b.x())
        std::swap(a, b);
    const double slope = steep ? (b.x() - a.x()) / along : (b.y() - a.y()) / along;
    const double across = std::max(width, 1.0) * std::sqrt(1 + slope * slope) / 2; // half of what one step covers
    const double start = steep ? a.y() : a.x(), end = steep ? b.y() : b.x();
    const double onAlong = steep ? on.y() : on.x(), onAcross = steep ? on.x() : on.y();
    const int most = steep ? m_height : m_width;
    const std::int64_t mostAcross = steep ? m_width : m_height;
    const int from = std::max(0, static_cast<int>(std::floor(start))),
              to = std::min(most, static_cast<int>(std::ceil(end)));
    const std::ptrdiff_t stepAcross = steep ? 1 : m_stride, stepAlong = steep ? m_stride : 1;
    // Places across in 1/65536 of a pixel.
    const std::int64_t high = std::llround(2 * across * kOne);
    const double strength = std::min(width, 1.0) * ink.alpha;
    const auto whole = static_cast<std::uint32_t>(strength + 0.5);
    for (int i = from; i < to; ++i) {
        std::uint32_t full = whole;
        if (i < start || i + 1 > end) // a step that is there in part
            full = static_cast<std::uint32_t>(strength * (std::min(end, i + 1.0) - std::max(start, double(i))) + 0.5);
        const auto put = [&](std::int64_t u, std::int64_t cover) {
            if (u < 0 || u >= mostAcross)
                return;
            QRgb& pixel = m_pixels[i * stepAlong + u * stepAcross];
            pixel = blended(pixel, ink.rgb, static_cast<std::uint32_t>(cover * full >> 16));
        };
        const std::int64_t low =
            static_cast<std::int64_t>((onAcross + (i + 0.5 - onAlong) * slope - across + kShift) * kOne) -
            kShift * kOne;
        const std::int64_t top = low + high, u0 = low >> 16, u1 = top >> 16;
        if (u0 == u1) {
            put(u0, high);
            continue;
        }
        put(u0, kOne - (low & (kOne - 1)));
        for (std::int64_t u = u0 + 1; u < u1; ++u)
            put(u, kOne);
        put(u1, top & (kOne - 1));
    }
}

void RasterSurface::polyline(std::span<const QPointF> points, const Ink& ink, double width) {
    const auto bends = [&](std::size_t i) { // enough to be seen; elsewhere what overlaps would show as a bead
        if (i == 0 || i + 1 >= points.size())
            return false;
        const QPointF in = points[i] - points[i - 1], out = points[i + 1] - points[i];
        const double turn = in.x() * out.y() - in.y() * out.x(), on = QPointF::dotProduct(in, out);
        return on <= 0 || std::abs(turn) > 0.08 * on;
    };
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        QPointF a = points[i], b = points[i + 1];
        const double length = lengthOf(b - a);
        if (width > 1.4 && length > 1e-6) { // wide lines would gape at their bends
            const QPointF more = (b - a) / length * (width / 2);
            if (bends(i))
                a -= more;
            if (bends(i + 1))
                b += more;
        }
        segment(a, b, ink, width);
    }
}

void RasterSurface::dashes(std::span<const QPointF> points, const Ink& ink, double width) {
    const double dash = 4 * width, period = 6 * width;
    double done = 0; // of the whole line
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        QPointF a = points[i], b = points[i + 1];
        const double length = lengthOf(b - a);
        const QPointF unit = length > 0 ? (b - a) / length : QPointF();
        QPointF seenA = a, seenB = b;
        if (cutOff(seenA, seenB, -width, -width, m_width + width, m_height + width)) {
            const double from = lengthOf(seenA - a), to = lengthOf(seenB - a);
            for (double k = std::floor((done + from) / period); k * period < done + to; ++k) {
                const double start = std::max(k * period - done, from), end = std::min(k * period + dash - done, to);
                if (start < end)
                    segment(a + unit * start, a + unit * end, ink, width);
            }
        }
        done += length;
    }
}

std::span<const QPointF> RasterSurface::flatten(std::span<const QPointF> curve) {
    m_flat.clear();
    m_flat.push_back(curve.front());
    std::size_t i = 1;
    for (; i + 2 < curve.size(); i += 3) {
        const QPointF a = curve[i - 1], b = curve[i], c = curve[i + 1], d = curve[i + 2];
        if (isStraight(a, b, c, d)) {
            m_flat.push_back(d);
            continue;
        }
        const double length = (std::abs(b.x() - a.x()) + std::abs(b.y() - a.y()) + std::abs(c.x() - b.x()) +
                               std::abs(c.y() - b.y()) + std::abs(d.x() - c.x()) + std::abs(d.y() - c.y()));
        const int pieces = std::clamp(static_cast<int>(length / kPiece), 2, kMostPieces);
        for (int k = 1; k <= pieces; ++k) {
            const double t = static_cast<double>(k) / pieces, s = 1 - t;
            m_flat.push_back(a * (s * s * s) + b * (3 * s * s * t) + c * (3 * s * t * t) + d * (t * t * t));
        }
    }
    for (; i < curve.size(); ++i)
        m_flat.push_back(curve[i]);
    return m_flat;
}

void RasterSurface::line(std::span<const QPointF> points, bool curved, const QColor& colour, double width,
                         bool dashed) {
    m_points.clear();
    for (const QPointF point : points)
        m_points.push_back(scaled(point));
    const auto flat = curved ? flatten(m_points) : std::span<const QPointF>(m_points);
    dashed ? dashes(flat, Ink(colour), width * m_ratio) : polyline(flat, Ink(colour), width * m_ratio);
}

} // namespace opscape
