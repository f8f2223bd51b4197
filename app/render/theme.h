// SPDX-License-Identifier: MIT
// Colours of the pictures, light and dark. Devices take the colour-blind-safe palette of Okabe and Ito (2008), extended
// by lightness for more than eight, and always a letter too, so that nothing is said by hue alone.
#pragma once

#include <opscape/base/ids.h>

#include <QColor>
#include <QFont>
#include <QString>

namespace opscape {

struct Theme {
    bool dark = false;
    QColor background, frame, frameFill, text, dimText, edge, selection, inputHighlight, outputHighlight, critical,
        grid, memory, capacity, unplaced;

    [[nodiscard]] static Theme light();
    [[nodiscard]] static Theme darkTheme();

    [[nodiscard]] QColor device(DeviceId id) const;
    /// Of a scale, `part` from 0 for the least to 1 for the most: always further from the background, so that it reads
    /// with any eyes and in grey.
    [[nodiscard]] QColor scale(double part) const;
    /// Black or white, whichever reads better on a fill.
    [[nodiscard]] static QColor textOn(const QColor& fill);
    /// "A", "B", ... "Z", "AA", ...
    [[nodiscard]] static QString deviceLetter(DeviceId id);
    /// The size is the text's height in the units of the painter, so that a picture is the same at any screen
    /// resolution.
    [[nodiscard]] static QFont font(double size, bool bold = false);
    /// `share` of the first colour, the rest of the second; opaque.
    [[nodiscard]] static QColor mix(const QColor& a, const QColor& b, double share);
};

} // namespace opscape
