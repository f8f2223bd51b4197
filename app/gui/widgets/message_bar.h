// SPDX-License-Identifier: MIT
// One sentence at the top of the window: what went wrong, or what happened. Never a box in the way.
#pragma once

#include "gui/look.h"

#include <opscape/base/diagnostics.h>

#include <QFrame>
#include <QLabel>

namespace opscape {

class MessageBar : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(Look& look, QWidget* parent = nullptr);

    void say(Severity severity, const QString& sentence);
    [[nodiscard]] QString text() const { return m_text->text(); }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void paintAs(Severity severity);

    Look& m_look;
    Severity m_severity = Severity::Info;
    QLabel* m_icon;
    QLabel* m_text;
};

} // namespace opscape
