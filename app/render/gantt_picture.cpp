// SPDX-License-Identifier: MIT
#include "gantt_picture.h"

#include "gantt_canvas.h"

namespace opscape {

void paintGantt(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const GanttData& data,
                const GanttView& what, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    GanttCanvas canvas(painter, view, camera, data, what, theme);
    canvas.grid();
    canvas.lanes();
    canvas.critical();
    canvas.selection();
    canvas.marks();
    canvas.laneLabels();
    canvas.axis();
    painter.restore();
}

} // namespace opscape
