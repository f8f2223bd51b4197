// SPDX-License-Identifier: MIT
// All that is known of the selection; inputs and outputs are links that select.
#pragma once

#include "gui/look.h"
#include "gui/session.h"
#include "gui/widgets/pane_header.h"

#include <QTextBrowser>
#include <QTimer>
#include <QWidget>

namespace opscape {

class InspectorPane : public QWidget {
    Q_OBJECT
public:
    InspectorPane(Session& session, Look& look, QWidget* parent = nullptr);

    [[nodiscard]] PaneHeader* header() { return m_header; }
    [[nodiscard]] QTextBrowser& text() { return *m_text; }

private:
    void refresh();
    void follow(const QUrl& link);

    Session& m_session;
    Look& m_look;
    PaneHeader* m_header;
    QTextBrowser* m_text;
    QTimer m_soon; ///< several changes at once are one refresh
};

} // namespace opscape
