// SPDX-License-Identifier: MIT
// What the application and its layout helper say to each other over the helper's standard input and output: numbers as
// they lie in memory, since both run on one machine and come from one build. One answer for each request, in order.
//
// Request: header, `boxes` times (float width, float height), `edges` times (int32 from, int32 to).
// Answer: header, and if its status is 0: float width, float height, `boxes` times (float x, float y) of the middle,
// `edges` times (int32 points, that many times (float x, float y)), y downwards.
#pragma once

#include <cstdint>

namespace opscape {

struct DotRequestHeader {
    static constexpr std::uint32_t kMagic = 0x314c504f;
    std::uint32_t magic = kMagic;
    std::int32_t boxes = 0;
    std::int32_t edges = 0;
};

struct DotAnswerHeader {
    static constexpr std::uint32_t kMagic = 0x324c504f;
    std::uint32_t magic = kMagic;
    std::int32_t status = 0;
    std::int32_t bytes = 0; ///< that follow
};

/// More than this is never asked and never answered.
inline constexpr std::int32_t kDotMaxBoxes = 150;
inline constexpr std::int32_t kDotMaxEdges = 300;
inline constexpr std::int32_t kDotMaxAnswer = 16 << 20;

} // namespace opscape
