// SPDX-License-Identifier: MIT
#include "painter_surface.h"

#include "theme.h"

#include <QPainterPath>

#include <algorithm>

namespace opscape {
namespace {

/// A rectangle, round at its left, its right or both.
QPainterPath partPath(const QRectF& r, double left, double right) {
    QPainterPath path(QPointF(r.left() + left, r.top()));
    path.lineTo(r.right() - right, r.top());
    if (right > 0)
        path.arcTo(r.right() - 2 * right, r.top(), 2 * right, 2 * right, 90, -90);
    path.lineTo(r.right(), r.bottom() - right);
    if (right > 0)
        path.arcTo(r.right() - 2 * right, r.bottom() - 2 * right, 2 * right, 2 * right, 0, -90);
    path.lineTo(r.left() + left, r.bottom());
    if (left > 0)
        path.arcTo(r.left(), r.bottom() - 2 * left, 2 * left, 2 * left, 270, -90);
    path.lineTo(r.left(), r.top() + left);
    if (left > 0)
        path.arcTo(r.left(), r.top(), 2 * left, 2 * left, 180, -90);
    path.closeSubpath();
    return path;
}

} // namespace

void PainterSurface::rect(const QRectF& rect, const QColor& fill) { m_painter.fillRect(rect, fill); }

void PainterSurface::box(const QRectF& rect, double radius, const QColor& fill, const QColor& line, double lineWidth) {
    m_painter.setPen(line.alpha() > 0 && lineWidth > 0 ? QPen(line, lineWidth) : QPen(Qt::NoPen));
    m_painter.setBrush(fill.alpha() > 0 ? QBrush(fill) : QBrush(Qt::NoBrush));
    m_painter.drawRoundedRect(rect, radius, radius);
}

void PainterSurface::dashedBox(const QRectF& rect, double radius, const QColor& line, double lineWidth) {
    m_painter.setPen(QPen(line, lineWidth, Qt::DashLine, Qt::FlatCap, Qt::RoundJoin));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRoundedRect(rect, radius, radius);
}

void PainterSurface::bar(const QRectF& rect, double radius, std::span<const BarPart> parts) {
    m_painter.setPen(Qt::NoPen);
    const double most = std::min(rect.width(), rect.height()) / 2;
    double x = rect.left();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double right = i + 1 == parts.size() ? rect.right() : x + parts[i].share * rect.width();
        const QRectF part(x, rect.top(), right - x, rect.height());
        const double round = std::min({radius, most, part.width() / 2});
        const bool first = i == 0, last = i + 1 == parts.size();
        x = right;
        if (round > 0.5 && (first || last))
            m_painter.fillPath(partPath(part, first ? round : 0, last ? round : 0), parts[i].colour);
        else
            m_painter.fillRect(part, parts[i].colour);
    }
}

void PainterSurface::line(std::span<const QPointF> points, bool curved, const QColor& colour, double width,
                          bool dashed) {
    QPainterPath path(points.front());
    for (std::size_t i = 1; i < points.size();) {
        if (curved && i + 2 < points.size()) {
            path.cubicTo(points[i], points[i + 1], points[i + 2]);
            i += 3;
        } else {
            path.lineTo(points[i++]);
        }
    }
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(colour, width, dashed ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    m_painter.drawPath(path);
}

void PainterSurface::triangle(const std::array<QPointF, 3>& corners, const QColor& fill) {
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(fill);
    m_painter.drawPolygon(corners.data(), 3);
}

void PainterSurface::text(QPointF baseline, const QString& text, int size, bool bold, const QColor& colour) {
    auto font = m_fonts.find({size, bold});
    if (font == m_fonts.end())
        font = m_fonts.emplace(std::pair(size, bold), Theme::font(size, bold)).first;
    m_painter.setFont(font->second);
    m_painter.setPen(colour);
    m_painter.drawText(baseline, text);
}

} // namespace opscape
