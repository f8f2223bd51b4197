// SPDX-License-Identifier: MIT
// One colour over another: a pixel, and a run of pixels in a way that compilers turn into vector instructions.
#pragma once

#include <QRgb>

#include <array>
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

/// The same for a run, byte by byte in 16 bits, four pixels at a time.
inline void blendRun(QRgb* from, QRgb* to, QRgb above, std::uint32_t alpha) {
    constexpr std::ptrdiff_t kPixels = 4;
    std::array<std::uint16_t, 4 * kPixels> add{};
    for (std::size_t i = 0; i < add.size(); ++i)
        add[i] = static_cast<std::uint16_t>((above >> (8 * (i % 4)) & 0xffU) * alpha);
    const auto keep = static_cast<std::uint16_t>(256 - alpha);
    for (; to - from >= kPixels; from += kPixels) {
        std::array<std::uint8_t, 4 * kPixels> bytes;
        std::memcpy(bytes.data(), from, bytes.size());
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint16_t>(bytes[i] * keep + add[i]) >> 8U);
        std::memcpy(from, bytes.data(), bytes.size());
    }
    for (; from < to; ++from)
        *from = blended(*from, above, alpha);
}

} // namespace opscape
