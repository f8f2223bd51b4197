// SPDX-License-Identifier: MIT
// A column of pixels shows the vertical extent of the line in it and where the line enters and leaves; first, lowest,
// highest and last point fix all of these (M4: Jugel, Jerzak, Hackenbroich, Markl, "M4: A Visualization-Oriented Time
// Series Data Aggregation", VLDB 2014).
#include "gui/models/curve_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace opscape {
namespace {

/// Chooses points; those it keeps twice in a row are kept once.
class Sampler {
public:
    Sampler(std::span<const double> x, const CurveSeries& y) : m_x(x), m_y(y.values()) {}

    void keep(std::size_t i) {
        if (i == CurveSeries::kNone || i == m_kept)
            return;
        m_kept = i;
        m_sample.x.push_back(m_x[i]);
        m_sample.y.push_back(m_y[i]);
    }
    CurveSample take() { return std::move(m_sample); }

private:
    std::span<const double> m_x, m_y;
    CurveSample m_sample;
    std::size_t m_kept = CurveSeries::kNone;
};

/// The first of [begin, end) that is not `within`, which those from the begin on are up to there. Looks ever further
/// away from a guess, so that it costs little where it is near that.
std::size_t endOf(std::size_t begin, std::size_t end, std::size_t guess, const auto& within) {
    std::size_t low = std::min(begin + guess, end), high = low, step = 1;
    while (low > begin && !within(low - 1)) { // all before `low` are within, `high` is not or is the end
        high = low - 1;
        low -= std::min(low - begin, step);
        step *= 2;
    }
    while (high < end && within(high)) {
        low = high + 1;
        high += std::min(end - high, step);
        step *= 2;
    }
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (within(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

} // namespace

void CurveColumns::clear() { *this = {}; }

void CurveColumns::append(std::span<const CurvePoint> points) {
    const auto ascending = [](std::vector<double>& column, double value) {
        const double before = column.empty() ? value : column.back();
        column.push_back(value >= before ? value : before);
    };
    for (const CurvePoint& point : points) {
        if (point.update <= m_lastUpdate && !empty())
            m_updatesBefore = m_x[0].back();
        m_lastUpdate = point.update;
        m_x[0].push_back(m_updatesBefore + static_cast<double>(point.update));
        ascending(m_x[1], point.seconds);
        ascending(m_x[2], static_cast<double>(point.simulations));
        m_y[0].append(point.bestNs < 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(point.bestNs));
        m_y[1].append(point.reward);
        m_y[2].append(point.valueBaseline);
        m_y[3].append(point.entropy);
        m_y[4].append(point.kl);
        m_y[5].append(point.clipFraction);
        m_y[6].append(point.policyLoss);
        m_y[7].append(point.imitationLoss);
    }
}

CurveSample sampled(std::span<const double> x, const CurveSeries& y, const CurveWindow& window) {
    const auto indexOf = [&x](auto it) { return static_cast<std::size_t>(it - x.begin()); };
    const std::size_t begin = indexOf(std::ranges::lower_bound(x, window.from));
    const std::size_t end =
        indexOf(std::upper_bound(x.begin() + static_cast<std::ptrdiff_t>(begin), x.end(), window.to));
    const auto along = [&](double at) { return window.logarithmic ? std::log(at) : at; };
    const double from = along(window.from), length = along(window.to) - from;
    const double perPixel = length > 0 ? window.columns / length : 0;
    const auto placeOf = [&](std::size_t i) { return (along(x[i]) - from) * perPixel; };

    Sampler sampler(x, y);
    const std::size_t drawable = window.logarithmic ? indexOf(std::ranges::upper_bound(x, 0.0)) : 0;
    sampler.keep(y.lastNumber(std::min(drawable, begin), begin));
    std::size_t guess = 0;
    for (std::size_t i = begin; i < end;) {
        const double border = std::floor(placeOf(i)) + 1;
        const std::size_t next = endOf(i + 1, end, guess, [&](std::size_t k) { return placeOf(k) < border; });
        if (const auto [lowest, highest] = y.extremes(i, next); lowest != CurveSeries::kNone) {
            sampler.keep(y.firstNumber(i, next));
            sampler.keep(std::min(lowest, highest));
            sampler.keep(std::max(lowest, highest));
            sampler.keep(y.lastNumber(i, next));
        }
        guess = next - i - 1;
        i = next;
    }
    sampler.keep(y.firstNumber(end, x.size()));
    return sampler.take();
}

std::size_t nearestPoint(std::span<const double> x, double at) {
    const auto above = std::ranges::lower_bound(x, at);
    if (above == x.begin())
        return 0;
    const auto below = above - 1;
    const bool isBelow = above == x.end() || at - *below <= *above - at;
    return static_cast<std::size_t>((isBelow ? below : above) - x.begin());
}

} // namespace opscape
