// SPDX-License-Identifier: MIT
#include "gui/widgets/pane_command.h"

namespace opscape {

QAction* addPaneCommand(QWidget* pane, QWidget* canvas, Look& look, const QString& text, const QString& icon,
                        const QList<QKeySequence>& keys, const std::function<void()>& act) {
    auto* action = new QAction(text, pane);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    if (!icon.isEmpty())
        look.dress(action, icon);
    QObject::connect(action, &QAction::triggered, pane, act);
    canvas->addAction(action);
    return action;
}

} // namespace opscape
