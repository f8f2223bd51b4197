// SPDX-License-Identifier: MIT
#include "gui/widgets/elided_label.h"

namespace opscape {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ElidedLabel::setWhole(const QString& text) {
    m_whole = text;
    setAccessibleName(text);
    elide();
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::elide() {
    const QString text = fontMetrics().elidedText(m_whole, Qt::ElideMiddle, contentsRect().width());
    if (text == this->text())
        return;
    setText(text);
    setToolTip(text == m_whole ? QString() : m_whole);
}

} // namespace opscape
