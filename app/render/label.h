// SPDX-License-Identifier: MIT
// Text in pictures: always inside its rectangle, shortened where it must be, left out where nothing readable would
// remain.
#pragma once

#include "theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <map>

namespace opscape {

/// Remembers fonts and their measures for the time of one picture.
class LabelPainter {
public:
    static constexpr double kSmallest = 8; ///< of readable text, pixels

    explicit LabelPainter(QPainter& painter) : m_painter(painter) {}

    /// True when anything was drawn. Names are shortened in the middle: they differ most at their ends.
    bool draw(const QRectF& box, int alignment, const QString& text, double size, const QColor& colour,
              bool bold = false, Qt::TextElideMode elide = Qt::ElideMiddle);
    [[nodiscard]] double width(const QString& text, double size, bool bold = false) {
        return face(size, bold).metrics.horizontalAdvance(text);
    }
    [[nodiscard]] double height(double size, bool bold = false) { return face(size, bold).metrics.height(); }

private:
    struct Face {
        QFont font;
        QFontMetricsF metrics;
    };
    const Face& face(double size, bool bold);

    QPainter& m_painter;
    std::map<std::pair<int, bool>, Face> m_faces;
};

} // namespace opscape
