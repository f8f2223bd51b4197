// SPDX-License-Identifier: MIT
// By time saved: every group has as its priority what would be saved if it were merged with each of the groups that
// read it, summed over them. The group with the highest goes first; it is merged with the reader with which it saves
// most and may be merged, then its priority and those of the groups that it reads are found anew. This is the order of
// the priority fusion in XLA; there a producer is cloned into each of its readers, here it is merged with one after
// another.
//
// The memory a group needs while it runs is part of what may be merged (FusionGroups). A group starts with the last of
// its inputs and hands on at its end, so on several devices a merge may delay another device; what is proposed beside
// all merges are those that cannot.
#include <opscape/fusion/fusers.h>

#include <queue>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace opscape {
namespace {

using Group = FusionGroups::Group;

constexpr std::array kFusers{
    FuserInfo{Fuser::None, "none", "every op a kernel of its own"},
    FuserInfo{Fuser::Elementwise, "elementwise", "chains of elementwise ops"},
    FuserInfo{Fuser::TimeSaved, "time-saved",
              "what saves most time first, unless the simulated step gets slower by it"},
};

class TimeSavedFuser {
public:
    TimeSavedFuser(const Problem& problem, std::span<const DeviceId> device, FusionReach reach)
        : m_groups(problem, device),
          m_version(device.size(), 0) {
        if (reach == FusionReach::Local)
            findBorders(*problem.graph, device);
    }

    FusionGroupIds run() {
        for (Group group = 0; group < m_version.size(); ++group)
            evaluate(group);
        while (!m_queue.empty()) {
            const Entry best = m_queue.top();
            m_queue.pop();
            if (best.version == m_version[best.group])
                mergeOnce(best.group);
        }
        return m_groups.fusionGroup();
    }

private:
    struct Entry {
        std::int64_t savedNs;
        Group group;
        std::uint32_t version; ///< of the group when it was evaluated; older ones are void
        bool operator<(const Entry& other) const {
            return savedNs != other.savedNs ? savedNs < other.savedNs : group > other.group;
        }
    };
    using Reader = FusionGroups::Reader;

    void findBorders(const Graph& graph, std::span<const DeviceId> device) {
        m_sends.assign(device.size(), 0);
        m_receives.assign(device.size(), 0);
        for (std::size_t i = 0; i < device.size(); ++i) {
            for (const OpId next : graph.successors(OpId(i))) {
                if (device[next.index()] != device[i])
                    m_sends[i] = m_receives[next.index()] = 1;
            }
        }
    }

    /// Merged with this reader, a tensor would be sent later or the producer would wait for another device.
    [[nodiscard]] bool delays(Group producer, Group reader) const {
        return !m_sends.empty() && (m_sends[producer] != 0 || m_receives[reader] != 0);
    }

    /// Readers with which merging saves time and may be allowed, in m_readers; what they save together.
    std::int64_t findReaders(Group group) {
        m_groups.readers(group, m_readers);
        std::erase_if(m_readers, [&](const Reader& r) { return r.savedNs <= 0 || delays(group, r.group); });
        std::int64_t sum = 0;
        for (const Reader& reader : m_readers)
            sum += reader.savedNs;
        return sum;
    }

    void evaluate(Group group) {
        ++m_version[group];
        if (const std::int64_t saved = findReaders(group); saved > 0)
            m_queue.push({saved, group, m_version[group]});
    }

    void mergeOnce(Group group) {
        findReaders(group);
        std::ranges::stable_sort(m_readers, std::greater(), &Reader::savedNs);
        for (const Reader& reader : m_readers) {
            if (m_groups.merge(group, reader.group) != FusionObstacle::None)
                continue;
            const Group merged = std::min(group, reader.group), gone = std::max(group, reader.group);
            ++m_version[gone];
            if (!m_sends.empty()) {
                m_sends[merged] = m_sends[group] | m_sends[reader.group];
                m_receives[merged] = m_receives[group] | m_receives[reader.group];
            }
            evaluate(merged);
            m_groups.producers(merged, m_producers);
            for (const Group producer : m_producers)
                evaluate(producer);
            return;
        }
    }

    FusionGroups m_groups;
    std::priority_queue<Entry> m_queue;
    std::vector<std::uint32_t> m_version;          ///< per group
    std::vector<std::uint8_t> m_sends, m_receives; ///< per group: to or from another device; empty: never mind
    std::vector<Reader> m_readers;                 ///< of the group at hand
    std::vector<Group> m_producers;
};

/// Priorities of ops for a fixed order of the groups, whose ids are those of their first ops.
std::vector<std::int64_t> orderOfGroups(const Graph& graph, const Plan& plan) {
    const std::size_t ops = graph.opCount();
    const auto groupOf = [&plan](OpId op) {
        const std::uint32_t group = plan.fusionGroup[op.index()];
        return group == Plan::kNotFused ? op.value : group;
    };
    std::vector<std::vector<OpId>> members(ops); // per first op
    std::vector<std::int64_t> priority(ops, std::numeric_limits<std::int64_t>::min());
    std::vector<std::uint32_t> awaits(ops, 0); // edges from other groups
    for (std::size_t i = 0; i < ops; ++i) {
        const Group group = groupOf(OpId(i));
        members[group].emplace_back(i);
        priority[group] = std::max(priority[group], plan.priority[i]);
        for (const OpId next : graph.successors(OpId(i)))
            awaits[groupOf(next)] += groupOf(next) != group ? 1 : 0;
    }
    const auto later = [&priority](Group a, Group b) {
        return priority[a] != priority[b] ? priority[a] < priority[b] : a > b;
    };
    std::priority_queue<Group, std::vector<Group>, decltype(later)> ready(later);
    for (Group group = 0; group < ops; ++group) {
        if (!members[group].empty() && awaits[group] == 0)
            ready.push(group);
    }
    std::vector<std::int64_t> order(ops);
    for (auto place = static_cast<std::int64_t>(ops); !ready.empty(); --place) {
        const Group group = ready.top();
        ready.pop();
        for (const OpId op : members[group]) {
            order[op.index()] = place;
            for (const OpId next : graph.successors(op)) {
                if (groupOf(next) != group && --awaits[groupOf(next)] == 0)
                    ready.push(groupOf(next));
            }
        }
    }
    return order;
}

} // namespace

