// SPDX-License-Identifier: MIT
#include "gui/models/curve_spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace opscape {
namespace {

/// Multiples of a power of two within [from, to], `places` to twice as many, one more on each side, cut to [low, high].
std::vector<double> evenly(double from, double to, double low, double high, int places) {
    if (!(high > low) || !(to > from))
        return {std::clamp(from, low, high)};
    const double step = std::exp2(std::floor(std::log2((to - from) / places)));
    from = std::clamp((std::floor(from / step) - 1) * step, low, high);
    to = std::clamp((std::ceil(to / step) + 1) * step, low, high);
    std::vector<double> found{from};
    for (double i = std::floor(from / step) + 1; i * step < to; ++i)
        found.push_back(i * step);
    if (to > from)
        found.push_back(to);
    return found;
}

} // namespace

SpreadPlaces::SpreadPlaces(std::span<const CurveColumns* const> curves, CurveAxis axis, const CurveWindow& window,
                           int places)
    : m_curves(curves.begin(), curves.end()) {
    if (curves.empty() || std::ranges::any_of(curves, &CurveColumns::empty))
        return;
    double low = curves[0]->x(axis).front(), high = curves[0]->x(axis).back();
    for (const CurveColumns* curve : curves) {
        low = std::max(low, curve->x(axis).front());
        high = std::min(high, curve->x(axis).back());
    }
    if (window.logarithmic && low <= 0)
        low = std::max(low, std::min(window.from, high)); // it has no place for 0
    if (low > high)
        return;
    if (window.logarithmic) {
        m_x = evenly(std::log(window.from), std::log(window.to), std::log(low), std::log(high), places);
        for (double& x : m_x)
            x = std::clamp(std::exp(x), low, high);
    } else {
        m_x = evenly(window.from, window.to, low, high, places);
    }
    for (const CurveColumns* curve : curves) {
        const std::vector<double>& x = curve->x(axis);
        auto after = std::ranges::upper_bound(x, m_x.front());
        for (const double at : m_x) {
            after = std::upper_bound(after, x.end(), at);
            const auto before = static_cast<std::size_t>(after - x.begin()) - 1;
            const bool isLast = after == x.end();
            m_places.push_back({before, isLast ? 0.0 : (at - x[before]) / (*after - x[before])});
        }
    }
}

CurveSpread SpreadPlaces::of(CurveFigure figure) const {
    const std::size_t places = m_x.size();
    std::vector<double> sum(places, 0.0), low(places, std::numeric_limits<double>::infinity());
    std::vector<double> high(places, -std::numeric_limits<double>::infinity());
    for (std::size_t c = 0; c < m_curves.size() && places > 0; ++c) {
        const std::vector<double>& y = m_curves[c]->y(figure);
        for (std::size_t i = 0; i < places; ++i) {
            const auto [before, part] = m_places[c * places + i];
            double value = y[before];
            if (figure != CurveFigure::Best && part > 0)
                value += (y[before + 1] - value) * part;
            sum[i] += value; // not a number where one of them is not
            low[i] = std::min(low[i], value);
            high[i] = std::max(high[i], value);
        }
    }
    CurveSpread spread;
    for (std::size_t i = 0; i < places; ++i) {
        if (std::isnan(sum[i]))
            continue;
        spread.x.push_back(m_x[i]);
        spread.mean.push_back(sum[i] / static_cast<double>(m_curves.size()));
        spread.low.push_back(low[i]);
        spread.high.push_back(high[i]);
    }
    return spread;
}

} // namespace opscape
