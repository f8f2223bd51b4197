// SPDX-License-Identifier: MIT
#include "label.h"

#include <cmath>

namespace opscape {

const LabelPainter::Face& LabelPainter::face(double size, bool bold) {
    const std::pair key(static_cast<int>(std::lround(size)), bold);
    auto it = m_faces.find(key);
    if (it == m_faces.end()) {
        const QFont font = Theme::font(key.first, bold);
        it = m_faces.emplace(key, Face{font, QFontMetricsF(font)}).first;
    }
    return it->second;
}

bool LabelPainter::draw(const QRectF& box, int alignment, const QString& text, double size, const QColor& colour,
                        bool bold, Qt::TextElideMode elide) {
    const Face& f = face(size, bold);
    if (text.isEmpty() || box.width() < 4)
        return false;
    QString shown = text;
    double width = f.metrics.horizontalAdvance(text);
    if (width > box.width()) {
        shown = f.metrics.elidedText(text, elide, box.width());
        if (shown.size() < 4) // less than two letters and the dots
            return false;
        width = f.metrics.horizontalAdvance(shown);
    }
    double x = box.left();
    if ((alignment & Qt::AlignHCenter) != 0)
        x = box.center().x() - width / 2;
    else if ((alignment & Qt::AlignRight) != 0)
        x = box.right() - width;
    // Centred by the height of capitals: digits and capitals then look centred in a box, which the line's height does
    // not give.
    double baseline = box.center().y() + f.metrics.capHeight() / 2;
    if ((alignment & Qt::AlignTop) != 0)
        baseline = box.top() + f.metrics.ascent();
    else if ((alignment & Qt::AlignBottom) != 0)
        baseline = box.bottom() - f.metrics.descent();
    m_painter.setFont(f.font);
    m_painter.setPen(colour);
    m_painter.drawText(QPointF(x, baseline), shown);
    return true;
}

} // namespace opscape
