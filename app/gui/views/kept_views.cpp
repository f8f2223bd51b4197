// SPDX-License-Identifier: MIT
#include "gui/views/kept_views.h"

#include "gui/words.h"

#include <opscape/base/hash.h>

#include <QStringList>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace opscape {
namespace {

const QString kGroup = QStringLiteral("keptViews");
const QString kOrder = QStringLiteral("keptViews/order"); ///< of the graphs, the one used last first

/// A place names groups by number, which is only good for the same graph with the same groups.
QString keyOf(const OpenedGraph& opened) {
    Hasher hasher;
    hasher.text(opened.graph->hash());
    for (std::size_t s = 0; s < opened.scopes->scopeCount(); ++s) {
        const Scope& scope = opened.scopes->scope(ScopeId(s));
        hasher.text(scope.name);
        hasher.value(scope.parent.value);
    }
    return qs(hasher.hex());
}

QString entry(const QString& graph, int number) { return QStringLiteral("%1/%2/%3").arg(kGroup, graph).arg(number); }

QString marksEntry(const QString& graph, const char* what) {
    return QStringLiteral("%1/%2/marks/%3").arg(kGroup, graph, QString::fromLatin1(what));
}

/// "1-5 9 12-13"
std::string rangesOf(const ExpandedScopes& scopes) {
    std::string text;
    for (auto it = scopes.begin(); it != scopes.end();) {
        const std::size_t first = it->index();
        std::size_t last = first;
        for (++it; it != scopes.end() && it->index() == last + 1; ++it)
            ++last;
        text += fmt::format("{}{}", text.empty() ? "" : " ", first);
        if (last > first)
            text += fmt::format("-{}", last);
    }
    return text;
}

std::optional<ExpandedScopes> parseRanges(std::string_view text, std::size_t scopeCount) {
    ExpandedScopes scopes;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto number = [&](std::size_t& value) {
        const auto [next, error] = std::from_chars(at, end, value);
        at = next;
        return error == std::errc() && value < scopeCount;
    };
    while (at < end) {
        std::size_t first = 0;
        if (!number(first))
            return std::nullopt;
        std::size_t last = first;
        if (at < end && *at == '-') {
            ++at;
            if (!number(last))
                return std::nullopt;
        }
        for (std::size_t s = first; s <= last; ++s)
            scopes.insert(ScopeId(s));
        if (at < end && *at++ != ' ')
            return std::nullopt;
    }
    return scopes;
}

} // namespace

void KeptViews::keep(const OpenedGraph& opened, int number, const GraphPlace& place) {
    const QString graph = keyOf(opened);
    const auto idOf = [](auto id) { return id.valid() ? static_cast<std::int64_t>(id.value) : -1; };
    m_settings.setValue(entry(graph, number),
                        qs(fmt::format("{}|{} {} {} {} {} {} {} {}", rangesOf(place.expanded), place.camera.origin.x(),
                                       place.camera.origin.y(), place.camera.scale, place.fitted ? 1 : 0,
                                       idOf(place.op), idOf(place.scope), place.at.x(), place.at.y())));
    used(graph);
}

void KeptViews::used(const QString& graph) {
    QStringList order = m_settings.value(kOrder).toStringList();
    order.removeAll(graph);
    order.prepend(graph);
    for (; order.size() > kMostGraphs; order.removeLast())
        m_settings.remove(kGroup + u'/' + order.back());
    m_settings.setValue(kOrder, order);
}

void KeptViews::keepMarks(const OpenedGraph& opened, const TimeMarks& marks) {
    const QString graph = keyOf(opened);
    QStringList names, times;
    for (const TimeMark& mark : marks.marks) {
        names << qs(mark.name);
        times << QString::number(mark.ns);
    }
    QStringList range;
    if (marks.range)
        range << QString::number(marks.range->fromNs) << QString::number(marks.range->toNs);
    m_settings.setValue(marksEntry(graph, "names"), names);
    m_settings.setValue(marksEntry(graph, "times"), times);
    m_settings.setValue(marksEntry(graph, "range"), range);
    used(graph);
}

KeptViews::TimeMarks KeptViews::marks(const OpenedGraph& opened) const {
    const QString graph = keyOf(opened);
    const QStringList names = m_settings.value(marksEntry(graph, "names")).toStringList();
    const QStringList times = m_settings.value(marksEntry(graph, "times")).toStringList();
    const QStringList range = m_settings.value(marksEntry(graph, "range")).toStringList();
    TimeMarks found;
    for (qsizetype i = 0; i < std::min(names.size(), times.size()); ++i)
        found.marks.push_back({times[i].toLongLong(), names[i].toStdString()});
    std::ranges::stable_sort(found.marks, {}, &TimeMark::ns);
    if (range.size() == 2 && range[0].toLongLong() < range[1].toLongLong())
        found.range = TimeRange{range[0].toLongLong(), range[1].toLongLong()};
    return found;
}

std::optional<GraphPlace> KeptViews::find(const OpenedGraph& opened, int number) const {
    const std::string kept = m_settings.value(entry(keyOf(opened), number)).toString().toStdString();
    const std::size_t bar = kept.find('|');
    if (bar == std::string::npos)
        return std::nullopt;
    auto expanded = parseRanges(std::string_view(kept).substr(0, bar), opened.scopes->scopeCount());
    std::array<double, 8> numbers{};
    const char* at = kept.data() + bar;
    for (double& value : numbers) {
        if (at >= kept.data() + kept.size())
            return std::nullopt;
        const auto [next, error] = std::from_chars(at + 1, kept.data() + kept.size(), value);
        if (error != std::errc() || !std::isfinite(value))
            return std::nullopt;
        at = next;
    }
    const auto [x, y, scale, fitted, op, scope, atX, atY] = numbers;
    if (!expanded || scale <= 0 || op >= static_cast<double>(opened.graph->opCount()) ||
        scope >= static_cast<double>(opened.scopes->scopeCount()))
        return std::nullopt;
    GraphPlace place{std::move(*expanded), {{x, y}, scale}, fitted != 0, {}, {}, {atX, atY}};
    if (op >= 0)
        place.op = OpId(static_cast<std::size_t>(op));
    if (scope >= 0)
        place.scope = ScopeId(static_cast<std::size_t>(scope));
    return place;
}

} // namespace opscape
