// SPDX-License-Identifier: MIT
#include "time_axis.h"

#include <opscape/base/units.h>

#include <fmt/format.h>

#include <cmath>
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

QString tickLabel(double ns, double step) {
    double unit = 1;
    const char* name = "ns";
    for (const auto& [size, text] : {std::pair(1e3, "us"), std::pair(1e6, "ms"), std::pair(1e9, "s")}) {
        if (step < size * 0.0999 && std::abs(ns) < size * 1e4)
            break;
        unit = size;
        name = text;
    }
    if (ns == 0)
        return QStringLiteral("0");
    const double value = ns / unit, valueStep = step / unit;
    int decimals = 0;
    for (double s = valueStep; decimals < 9 && std::abs(s - std::round(s)) > 1e-6 * s; s *= 10)
        ++decimals;
    const double whole = std::floor(std::abs(value) + 1e-9 * valueStep);
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (whole >= 1e4) // group the digits
        text = formatCount(static_cast<std::int64_t>(value < 0 ? -whole : whole)) +
               (decimals > 0 ? text.substr(text.find('.')) : std::string());
    return QString::fromStdString(text + " " + name);
}

} // namespace

std::vector<TimeTick> timeTicks(double startNs, double endNs, double labelSpacing) {
    std::vector<TimeTick> ticks;
    if (!(endNs > startNs) || !(labelSpacing > 0))
        return ticks;
    const auto [step, parts] = roundStep(std::max(1.0, labelSpacing));
    const double minor = step / parts;
    const auto first = static_cast<std::int64_t>(std::ceil(startNs / minor - 1e-9));
    for (std::int64_t i = first; static_cast<double>(i) * minor <= endNs && i - first < kMostTicks; ++i) {
        const double ns = static_cast<double>(i) * minor;
        ticks.push_back({ns, i % parts == 0 ? tickLabel(ns, step) : QString()});
    }
    return ticks;
}

} // namespace opscape
