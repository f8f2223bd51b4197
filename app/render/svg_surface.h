// SPDX-License-Identifier: MIT
// A surface that writes SVG, one element for a shape. Qt's own writer repeats pen, brush and font with every shape,
// which for 80,000 ops makes files several times as large.
#pragma once

#include "surface.h"

#include <QSize>

#include <string>

namespace opscape {

class SvgSurface : public Surface {
public:
    explicit SvgSurface(QSize size);

    void rect(const QRectF& rect, const QColor& fill) override;
    void box(const QRectF& rect, double radius, const QColor& fill, const QColor& line, double lineWidth) override;
    void dashedBox(const QRectF& rect, double radius, const QColor& line, double lineWidth) override;
    void line(std::span<const QPointF> points, bool curved, const QColor& colour, double width, bool dashed) override;
    void triangle(const std::array<QPointF, 3>& corners, const QColor& fill) override;
    void text(QPointF baseline, const QString& text, int size, bool bold, const QColor& colour) override;

    /// The whole file.
    [[nodiscard]] std::string finish();

private:
    void paint(const char* name, const QColor& colour);
    void number(double value);
    void place(const QRectF& rect, double radius);

    std::string m_file;
};

} // namespace opscape
