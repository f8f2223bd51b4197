// SPDX-License-Identifier: MIT
#include "pin_mark.h"

#include <algorithm>

namespace opscape {

void paintPin(Surface& surface, QPointF tip, double height, const Theme& theme, bool all) {
    const double head = 0.64 * height, rim = std::max(1.0, 0.09 * height);
    const QRectF round(tip.x() - head / 2, tip.y() - height, head, head);
    const double needle = std::max(1.2, 0.13 * height);
    const QRectF stem(tip.x() - needle / 2, round.bottom() - 1, needle, tip.y() - round.bottom() + 1);
    surface.rect(stem.adjusted(-rim, 0, rim, rim), theme.background); // stands out from any colour
    surface.box(round.adjusted(-rim, -rim, rim, rim), head / 2 + rim, theme.background, Qt::transparent, 0);
    surface.rect(stem, theme.text);
    surface.box(round, head / 2, theme.text, Qt::transparent, 0);
    if (!all) {
        const double hole = 0.5 * head;
        surface.box({round.center().x() - hole / 2, round.center().y() - hole / 2, hole, hole}, hole / 2,
                    theme.background, Qt::transparent, 0);
    }
}

} // namespace opscape
