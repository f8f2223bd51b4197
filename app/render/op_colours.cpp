// SPDX-License-Identifier: MIT
// A scale has eight steps. Where the largest of positive numbers is many times the smallest, as times and sizes are,
// each step is larger than the one before by the same factor, over at most four decades; else by the same amount.
// Priorities mean nothing but an order: there the steps have about as many ops each.
#include "op_colours.h"

#include <opscape/base/units.h>
#include <opscape/graph/op_bytes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace opscape {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostTypes = 23;     ///< the rarer ones are one class
constexpr std::uint32_t kGroupColours = 7; ///< fusion groups take them in turn
constexpr double kManyTimes = 50, kMostDecades = 1e4;

constexpr std::array<std::pair<ColourBy, std::string_view>, 7> kNames{{{ColourBy::Device, "device"},
                                                                       {ColourBy::Time, "time"},
                                                                       {ColourBy::Memory, "memory"},
                                                                       {ColourBy::Priority, "priority"},
                                                                       {ColourBy::FusionGroup, "fusion"},
                                                                       {ColourBy::OpType, "type"},
                                                                       {ColourBy::Value, "value"}}};

} // namespace

std::string_view toString(ColourBy by) {
    return std::ranges::find(kNames, by, &std::pair<ColourBy, std::string_view>::first)->second;
}

std::optional<ColourBy> parseColourBy(std::string_view name) {
    const auto* it = std::ranges::find(kNames, name, &std::pair<ColourBy, std::string_view>::second);
    return it == kNames.end() ? std::nullopt : std::optional(it->first);
}

OpColours::OpColours(ColourBy by, const ColourSource& source) : m_by(by), m_class(source.graph->opCount(), -1) {
    const Graph& graph = *source.graph;
    const std::size_t n = graph.opCount();
    if (source.plan != nullptr && source.cost != nullptr && source.cluster != nullptr) {
        m_timeNs.resize(n);
        for (std::size_t i = 0; i < n && i < source.plan->device.size(); ++i) {
            const DeviceId device = source.plan->device[i];
            if (device.valid() && device.index() < source.cluster->deviceCount())
                m_timeNs[i] = source.cost->opNs(OpId(i), source.cluster->device(device).kind);
        }
    }
    std::vector<double> values(n, kNone);
    switch (by) {
    case ColourBy::Device:
        byDevice(source);
        break;
    case ColourBy::OpType:
        byType(graph);
        break;
    case ColourBy::FusionGroup:
        byFusion(source);
        break;
    case ColourBy::Time:
        for (std::size_t i = 0; i < m_timeNs.size(); ++i)
            values[i] = static_cast<double>(m_timeNs[i]);
        byScale(std::move(values));
        break;
    case ColourBy::Memory:
        for (std::size_t i = 0; i < n; ++i)
            values[i] = static_cast<double>(ownBytes(graph, OpId(i)));
        byScale(std::move(values));
        break;
    case ColourBy::Priority:
        m_value = std::move(values);
        if (source.plan != nullptr && source.plan->priority.size() == n)
            byPriority(source.plan->priority);
        break;
    case ColourBy::Value:
        if (source.values != nullptr) {
            m_valueTitle = source.values->title;
            values = source.values->value;
        }
        byScale(std::move(values));
        break;
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (m_class[i] < 0)
            continue;
        Class& c = m_classes[static_cast<std::size_t>(m_class[i])];
        ++c.ops;
        c.busyNs += timeNs(OpId(i));
    }
}

void OpColours::byDevice(const ColourSource& source) {
    if (source.plan == nullptr)
        return;
    std::size_t devices = source.cluster != nullptr ? source.cluster->deviceCount() : 0;
    for (std::size_t i = 0; i < std::min(source.plan->device.size(), m_class.size()); ++i) {
        const DeviceId device = source.plan->device[i];
        if (!device.valid())
            continue;
        m_class[i] = static_cast<int>(device.index());
        devices = std::max(devices, device.index() + 1);
    }
    for (std::size_t d = 0; d < devices; ++d) {
        const bool named = source.cluster != nullptr && d < source.cluster->deviceCount();
        m_classes.push_back({named ? source.cluster->device(DeviceId(d)).name : std::string(),
                             Theme::deviceLetter(DeviceId(d)).toStdString()});
    }
}

void OpColours::byType(const Graph& graph) {
    std::map<std::string_view, std::size_t> count;
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        ++count[graph.op(OpId(i)).type];
    std::vector<std::pair<std::string_view, std::size_t>> types(count.begin(), count.end());
    std::ranges::stable_sort(types, [](const auto& a, const auto& b) { return a.second > b.second; });
    const bool rest = types.size() > kMostTypes + 1;
    std::map<std::string_view, int> index;
    for (std::size_t t = 0; t < types.size(); ++t) {
        const bool own = !rest || t < kMostTypes;
        index[types[t].first] = static_cast<int>(own ? t : kMostTypes);
        if (own)
            m_classes.push_back({types[t].first.empty() ? "no type" : std::string(types[t].first), {}});
    }
    if (rest)
        m_classes.push_back({std::to_string(types.size() - kMostTypes) + " other types", {}});
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        m_class[i] = index[graph.op(OpId(i)).type];
}

