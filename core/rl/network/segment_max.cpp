// SPDX-License-Identifier: MIT
#include <opscape/rl/network/segment_max.h>

#include <algorithm>

namespace opscape::rl {

template <class Real>
void segmentMax(const Adjacency& neighbours, std::span<const Real> values, std::size_t columns, std::span<Real> out,
                std::span<std::int32_t> from) {
    const std::size_t units = neighbours.first.size() - 1;
    for (std::size_t unit = 0; unit < units; ++unit) {
        Real* best = &out[unit * columns];
        std::int32_t* source = &from[unit * columns];
        const std::int32_t begin = neighbours.first[unit], end = neighbours.first[unit + 1];
        if (begin == end) {
            std::fill_n(best, columns, Real{0});
            std::fill_n(source, columns, -1);
            continue;
        }
        const std::int32_t first = neighbours.items[static_cast<std::size_t>(begin)];
        std::copy_n(&values[static_cast<std::size_t>(first) * columns], columns, best);
        std::fill_n(source, columns, first);
        for (std::int32_t i = begin + 1; i < end; ++i) {
            const std::int32_t neighbour = neighbours.items[static_cast<std::size_t>(i)];
            const Real* value = &values[static_cast<std::size_t>(neighbour) * columns];
            for (std::size_t c = 0; c < columns; ++c) {
                source[c] = value[c] > best[c] ? neighbour : source[c];
                best[c] = std::max(best[c], value[c]);
            }
        }
    }
}

template <class Real>
void segmentMaxBackward(std::span<const Real> gradient, std::span<const std::int32_t> from, std::size_t columns,
                        std::span<Real> valueGradient) {
    for (std::size_t row = 0; row < from.size(); row += columns) {
        for (std::size_t c = 0; c < columns; ++c) {
            if (from[row + c] >= 0)
                valueGradient[static_cast<std::size_t>(from[row + c]) * columns + c] += gradient[row + c];
        }
    }
}

template void segmentMax(const Adjacency&, std::span<const float>, std::size_t, std::span<float>,
                         std::span<std::int32_t>);
template void segmentMax(const Adjacency&, std::span<const double>, std::size_t, std::span<double>,
                         std::span<std::int32_t>);
template void segmentMaxBackward(std::span<const float>, std::span<const std::int32_t>, std::size_t, std::span<float>);
template void segmentMaxBackward(std::span<const double>, std::span<const std::int32_t>, std::size_t,
                                 std::span<double>);

} // namespace opscape::rl
