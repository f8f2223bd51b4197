// SPDX-License-Identifier: MIT
#include "gui/views/inspector_pane.h"

#include "gui/inspector_text.h"

#include <QScrollBar>
#include <QVBoxLayout>

namespace opscape {

InspectorPane::InspectorPane(Session& session, Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_header(new PaneHeader(tr("Inspector"))),
      m_text(new QTextBrowser) {
    m_text->setObjectName(QStringLiteral("inspector"));
    m_text->setAccessibleName(tr("Inspector"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(10);
    m_text->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::LinksAccessibleByKeyboard |
                                    Qt::TextSelectableByKeyboard);
    m_text->setPlaceholderText(tr("Open a graph to inspect its ops."));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);
    setFocusProxy(m_text);
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &InspectorPane::refresh);
    const auto soon = [this] { m_soon.start(0); };
    connect(m_text, &QTextBrowser::anchorClicked, this, &InspectorPane::follow);
    connect(&session, &Session::openedChanged, this, soon);
    connect(&session, &Session::shownChanged, this, soon);
    connect(&session, &Session::selectionChanged, this, soon);
    connect(&look, &Look::changed, this, soon);
}

void InspectorPane::refresh() {
    if (!m_session.opened())
        return m_text->clear();
    m_text->setHtml(inspectorHtml(*m_session.opened(), m_session.shown().get(), m_session.selection(), m_look));
    m_text->verticalScrollBar()->setValue(0);
}

void InspectorPane::follow(const QUrl& link) {
    const auto number = static_cast<std::size_t>(link.path().toUInt());
    if (link.scheme() == QStringLiteral("op") && m_session.opened() && number < m_session.opened()->graph->opCount())
        m_session.selectOps({OpId(number)});
}

} // namespace opscape
