// SPDX-License-Identifier: MIT
// Several curves of the same kind as one: their mean, and the lowest and highest of them, where all of them are.
#pragma once

#include "gui/models/curve_columns.h"

namespace opscape {

struct CurveSpread {
    std::vector<double> x, mean, low, high;
};

/// The places of an axis where several curves are looked at together, and where in each curve these lie: found once for
/// all figures. They are evenly apart within what is seen, so that there are from `places` to twice as many, and stay
/// where they are while the window moves over them; on both sides they reach one place beyond it. Only the part that
/// all curves have is looked at.
class SpreadPlaces {
public:
    SpreadPlaces(std::span<const CurveColumns* const> curves, CurveAxis axis, const CurveWindow& window, int places);
    /// The best step time keeps its value until the next point, other figures are joined by lines.
    [[nodiscard]] CurveSpread of(CurveFigure figure) const;

private:
    struct Place {
        std::size_t before;
        double part; ///< of the way to the next point
    };

    std::vector<const CurveColumns*> m_curves;
    std::vector<double> m_x;
    std::vector<Place> m_places; ///< of the first curve, then of the second ...
};

} // namespace opscape
