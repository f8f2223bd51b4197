// SPDX-License-Identifier: MIT
// One colour over another, red and blue in one multiplication.
#pragma once

#include <QRgb>

#include <cstdint>

namespace opscape {

/// `alpha` from 0 (below) to 256 (above).
[[nodiscard]] inline QRgb blended(QRgb below, QRgb above, std::uint32_t alpha) {
    const std::uint32_t keep = 256 - alpha;
    const std::uint32_t rb = ((below & 0xff00ffU) * keep + (above & 0xff00ffU) * alpha) >> 8U & 0xff00ffU;
    const std::uint32_t g = ((below & 0x00ff00U) * keep + (above & 0x00ff00U) * alpha) >> 8U & 0x00ff00U;
    return 0xff000000U | rb | g;
}

} // namespace opscape
