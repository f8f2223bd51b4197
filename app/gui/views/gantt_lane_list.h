// SPDX-License-Identifier: MIT
// The lanes of a schedule in a list: which are shown, which stay at the top, and their order.
#pragma once

#include "gui/views/gantt_widget.h"

#include <QLineEdit>
#include <QTreeWidget>

namespace opscape {

/// Rows may be dragged, or moved with Alt+Up and Alt+Down.
class LaneTree : public QTreeWidget {
    Q_OBJECT
public:
    using QTreeWidget::QTreeWidget;
    void moveCurrent(int by);

signals:
    void reordered();

protected:
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

class GanttLaneList : public QWidget {
    Q_OBJECT
public:
    explicit GanttLaneList(GanttWidget& canvas, QWidget* parent = nullptr);

    /// The canvas shows another schedule, or other lanes of it.
    void refresh();
    [[nodiscard]] LaneTree& tree() { return *m_tree; }

private:
    enum Column { Shown, Pinned };

    void read();
    void filter(const QString& text);
    void setListed(Qt::CheckState state);
    void reset();

    GanttWidget& m_canvas;
    QLineEdit* m_filter;
    LaneTree* m_tree;
    bool m_filling = false;
};

} // namespace opscape
