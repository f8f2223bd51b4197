// SPDX-License-Identifier: MIT
#include <opscape/graph/scopes_order.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace opscape {

std::vector<std::uint32_t> readingOrder(const Graph& graph) {
    const auto order = graph.topologicalOrder();
    std::vector<std::uint32_t> time(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        time[order[i].index()] = i;
    struct Entry {
        std::uint32_t time; // of the op, or of the first one that reads it
        std::uint32_t late; // 0 for an op without inputs
        OpId op;
    };
    std::vector<Entry> entries;
    entries.reserve(order.size());
    for (const OpId op : order) {
        const auto next = graph.successors(op);
        if (next.empty() || !graph.predecessors(op).empty()) {
            entries.push_back({time[op.index()], 1, op});
            continue;
        }
        std::uint32_t first = ~0U;
        for (const OpId reader : next)
            first = std::min(first, time[reader.index()]);
        entries.push_back({first, 0, op});
    }
    std::ranges::sort(entries, {}, [](const Entry& e) { return std::tuple(e.time, e.late, e.op); });
    for (std::uint32_t i = 0; i < entries.size(); ++i)
        time[entries[i].op.index()] = i;
    return time;
}

std::vector<std::uint32_t> firstPlaces(const ScopeTree& scopes, std::span<const std::uint32_t> places) {
    // Parents come before children in the tree's numbering, so one pass from the end sees every sub-scope first.
    std::vector<std::uint32_t> first(scopes.scopeCount(), ~0U);
    for (std::size_t s = scopes.scopeCount(); s-- > 0;) {
        for (const OpId op : scopes.scope(ScopeId(s)).ops)
            first[s] = std::min(first[s], places[op.index()]);
        for (const ScopeId sub : scopes.scope(ScopeId(s)).scopes)
            first[s] = std::min(first[s], first[sub.index()]);
    }
    return first;
}

NumberedName::NumberedName(std::string_view name) : stem(name.substr(0, name.find('/'))) {
    const std::size_t last = stem.find_last_not_of("0123456789");
    const std::string_view digits = last == std::string_view::npos ? stem : stem.substr(last + 1);
    if (digits.empty() || digits.size() > 18)
        return;
    numbered = true;
    for (const char digit : digits)
        number = 10 * number + static_cast<std::uint64_t>(digit - '0');
    stem.remove_suffix(digits.size());
}

std::vector<std::uint32_t> siblingOrder(std::span<const Sibling> siblings) {
    std::vector<std::uint32_t> order(siblings.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return siblings[i].place; });

    struct Member {
        std::uint64_t number;
        std::uint32_t slot, sibling;
    };
    std::map<std::string_view, std::vector<Member>> series;
    for (std::uint32_t slot = 0; slot < order.size(); ++slot) {
        const NumberedName name(siblings[order[slot]].name);
        if (name.numbered)
            series[name.stem].push_back({name.number, slot, order[slot]});
    }
    for (auto& [stem, members] : series) {
        std::vector<std::uint32_t> slots;
        for (const Member& member : members)
            slots.push_back(member.slot);
        std::ranges::stable_sort(members, {}, &Member::number);
        int up = 0;
        for (std::size_t i = 0; i + 1 < members.size(); ++i)
            up += members[i].slot < members[i + 1].slot ? 1 : -1;
        if (up < 0)
            std::ranges::reverse(members);
        for (std::size_t i = 0; i < members.size(); ++i)
            order[slots[i]] = members[i].sibling;
    }
    return order;
}

} // namespace opscape
