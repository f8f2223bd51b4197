// SPDX-License-Identifier: MIT
#include "gui/views/chart_axes.h"

#include "gui/views/overlay.h"

namespace opscape {

void dressAxes(QCPAxisRect& chart, const Theme& theme, const QFont& font, const QColor& zeroLine) {
    for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft}) {
        QCPAxis* axis = chart.axis(side);
        axis->setBasePen(penOf(theme.frame, 1));
        axis->setTickPen(penOf(theme.frame, 1));
        axis->setTickLabelFont(font);
        axis->setLabelFont(font);
        axis->setTickLabelColor(theme.dimText);
        axis->setLabelColor(theme.dimText);
        axis->grid()->setPen(penOf(theme.grid, 1));
        axis->grid()->setZeroLinePen(penOf(zeroLine, 1));
    }
}

} // namespace opscape
