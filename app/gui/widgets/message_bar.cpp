// SPDX-License-Identifier: MIT
#include "gui/widgets/message_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>

namespace opscape {

MessageBar::MessageBar(Look& look, QWidget* parent)
    : QFrame(parent),
      m_look(look),
      m_icon(new QLabel),
      m_text(new QLabel) {
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Message"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    layout->setSpacing(10);
    m_text->setWordWrap(true);
    m_icon->setFixedHeight(std::max(16, m_text->fontMetrics().lineSpacing())); // beside the first line
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setTextFormat(Qt::PlainText);
    auto* close = new QToolButton;
    close->setAccessibleName(tr("Dismiss the message"));
    close->setToolTip(tr("Dismiss  (Esc)"));
    look.dress(close, QStringLiteral("close"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addWidget(m_text, 1);
    layout->addWidget(close, 0, Qt::AlignTop);
    connect(&look, &Look::changed, this, [this] { paintAs(m_severity); });
    hide();
}

void MessageBar::say(Severity severity, const QString& sentence) {
    m_text->setText(sentence);
    setAccessibleDescription(sentence);
    paintAs(severity);
    show();
}

void MessageBar::paintAs(Severity severity) {
    m_severity = severity;
    const bool isInfo = severity == Severity::Info;
    const QColor color = isInfo ? m_look.accent() : severity == Severity::Warning ? m_look.warning() : m_look.error();
    QColor fill = color;
    fill.setAlpha(m_look.theme().dark ? 46 : 26);
    setStyleSheet(QStringLiteral("#messageBar { background: %1; border-left: 3px solid %2; }")
                      .arg(fill.name(QColor::HexArgb), color.name()));
    const QString name = isInfo                          ? QStringLiteral("info")
                         : severity == Severity::Warning ? QStringLiteral("warning")
                                                         : QStringLiteral("error");
    m_icon->setPixmap(m_look.icon(name).pixmap(16, 16));
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QFrame::keyPressEvent(event);
}

} // namespace opscape
