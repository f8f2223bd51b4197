// SPDX-License-Identifier: MIT
#include "label.h"

#include "painter_surface.h"

#include <algorithm>

namespace opscape {

LabelPainter::LabelPainter(QPainter& painter)
    : m_own(std::make_unique<PainterSurface>(painter)),
      m_surface(m_own.get()) {}

QString elided(const TextFace& face, const QString& text, double width, Qt::TextElideMode mode) {
    if (face.width(text) <= width)
        return text;
    const QString dots = QStringLiteral("...");
    const auto with = [&](qsizetype kept) {
        const qsizetype tail = mode == Qt::ElideMiddle ? kept / 2 : mode == Qt::ElideLeft ? kept : 0;
        QString before = text.left(kept - tail), after = text.right(tail);
        if (!before.isEmpty() && before.back().isHighSurrogate()) // no half of a character
            before.chop(1);
        if (!after.isEmpty() && after.front().isLowSurrogate())
            after.remove(0, 1);
        return QString(before + dots + after);
    };
    qsizetype fits = 0, tooMany = text.size();
    while (tooMany - fits > 1) {
        const qsizetype middle = (fits + tooMany) / 2;
        (face.width(with(middle)) <= width ? fits : tooMany) = middle;
    }
    return with(fits);
}

bool LabelPainter::draw(const QRectF& box, int alignment, const QString& text, double size, const QColor& colour,
                        bool bold, Qt::TextElideMode elide) {
    if (text.isEmpty() || box.width() < 4)
        return false;
    const TextFace& f = face(size, bold);
    double width = f.width(text);
    const QString* shown = &text;
    QString shorter;
    if (width > box.width()) {
        shorter = elided(f, text, box.width(), elide);
        if (shorter.size() < 5) // less than two letters and the dots
            return false;
        shown = &shorter;
        width = f.width(shorter);
    }
    double x = box.left();
    if ((alignment & Qt::AlignHCenter) != 0)
        x = box.center().x() - width / 2;
    else if ((alignment & Qt::AlignRight) != 0)
        x = box.right() - width;
    // Centred by the height of capitals: digits and capitals then look centred in a box, which the line's height does
    // not give.
    double baseline = box.center().y() + f.capHeight() / 2;
    if ((alignment & Qt::AlignTop) != 0)
        baseline = box.top() + f.ascent();
    else if ((alignment & Qt::AlignBottom) != 0)
        baseline = box.bottom() - f.descent();
    m_surface->text(QPointF(x, baseline), *shown, pixels(size), bold, colour);
    return true;
}

} // namespace opscape
