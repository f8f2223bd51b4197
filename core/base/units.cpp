// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace opscape {
namespace {

std::string threeDigits(double value) {
    const double magnitude = std::abs(value);
    if (magnitude >= 99.95)
        return fmt::format("{:.0f}", value);
    if (magnitude >= 9.995)
        return fmt::format("{:.1f}", value);
    if (magnitude >= 0.9995)
        return fmt::format("{:.2f}", value);
    return fmt::format("{:.3f}", value); // e.g. 1000 B, which is below a KiB
}

/// Divides by `step` until three digits are enough; the last unit takes all that is left.
template <std::size_t N>
std::string scaled(double value, double step, const std::array<std::string_view, N>& units) {
    std::size_t unit = 0;
    while (std::abs(value) >= 999.5 && unit + 1 < N) {
        value /= step;
        ++unit;
    }
    if (unit == 0)
        return fmt::format("{:.0f} {}", value, units[0]);
    return fmt::format("{} {}", threeDigits(value), units[unit]);
}

/// In UTF-8 every byte but 10xxxxxx begins a character.
bool startsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }

/// Byte offset of the n-th character, counted from 0; the size of the text when there are not as many.
std::size_t offsetOf(std::string_view text, std::size_t n) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (startsCharacter(text[i]) && n-- == 0)
            return i;
    }
    return text.size();
}

} // namespace

std::string formatTime(std::int64_t ns) {
    return scaled(static_cast<double>(ns), 1000.0, std::array<std::string_view, 4>{"ns", "us", "ms", "s"});
}

std::string formatBytes(std::int64_t bytes) {
    return scaled(static_cast<double>(bytes), 1024.0, std::array<std::string_view, 5>{"B", "KiB", "MiB", "GiB", "TiB"});
}

std::string formatCount(std::int64_t count) {
    std::string digits = std::to_string(count);
    const std::size_t first = digits[0] == '-' ? 1 : 0;
    for (std::size_t i = digits.size(); i > first + 3;) {
        i -= 3;
        digits.insert(i, 1, ',');
    }
    return digits;
}

std::string formatSi(double value) {
    return scaled(value, 1000.0, std::array<std::string_view, 6>{"", "k", "M", "G", "T", "P"});
}

std::string formatPercent(double fraction) { return fmt::format("{:.1f}%", fraction * 100); }

std::string elide(std::string_view text, std::size_t width) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(text, startsCharacter));
    if (count <= width)
        return std::string(text);
    if (width <= 3)
        return std::string(text.substr(0, offsetOf(text, width)));
    const std::size_t tail = (width - 3) * 2 / 3;
    return fmt::format("{}...{}", text.substr(0, offsetOf(text, width - 3 - tail)),
                       text.substr(offsetOf(text, count - tail)));
}

} // namespace opscape
