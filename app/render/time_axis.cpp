// SPDX-License-Identifier: MIT
#include "time_axis.h"

#include <opscape/base/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace opscape {
namespace {

constexpr int kMostTicks = 2000;

/// The smallest of 1, 2, 5 times a power of ten that is at least `least`, and into how many minor parts it is divided.
std::pair<double, int> roundStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const auto& [factor, parts] : {std::pair(1.0, 5), std::pair(2.0, 4), std::pair(5.0, 5)}) {
        if (factor * power >= least * (1 - 1e-9))
            return {factor * power, parts};
    }
    return {10 * power, 5};
}

struct Unit {
    double size; ///< ns
    const char* name;
};

/// The same for all labels of an axis: the smallest in which a step is no fraction below 0.1 and no number has five
/// digits.
Unit chooseUnit(double step, double furthest) {
    constexpr Unit kUnits[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
    for (std::size_t i = 0; i + 1 < std::size(kUnits); ++i) {
        if (step < kUnits[i + 1].size * 0.0999 && furthest < kUnits[i].size * 1e4)
            return kUnits[i];
    }
    return kUnits[3];
}

QString tickLabel(double ns, double step, const Unit& unit) {
    if (ns == 0)
        return QStringLiteral("0");
    const double value = ns / unit.size;
    int decimals = 0;
    for (double s = step / unit.size; decimals < 9 && std::abs(s - std::round(s)) > 1e-6 * s; s *= 10)
        ++decimals;
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (const auto dot = std::min(text.find('.'), text.size()); dot > 3)
        text = formatCount(std::stoll(text.substr(0, dot))) + text.substr(dot);
    return QString::fromStdString(fmt::format("{} {}", text, unit.name));
}

} // namespace

std::vector<TimeTick> timeTicks(double startNs, double endNs, double labelSpacing) {
    std::vector<TimeTick> ticks;
    if (!(endNs > startNs) || !(labelSpacing > 0))
        return ticks;
    const auto [step, parts] = roundStep(std::max(1.0, labelSpacing));
    const double minor = step / parts;
    const Unit unit = chooseUnit(step, std::max(std::abs(startNs), std::abs(endNs)));
    const auto first = static_cast<std::int64_t>(std::ceil(startNs / minor - 1e-9));
    for (std::int64_t i = first; static_cast<double>(i) * minor <= endNs && i - first < kMostTicks; ++i) {
        const double ns = static_cast<double>(i) * minor;
        ticks.push_back({ns, i % parts == 0 ? tickLabel(ns, step, unit) : QString()});
    }
    return ticks;
}

} // namespace opscape
