// SPDX-License-Identifier: MIT
// Where a graph is drawn: the few shapes it is made of. One kind of surface sets pixels itself, which is what makes a
// frame of thousands of boxes fast; the other hands them to a QPainter, for files that hold shapes.
#pragma once

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <array>
#include <span>

namespace opscape {

/// One colour of a bar and how much of its length it takes.
struct BarPart {
    double share = 0;
    QColor colour;
};

class Surface {
public:
    Surface() = default;
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;
    virtual ~Surface() = default;

    /// What lies outside is not drawn and need not be handed over.
    [[nodiscard]] virtual QRectF clip() const { return {-1e9, -1e9, 2e9, 2e9}; }
    /// What is drawn becomes pixels of its own size; false where it is kept as shapes, for any size.
    [[nodiscard]] virtual bool hasPixels() const { return false; }
    virtual void rect(const QRectF& rect, const QColor& fill) = 0;
    /// A box with round corners and an outline, which is centred on its edge; transparent where not wanted.
    virtual void box(const QRectF& rect, double radius, const QColor& fill, const QColor& line, double lineWidth) = 0;
    /// The outline alone, dashed.
    virtual void dashedBox(const QRectF& rect, double radius, const QColor& line, double lineWidth) = 0;
    /// Parts beside one another that together fill the box. Several have sharp corners, unless a surface can do better.
    virtual void bar(const QRectF& rect, double radius, std::span<const BarPart> parts) {
        if (parts.size() == 1)
            return box(rect, radius, parts[0].colour, Qt::transparent, 0);
        double x = rect.left();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const double right = i + 1 == parts.size() ? rect.right() : x + parts[i].share * rect.width();
            this->rect({x, rect.top(), right - x, rect.height()}, parts[i].colour);
            x = right;
        }
    }
    /// Parts on top of one another, the first one lowest, that together fill the box.
    virtual void stack(const QRectF& rect, std::span<const BarPart> parts) {
        double y = rect.bottom();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const double top = i + 1 == parts.size() ? rect.top() : y - parts[i].share * rect.height();
            this->rect({rect.left(), top, rect.width(), y - top}, parts[i].colour);
            y = top;
        }
    }
    /// A polyline or, when curved, cubic Bezier curves of 3k + 1 points.
    virtual void line(std::span<const QPointF> points, bool curved, const QColor& colour, double width,
                      bool dashed = false) = 0;
    virtual void triangle(const std::array<QPointF, 3>& corners, const QColor& fill) = 0;
    /// `size` in whole pixels; measured by textFace().
    virtual void text(QPointF baseline, const QString& text, int size, bool bold, const QColor& colour) = 0;
};

} // namespace opscape
