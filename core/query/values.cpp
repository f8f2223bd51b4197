// SPDX-License-Identifier: MIT
#include "values.h"

#include <opscape/base/text.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace opscape {
namespace {

struct Unit {
    std::string_view name; ///< in lower case; empty: a number may stand without
    double factor;
};

constexpr double kKi = 1024;
constexpr Unit kTimes[] = {{"ns", 1}, {"us", 1e3}, {"\xCE\xBCs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
constexpr Unit kSizes[] = {{"", 1},
                           {"b", 1},
                           {"kb", 1e3},
                           {"mb", 1e6},
                           {"gb", 1e9},
                           {"tb", 1e12},
                           {"kib", kKi},
                           {"mib", kKi* kKi},
                           {"gib", kKi* kKi* kKi},
                           {"tib", kKi* kKi* kKi* kKi}};
constexpr Unit kCounts[] = {{"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {"p", 1e15}};

std::span<const Unit> unitsOf(QueryValue kind) {
    switch (kind) {
    case QueryValue::Time:
        return kTimes;
    case QueryValue::Bytes:
        return kSizes;
    case QueryValue::Count:
        return kCounts;
    default:
        return {};
    }
}

const Unit* findUnit(QueryValue kind, std::string_view word) {
    const auto units = unitsOf(kind);
    const auto it = std::ranges::find(units, lowerCase(word), &Unit::name);
    return it == units.end() ? nullptr : &*it;
}

} // namespace

std::optional<Quantity> parseQuantity(QueryValue kind, std::string_view text) {
    if (kind == QueryValue::Time && text == "0")
        return Quantity{};
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (read.ec != std::errc() || (value < 0 && kind != QueryValue::Count))
        return std::nullopt;
    const std::string_view digits = text.substr(0, static_cast<std::size_t>(read.ptr - text.data()));
    const Unit* unit = findUnit(kind, text.substr(digits.size()));
    if (unit == nullptr || !(std::abs(value * unit->factor) < 9.2e18))
        return std::nullopt;
    const std::size_t point = digits.find('.');
    const auto decimals = static_cast<double>(point == std::string_view::npos ? 0 : digits.size() - point - 1);
    const double half = unit->factor * std::pow(10, -decimals) / 2;
    const auto whole = [](double number) { return static_cast<std::int64_t>(number); };
    const Quantity rounded{whole(std::round(value * unit->factor)), whole(std::ceil(value * unit->factor - half)),
                           whole(std::floor(value * unit->factor + half))};
    return Quantity{rounded.value, std::min(rounded.least, rounded.value), std::max(rounded.most, rounded.value)};
}

bool isUnit(QueryValue kind, std::string_view word) { return !word.empty() && findUnit(kind, word) != nullptr; }

} // namespace opscape
