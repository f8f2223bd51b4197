// SPDX-License-Identifier: MIT
// A tree of blocks of 16: what is asked of a stretch is put together from the largest whole blocks in it, at most some
// 30 of each level. Only full blocks are kept.
#include "gui/models/curve_series.h"

#include <cmath>

namespace opscape {
namespace {

constexpr std::size_t kFanBits = 4, kFan = 1 << kFanBits;

} // namespace

void CurveSeries::append(double value) {
    m_values.push_back(value);
    if (m_values.size() % kFan != 0)
        return;
    Block full;
    for (std::size_t i = m_values.size() - kFan; i < m_values.size(); ++i) {
        full.addLow(m_values[i], i);
        full.addHigh(m_values[i], i);
    }
    for (std::size_t level = 0;; ++level) {
        if (level == m_levels.size())
            m_levels.emplace_back();
        std::vector<Block>& blocks = m_levels[level];
        blocks.push_back(full);
        if (blocks.size() % kFan != 0)
            return;
        full = {};
        for (std::size_t i = blocks.size() - kFan; i < blocks.size(); ++i) {
            full.addLow(blocks[i].low, blocks[i].lowAt);
            full.addHigh(blocks[i].high, blocks[i].highAt);
        }
    }
}

CurveSeries::Extremes CurveSeries::extremes(std::size_t begin, std::size_t end) const {
    Block found;
    const auto add = [&](std::size_t level, std::size_t at) {
        if (level == 0) {
            found.addLow(m_values[at], at);
            found.addHigh(m_values[at], at);
        } else {
            const Block& block = m_levels[level - 1][at];
            found.addLow(block.low, block.lowAt);
            found.addHigh(block.high, block.highAt);
        }
    };
    for (std::size_t level = 0; begin < end; ++level) { // both count blocks of that level
        const bool isTop = level == m_levels.size();
        while (begin < end && (isTop || begin % kFan != 0))
            add(level, begin++);
        while (begin < end && end % kFan != 0)
            add(level, --end);
        begin /= kFan;
        end /= kFan;
    }
    return {found.lowAt, found.highAt};
}

std::size_t CurveSeries::firstNumber(std::size_t begin, std::size_t end) const {
    while (begin < end) {
        if (begin % kFan == 0 && begin + kFan <= end && m_levels[0][begin / kFan].lowAt == kNone)
            begin += kFan;
        else if (!std::isnan(m_values[begin]))
            return begin;
        else
            ++begin;
    }
    return kNone;
}

std::size_t CurveSeries::lastNumber(std::size_t begin, std::size_t end) const {
    while (begin < end) {
        if (end % kFan == 0 && begin + kFan <= end && m_levels[0][end / kFan - 1].lowAt == kNone)
            end -= kFan;
        else if (!std::isnan(m_values[end - 1]))
            return end - 1;
        else
            --end;
    }
    return kNone;
}

void SmoothedSeries::follow(std::span<const double> y) {
    for (const double value : y.subspan(m_series.values().size())) {
        if (std::isnan(value)) {
            m_series.append(value);
            continue;
        }
        m_sum = m_weight * m_sum + value;
        m_weights = m_weight * m_weights + 1;
        m_series.append(m_sum / m_weights);
    }
}

} // namespace opscape
