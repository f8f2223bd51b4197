// SPDX-License-Identifier: MIT
#include "values.h"

#include "words.h"

#include <charconv>
#include <cmath>
#include <initializer_list>
#include <string>

namespace opscape {
namespace {

struct Unit {
    std::string_view name; ///< in lower case
    double factor;
};

std::optional<std::int64_t> parseNumber(std::string_view text, bool negative, std::initializer_list<Unit> units) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (read.ec != std::errc() || (value < 0 && !negative))
        return std::nullopt;
    const std::string unit = lowerCase(text.substr(static_cast<std::size_t>(read.ptr - text.data())));
    for (const Unit& known : units) {
        if (unit != known.name)
            continue;
        const double scaled = std::round(value * known.factor);
        if (!(std::abs(scaled) < 9.2e18))
            return std::nullopt;
        return static_cast<std::int64_t>(scaled);
    }
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> parseTime(std::string_view text) {
    if (text == "0")
        return 0;
    return parseNumber(text, false,
                       {{"ns", 1}, {"us", 1e3}, {"\xC2\xB5s", 1e3}, {"\xCE\xBCs", 1e3}, {"ms", 1e6}, {"s", 1e9}});
}

std::optional<std::int64_t> parseBytes(std::string_view text) {
    constexpr double kKi = 1024;
    return parseNumber(text, false,
                       {{"", 1},
                        {"b", 1},
                        {"kb", 1e3},
                        {"mb", 1e6},
                        {"gb", 1e9},
                        {"tb", 1e12},
                        {"kib", kKi},
                        {"mib", kKi * kKi},
                        {"gib", kKi * kKi * kKi},
                        {"tib", kKi * kKi * kKi * kKi}});
}

std::optional<std::int64_t> parseCount(std::string_view text) {
    return parseNumber(text, true, {{"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {"p", 1e15}});
}

} // namespace opscape