std::span<const FuserInfo> fusers() { return kFusers; }

std::string_view toString(Fuser fuser) { return kFusers[static_cast<std::size_t>(fuser)].id; }

Result<Fuser> parseFuser(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const FuserInfo& info : kFusers) {
        if (info.id == id)
            return info.fuser;
        ids.push_back(info.id);
    }
    return fail("there is no fuser {}; there are {}.", id, fmt::join(ids, ", "));
}

void setFusion(const Graph& graph, Plan& plan, FusionGroupIds groups) {
    plan.fusionGroup = std::move(groups);
    if (plan.policy == QueuePolicy::Order && !plan.fusionGroup.empty())
        plan.priority = orderOfGroups(graph, plan);
}

FusionGroupIds fuseChains(const Problem& problem, std::span<const DeviceId> device) {
    const Graph& graph = *problem.graph;
    FusionGroups groups(problem, device);
    std::vector<std::uint8_t> continues(graph.opCount(), 0);
    const auto isElementwise = [&graph](OpId op) {
        const FusionKind kind = fusionKind(graph, op);
        return kind == FusionKind::Elementwise || kind == FusionKind::Broadcast;
    };
    for (const OpId op : graph.topologicalOrder()) {
        const auto next = graph.successors(op);
        if (next.size() != 1 || continues[next[0].index()] != 0 || !isElementwise(op) || !isElementwise(next[0]))
            continue;
        if (groups.merge(groups.groupOf(op), groups.groupOf(next[0])) == FusionObstacle::None)
            continues[next[0].index()] = 1;
    }
    return groups.fusionGroup();
}

FusionGroupIds fuseByTimeSaved(const Problem& problem, std::span<const DeviceId> device, FusionReach reach) {
    return TimeSavedFuser(problem, device, reach).run();
}

FusionGroupIds fuseByLevel(const Problem& problem, std::span<const DeviceId> device, std::span<const int> levels) {
    const Graph& graph = *problem.graph;
    FusionGroups groups(problem, device);
    std::vector<std::uint32_t> order(levels.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, std::greater(), [levels](std::uint32_t op) { return levels[op]; });
    struct Neighbour {
        std::int64_t savedNs;
        Group group;
        bool makes; ///< what the op reads; else reads what it makes
    };
    std::vector<Neighbour> neighbours;
    for (const std::uint32_t op : order) {
        if (levels[op] <= 0)
            break;
        const Group mine = groups.groupOf(OpId(op));
        neighbours.clear();
        const auto consider = [&](Group other, bool makes) {
            const Group producer = makes ? other : mine, consumer = makes ? mine : other;
            const auto isKnown = [&](const Neighbour& known) { return known.group == other; };
            if (std::ranges::none_of(neighbours, isKnown) &&
                groups.quickObstacle(producer, consumer) == FusionObstacle::None)
                neighbours.push_back({groups.savedNs(producer, consumer), other, makes});
        };
        for (const OpId before : graph.predecessors(OpId(op)))
            consider(groups.groupOf(before), true);
        for (const OpId after : graph.successors(OpId(op)))
            consider(groups.groupOf(after), false);
        std::ranges::sort(neighbours, [](const Neighbour& a, const Neighbour& b) {
            return a.savedNs != b.savedNs ? a.savedNs > b.savedNs : a.group < b.group;
        });
        for (const Neighbour& other : neighbours) {
            const FusionObstacle obstacle =
                other.makes ? groups.merge(other.group, mine) : groups.merge(mine, other.group);
            if (obstacle == FusionObstacle::None)
                break;
        }
    }
    return groups.fusionGroup();
}

std::vector<FusionGroupIds> fusionProposals(const Problem& problem, std::span<const DeviceId> device, Fuser fuser) {
    switch (fuser) {
    case Fuser::None:
        break;
    case Fuser::Elementwise:
        return {fuseChains(problem, device)};
    case Fuser::TimeSaved: {
        std::vector<FusionGroupIds> proposals{fuseByTimeSaved(problem, device, FusionReach::Any),
                                              fuseByTimeSaved(problem, device, FusionReach::Local),
                                              fuseChains(problem, device), FusionGroupIds()};
        proposals.erase(std::ranges::unique(proposals).begin(), proposals.end());
        return proposals;
    }
    }
    return {FusionGroupIds()};
}

} // namespace opscape
