// SPDX-License-Identifier: MIT
// Text in pictures: always inside its rectangle, shortened where it must be, left out where nothing readable would
// remain.
#pragma once

#include "surface.h"
#include "text_face.h"

#include <cmath>
#include <memory>

class QPainter;

namespace opscape {

class LabelPainter {
public:
    static constexpr double kSmallest = 8; ///< of readable text, pixels

    explicit LabelPainter(Surface& surface) : m_surface(&surface) {}
    explicit LabelPainter(QPainter& painter);

    /// True when anything was drawn. Names are shortened in the middle: they differ most at their ends.
    bool draw(const QRectF& box, int alignment, const QString& text, double size, const QColor& colour,
              bool bold = false, Qt::TextElideMode elide = Qt::ElideMiddle);
    [[nodiscard]] double width(const QString& text, double size, bool bold = false) {
        return face(size, bold).width(text);
    }
    [[nodiscard]] double height(double size, bool bold = false) { return face(size, bold).height(); }

private:
    static int pixels(double size) { return static_cast<int>(std::lround(size)); }
    static TextFace& face(double size, bool bold) { return textFace(pixels(size), bold); }

    std::unique_ptr<Surface> m_own; ///< where only a painter was given
    Surface* m_surface;
};

/// The text, or what of it fits the width with dots for the rest.
[[nodiscard]] QString elided(const TextFace& face, const QString& text, double width, Qt::TextElideMode mode);

} // namespace opscape
