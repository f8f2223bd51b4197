// SPDX-License-Identifier: MIT
#include "gui/widgets/pane_header.h"

#include <QToolButton>

namespace opscape {

PaneHeader::PaneHeader(const QString& title, QWidget* parent)
    : QWidget(parent),
      m_layout(new QHBoxLayout(this)),
      m_title(new QLabel(title)),
      m_remark(new QLabel) {
    m_layout->setContentsMargins(10, 2, 6, 2);
    m_layout->setSpacing(2);
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_remark->setEnabled(false); // the colour of what matters less
    m_remark->setContentsMargins(6, 0, 0, 0);
    m_remark->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_layout->addWidget(m_title);
    m_layout->addWidget(m_remark, 1);
    setFixedHeight(30);
}

void PaneHeader::setRemark(const QString& remark) {
    m_text = remark;
    showRemark();
}

void PaneHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_layout->activate();
    showRemark();
}

void PaneHeader::showRemark() {
    m_remark->setText(m_remark->fontMetrics().elidedText(m_text, Qt::ElideRight, std::max(0, m_remark->width() - 8)));
    m_remark->setToolTip(m_text);
}

void PaneHeader::addTool(QAction* action) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setIconSize({16, 16});
    button->setFocusPolicy(Qt::TabFocus);
    const auto name = [action, button] {
        const QString text = action->text().remove(u'&').remove(QStringLiteral("…"));
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        const QString tip = text + (keys.isEmpty() ? QString() : QStringLiteral("  (%1)").arg(keys));
        button->setAccessibleName(text);
        if (action->toolTip() != tip)
            action->setToolTip(tip);
    };
    name();
    connect(action, &QAction::changed, button, name); // what it does may depend on what there is
    addTool(button);
}

void PaneHeader::addTool(QWidget* widget) { m_layout->addWidget(widget); }

} // namespace opscape
