// SPDX-License-Identifier: MIT
#include "gui/models/curve_spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace opscape {
namespace {

/// `at` is within the curve.
double valueAt(const CurveColumns& curve, CurveAxis axis, CurveFigure figure, double at) {
    const auto& x = curve.x(axis);
    const auto& y = curve.y(figure);
    const auto after = static_cast<std::size_t>(std::ranges::upper_bound(x, at) - x.begin());
    const std::size_t before = after - 1;
    if (figure == CurveFigure::Best || after == x.size() || x[after] == x[before])
        return y[before];
    return y[before] + (y[after] - y[before]) * (at - x[before]) / (x[after] - x[before]);
}

} // namespace

CurveSpread spreadOf(std::span<const CurveColumns* const> curves, CurveAxis axis, CurveFigure figure, int places) {
    CurveSpread spread;
    if (curves.empty() || std::ranges::any_of(curves, &CurveColumns::empty))
        return spread;
    double from = curves[0]->x(axis).front(), to = curves[0]->x(axis).back();
    for (const CurveColumns* curve : curves) {
        from = std::max(from, curve->x(axis).front());
        to = std::min(to, curve->x(axis).back());
    }
    if (from > to)
        return spread;
    const int last = from < to ? std::max(1, places - 1) : 0;
    for (int i = 0; i <= last; ++i) {
        const double x = last == 0 ? from : std::min(to, from + (to - from) * i / last);
        double sum = 0, low = std::numeric_limits<double>::infinity(), high = -low;
        for (const CurveColumns* curve : curves) {
            const double y = valueAt(*curve, axis, figure, x);
            sum += y; // not a number where one of them is not
            low = std::min(low, y);
            high = std::max(high, y);
        }
        if (std::isnan(sum))
            continue;
        spread.x.push_back(x);
        spread.mean.push_back(sum / static_cast<double>(curves.size()));
        spread.low.push_back(low);
        spread.high.push_back(high);
    }
    return spread;
}

} // namespace opscape
