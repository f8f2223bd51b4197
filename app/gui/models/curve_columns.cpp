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

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// What is kept of one column: indices of points.
struct Column {
    std::size_t first = kNone, lowest = kNone, highest = kNone, last = kNone;

    void add(std::span<const double> y, std::size_t i) {
        if (first == kNone)
            first = lowest = highest = i;
        if (y[i] < y[lowest])
            lowest = i;
        if (y[i] > y[highest])
            highest = i;
        last = i;
    }
};

class Sampler {
public:
    Sampler(std::span<const double> x, std::span<const double> y) : m_x(x), m_y(y) {}

    void keep(std::size_t i) {
        if (i == kNone || i == m_kept)
            return;
        m_kept = i;
        m_sample.x.push_back(m_x[i]);
        m_sample.y.push_back(m_y[i]);
    }
    void keep(const Column& column) {
        keep(column.first);
        keep(std::min(column.lowest, column.highest));
        keep(std::max(column.lowest, column.highest));
        keep(column.last);
    }
    CurveSample take() { return std::move(m_sample); }

private:
    std::span<const double> m_x, m_y;
    CurveSample m_sample;
    std::size_t m_kept = kNone; ///< the last one
};

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
        m_y[0].push_back(point.bestNs < 0 ? std::numeric_limits<double>::quiet_NaN()
                                          : static_cast<double>(point.bestNs));
        m_y[1].push_back(point.reward);
        m_y[2].push_back(point.valueBaseline);
        m_y[3].push_back(point.entropy);
        m_y[4].push_back(point.kl);
        m_y[5].push_back(point.clipFraction);
        m_y[6].push_back(point.policyLoss);
        m_y[7].push_back(point.imitationLoss);
    }
}

CurveSample sampled(std::span<const double> x, std::span<const double> y, double from, double to, int columns) {
    const auto indexOf = [&x](auto it) { return static_cast<std::size_t>(it - x.begin()); };
    const std::size_t begin = indexOf(std::ranges::lower_bound(x, from));
    const std::size_t end = indexOf(std::upper_bound(x.begin() + static_cast<std::ptrdiff_t>(begin), x.end(), to));
    const auto isNumber = [&y](std::size_t i) { return !std::isnan(y[i]); };
    Sampler sampler(x, y);
    for (std::size_t i = begin; i-- > 0;) {
        if (isNumber(i)) {
            sampler.keep(i);
            break;
        }
    }
    const double perPixel = to > from ? columns / (to - from) : 0;
    Column column;
    double at = -1;
    for (std::size_t i = begin; i < end; ++i) {
        if (!isNumber(i))
            continue;
        if (const double pixel = std::floor((x[i] - from) * perPixel); pixel != at) {
            sampler.keep(column);
            column = {};
            at = pixel;
        }
        column.add(y, i);
    }
    sampler.keep(column);
    for (std::size_t i = end; i < x.size(); ++i) {
        if (isNumber(i)) {
            sampler.keep(i);
            break;
        }
    }
    return sampler.take();
}

std::vector<double> smoothed(std::span<const double> y, double weight) {
    std::vector<double> result;
    result.reserve(y.size());
    double sum = 0, weights = 0;
    for (const double value : y) {
        if (std::isnan(value)) {
            result.push_back(value);
            continue;
        }
        sum = weight * sum + value;
        weights = weight * weights + 1;
        result.push_back(sum / weights);
    }
    return result;
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