void OpColours::byFusion(const ColourSource& source) {
    m_classes.push_back({"not fused", {}});
    for (std::uint32_t c = 0; c < kGroupColours; ++c)
        m_classes.push_back({"fused, colour " + std::to_string(c + 1), {}});
    std::map<std::uint32_t, int> groups; // in the order of their first op, so that neighbours differ
    for (std::size_t i = 0; i < m_class.size(); ++i) {
        const bool fused = source.plan != nullptr && i < source.plan->fusionGroup.size() &&
                           source.plan->fusionGroup[i] != Plan::kNotFused;
        const auto next = static_cast<int>(groups.size() % kGroupColours);
        m_class[i] = fused ? 1 + groups.emplace(source.plan->fusionGroup[i], next).first->second : 0;
    }
    for (std::size_t c = 1; c <= kGroupColours; ++c) {
        const auto of =
            std::ranges::count_if(groups, [&](const auto& g) { return g.second + 1 == static_cast<int>(c); });
        m_classes[c].name = formatCount(of) + (of == 1 ? " fusion group" : " fusion groups");
    }
}

void OpColours::byScale(std::vector<double> values) {
    m_value = std::move(values);
    double low = std::numeric_limits<double>::infinity(), high = -low, positive = low;
    for (const double v : m_value) {
        if (std::isnan(v))
            continue;
        low = std::min(low, v);
        high = std::max(high, v);
        positive = v > 0 ? std::min(positive, v) : positive;
    }
    if (low > high)
        return;
    const bool factor = low >= 0 && high > kManyTimes * positive;
    const double first = factor ? std::max(positive, high / kMostDecades) : low;
    const auto bound = [&](int step) {
        const double part = static_cast<double>(step) / kSteps;
        return factor ? first * std::pow(high / first, part) : first + (high - first) * part;
    };
    const int steps = high > low ? kSteps : 1;
    for (int s = 0; s < steps; ++s)
        m_classes.push_back({steps == 1 ? valueText(low)
                             : s == 0   ? "up to " + valueText(bound(1))
                                      : valueText(bound(s)) + " to " + valueText(s + 1 == steps ? high : bound(s + 1)),
                             {}});
    for (std::size_t i = 0; i < m_value.size(); ++i) {
        const double v = m_value[i];
        if (std::isnan(v))
            continue;
        const double part = steps == 1 ? 0
                            : factor   ? (v <= first ? 0 : std::log(v / first) / std::log(high / first))
                                       : (v - first) / (high - first);
        m_class[i] = std::clamp(static_cast<int>(part * steps), 0, steps - 1);
    }
}

void OpColours::byPriority(std::span<const std::int64_t> priority) {
    std::vector<std::size_t> order(priority.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return priority[a] > priority[b]; });
    std::vector<std::size_t> firsts; // of the ops of one priority, places in the order
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || priority[order[i]] != priority[order[i - 1]])
            firsts.push_back(i);
        m_value[order[i]] = static_cast<double>(firsts.back() + 1);
    }
    const bool few = firsts.size() <= kSteps;
    for (std::size_t f = 0, last = order.size(); f < firsts.size(); ++f) {
        const std::size_t begin = firsts[f], end = f + 1 < firsts.size() ? firsts[f + 1] : order.size();
        const std::size_t step = few ? f : (begin + end - 1) / 2 * kSteps / order.size();
        if (step != last) { // a class that no op would be in is left out
            m_classes.push_back({valueText(static_cast<double>(begin + 1)), {}});
            last = step;
        }
        for (std::size_t i = begin; i < end; ++i)
            m_class[order[i]] = static_cast<int>(m_classes.size()) - 1;
    }
    for (std::size_t c = 0, begin = 0; c < m_classes.size(); ++c) {
        const auto ops = static_cast<std::size_t>(std::ranges::count(m_class, static_cast<int>(c)));
        if (ops > 1 && !few) // where there are few priorities, ops of one share its place
            m_classes[c].name += " to " + valueText(static_cast<double>(begin + ops));
        begin += ops;
    }
    if (m_classes.size() > 1) {
        m_classes.front().name = "first, " + m_classes.front().name;
        m_classes.back().name = "last, " + m_classes.back().name;
    }
}

QColor OpColours::colour(const Theme& theme, int of) const {
    if (of < 0)
        return theme.unplaced;
    if (isScale()) {
        const double part =
            m_classes.size() < 2 ? 1 : static_cast<double>(of) / static_cast<double>(m_classes.size() - 1);
        return theme.scale(m_by == ColourBy::Priority ? 1 - part : part); // what comes first stands out
    }
    if (m_by == ColourBy::FusionGroup)
        return of == 0 ? theme.unplaced : theme.device(DeviceId(static_cast<std::size_t>(of - 1)));
    return theme.device(DeviceId(static_cast<std::size_t>(of)));
}

std::string OpColours::title() const {
    switch (m_by) {
    case ColourBy::Time:
        return "Time of an op";
    case ColourBy::Memory:
        return "Memory an op allocates";
    case ColourBy::Priority:
        return "Priority, by place";
    case ColourBy::FusionGroup:
        return "Fusion groups";
    case ColourBy::OpType:
        return "Type of op";
    case ColourBy::Value:
        return m_valueTitle;
    case ColourBy::Device:
        break;
    }
    return {};
}

std::string OpColours::valueText(double value) const {
    if (m_by == ColourBy::Time)
        return formatTime(std::llround(value));
    if (m_by == ColourBy::Memory)
        return formatBytes(std::llround(value));
    if (m_by == ColourBy::Priority)
        return "#" + formatCount(std::llround(value));
    if (value == std::round(value) && std::abs(value) < 1e15)
        return formatCount(std::llround(value));
    return fmt::format("{:.3g}", value);
}

} // namespace opscape
