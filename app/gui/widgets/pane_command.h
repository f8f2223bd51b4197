// SPDX-License-Identifier: MIT
// The commands of a pane: single keys that only mean something while what the pane draws has the focus.
#pragma once

#include "gui/look.h"

#include <QAction>
#include <QWidget>

#include <functional>

namespace opscape {

/// An action of `pane` whose keys work while `canvas` has the focus. `icon` may be empty.
QAction* addPaneCommand(QWidget* pane, QWidget* canvas, Look& look, const QString& text, const QString& icon,
                        const QList<QKeySequence>& keys, const std::function<void()>& act);

} // namespace opscape
