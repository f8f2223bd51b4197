// SPDX-License-Identifier: MIT
// The curve of a learning run as columns of numbers, and the few points of it that a chart of so many pixels needs: a
// line over 100,000 points is drawn from what differs on the screen.
#pragma once

#include "gui/models/curve_series.h"

#include <opscape/base/run_context.h>

#include <array>
#include <span>
#include <vector>

namespace opscape {

enum class CurveAxis { Updates, Seconds, Simulations };
enum class CurveFigure { Best, Reward, ValueBaseline, Entropy, Kl, ClipFraction, PolicyLoss, ImitationLoss };
inline constexpr std::size_t kCurveFigures = 8;

class CurveColumns {
public:
    void clear();
    void append(std::span<const CurvePoint> points);

    [[nodiscard]] std::size_t size() const { return m_x[0].size(); }
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// Ascending. Updates that are counted from 1 again, as where tasks are learned in turn, are counted on.
    [[nodiscard]] const std::vector<double>& x(CurveAxis axis) const { return m_x[static_cast<std::size_t>(axis)]; }
    /// Not a number where there is none.
    [[nodiscard]] const std::vector<double>& y(CurveFigure figure) const { return series(figure).values(); }
    [[nodiscard]] const CurveSeries& series(CurveFigure figure) const { return m_y[static_cast<std::size_t>(figure)]; }

private:
    std::array<std::vector<double>, 3> m_x;
    std::array<CurveSeries, kCurveFigures> m_y;
    double m_updatesBefore = 0; ///< the count began anew
    std::int64_t m_lastUpdate = 0;
};

struct CurveSample {
    std::vector<double> x, y;
};

/// The part of an axis that is seen, and how many pixels wide it is. A logarithmic one begins above 0.
struct CurveWindow {
    double from = 0, to = 1;
    int columns = 1;
    bool logarithmic = false;
};

/// What a line has to go through so that it looks the same: of every column of pixels its first, lowest, highest and
/// last point, and of what lies outside the nearest point on each side. `x` is ascending; points whose y is not a
/// number are left out, and those a logarithmic axis has no place for.
[[nodiscard]] CurveSample sampled(std::span<const double> x, const CurveSeries& y, const CurveWindow& window);

/// Index of the point nearest to `at`; x is ascending and not empty.
[[nodiscard]] std::size_t nearestPoint(std::span<const double> x, double at);

} // namespace opscape
