// SPDX-License-Identifier: MIT
// The values of a curve that grows, with the lowest and the highest of any stretch of it at hand: a chart of a thousand
// pixels over a million points asks for a thousand stretches, and must not look at a million points for them.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace opscape {

class CurveSeries {
public:
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

    CurveSeries() = default;
    explicit CurveSeries(std::span<const double> values) {
        for (const double value : values)
            append(value);
    }
    /// Not a number where there is none.
    void append(double value);

    [[nodiscard]] const std::vector<double>& values() const { return m_values; }
    /// Where in a stretch the first of its lowest and of its highest values are; kNone where it has no number.
    struct Extremes {
        std::size_t lowest = kNone, highest = kNone;
    };
    [[nodiscard]] Extremes extremes(std::size_t begin, std::size_t end) const;
    /// The first and the last place in a stretch with a number, kNone where it has none.
    [[nodiscard]] std::size_t firstNumber(std::size_t begin, std::size_t end) const;
    [[nodiscard]] std::size_t lastNumber(std::size_t begin, std::size_t end) const;

private:
    /// Of two equal values the first counts, in whatever order they are added; what is not a number never does.
    struct Block {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        std::size_t lowAt = kNone, highAt = kNone;
        void addLow(double value, std::size_t at) {
            if (value < low || (value == low && at < lowAt)) {
                low = value;
                lowAt = at;
            }
        }
        void addHigh(double value, std::size_t at) {
            if (value > high || (value == high && at < highAt)) {
                high = value;
                highAt = at;
            }
        }
    };

    std::vector<double> m_values;
    std::vector<std::vector<Block>> m_levels; ///< a block of each level is of 16 of the one below; full ones only
};

/// A curve with each value made the mean of those before it and itself, each of them weighing `weight` (0 to 1) times
/// the one after it; what is not a number stays so.
class SmoothedSeries {
public:
    explicit SmoothedSeries(double weight) : m_weight(weight) {}
    /// `y` is the whole curve, of which the begin is known already.
    void follow(std::span<const double> y);
    [[nodiscard]] const CurveSeries& series() const { return m_series; }

private:
    CurveSeries m_series;
    double m_weight, m_sum = 0, m_weights = 0;
};

} // namespace opscape
