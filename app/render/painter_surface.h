// SPDX-License-Identifier: MIT
// A surface that hands every shape to a QPainter: for SVG and PDF, and for what is drawn beside other things.
#pragma once

#include "surface.h"

#include <QFont>
#include <QPainter>

#include <map>

namespace opscape {

class PainterSurface : public Surface {
public:
    /// Leaves pen, brush and font of the painter as they come.
    explicit PainterSurface(QPainter& painter) : m_painter(painter) {}

    void rect(const QRectF& rect, const QColor& fill) override;
    void box(const QRectF& rect, double radius, const QColor& fill, const QColor& line, double lineWidth) override;
    void dashedBox(const QRectF& rect, double radius, const QColor& line, double lineWidth) override;
    void bar(const QRectF& rect, double radius, std::span<const BarPart> parts) override;
    void line(std::span<const QPointF> points, bool curved, const QColor& colour, double width, bool dashed) override;
    void triangle(const std::array<QPointF, 3>& corners, const QColor& fill) override;
    void text(QPointF baseline, const QString& text, int size, bool bold, const QColor& colour) override;

private:
    QPainter& m_painter;
    std::map<std::pair<int, bool>, QFont> m_fonts;
};

} // namespace opscape
