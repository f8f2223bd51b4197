// SPDX-License-Identifier: MIT
// One colour over another: for a pixel, and for a run of pixels by vector instructions, which compilers do not find by
// themselves here.
#pragma once

#include <QRgb>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace opscape {

/// `alpha` from 0 (below) to 256 (above).
[[nodiscard]] inline QRgb blended(QRgb below, QRgb above, std::uint32_t alpha) {
    const std::uint32_t keep = 256 - alpha;
    const std::uint32_t rb = ((below & 0xff00ffU) * keep + (above & 0xff00ffU) * alpha) >> 8U & 0xff00ffU;
    const std::uint32_t g = ((below & 0x00ff00U) * keep + (above & 0x00ff00U) * alpha) >> 8U & 0x00ff00U;
    return 0xff000000U | rb | g;
}

/// A colour made ready to be laid over many runs.
class RunBlender {
public:
    RunBlender(QRgb above, std::uint32_t alpha) : m_above(above), m_alpha(alpha) {
        std::uint16_t low[kLanes], high[kLanes]; // the lower and the upper byte of each half of a pixel
        for (std::size_t i = 0; i < kLanes; ++i) {
            const std::uint32_t half = above >> (16 * (i % 2));
            low[i] = static_cast<std::uint16_t>((half & 0xffU) * alpha);
            high[i] = static_cast<std::uint16_t>((half >> 8U & 0xffU) * alpha);
        }
        std::memcpy(&m_low, low, sizeof low);
        std::memcpy(&m_high, high, sizeof high);
    }

    void operator()(QRgb* from, QRgb* to) const {
        if (from >= to || m_alpha == 0)
            return;
        if (m_alpha >= 256)
            return std::fill(from, to, m_above);
        const auto keep = static_cast<std::uint16_t>(256 - m_alpha);
        for (; to - from >= kPixels; from += kPixels) {
            Lanes pixels;
            std::memcpy(&pixels, from, sizeof pixels);
            const Lanes low = ((pixels & 0xff) * keep + m_low) >> 8;
            const Lanes high = ((pixels >> 8) * keep + m_high) & 0xff00;
            pixels = low | high;
            std::memcpy(from, &pixels, sizeof pixels);
        }
        for (; from < to; ++from)
            *from = blended(*from, m_above, m_alpha);
    }

private:
    using Lanes [[gnu::vector_size(16)]] = std::uint16_t;
    static constexpr std::size_t kLanes = 8;
    static constexpr std::ptrdiff_t kPixels = 4;

    QRgb m_above;
    std::uint32_t m_alpha;
    Lanes m_low, m_high;
};

} // namespace opscape
