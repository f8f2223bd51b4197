// SPDX-License-Identifier: MIT
#include <opscape/search/moves.h>

#include <algorithm>

namespace opscape {

Moves::Moves(const Problem& problem, const OpGroups& groups, Random& random)
    : m_problem(problem),
      m_groups(groups),
      m_random(random),
      m_devices(static_cast<std::uint32_t>(problem.cluster->deviceCount())) {
    for (std::size_t level = 0; level < m_leads.size(); ++level) {
        m_leads[level].assign(groups.levels[level].groupCount(), kNone);
        for (std::size_t op = problem.graph->opCount(); op-- > 0;) {
            if (!groups.units.pinOf(OpId(op)).valid())
                m_leads[level][groups.levels[level].groupOf[op]] = static_cast<std::uint32_t>(op);
        }
    }
}

DeviceId Moves::deviceOf(std::uint32_t group) const {
    const std::uint32_t lead = m_leads[m_levelIndex][group];
    return lead == kNone ? DeviceId() : m_plan->device[lead];
}

DeviceId Moves::anyDevice() { return DeviceId(m_random.below(m_devices)); }

DeviceId Moves::leastLoaded() const {
    std::vector<std::int64_t> loadNs(m_devices);
    for (std::size_t op = 0; op < m_plan->device.size(); ++op)
        loadNs[m_plan->device[op].index()] += m_problem.opNs(OpId(op), m_plan->device[op]);
    return DeviceId(static_cast<std::size_t>(std::ranges::min_element(loadNs) - loadNs.begin()));
}

void Moves::assign(std::uint32_t group, DeviceId device) {
    if (!device.valid())
        return;
    for (const OpId op : m_level->ops(group)) {
        DeviceId& at = m_plan->device[op.index()];
        if (at == device || m_groups.units.pinOf(op).valid())
            continue;
        m_moved.emplace_back(op, at);
        at = device;
    }
}

void Moves::undo(Plan& plan) {
    for (auto it = m_moved.rbegin(); it != m_moved.rend(); ++it)
        plan.device[it->first.index()] = it->second;
    for (auto it = m_rekeyed.rbegin(); it != m_rekeyed.rend(); ++it)
        plan.priority[it->first.index()] = it->second;
    m_moved.clear();
    m_rekeyed.clear();
}

bool Moves::moveGroups(Plan& plan, std::size_t level, std::span<const Delay> delays) {
    m_plan = &plan;
    m_level = &m_groups.levels[level];
    m_levelIndex = level;
    m_moved.clear();
    m_rekeyed.clear();
    if (!delays.empty()) {
        easeDelay(delays[m_random.below(static_cast<std::uint32_t>(delays.size()))]);
        return !m_moved.empty();
    }
    struct Kind {
        double share;
        void (Moves::*make)();
    };
    static constexpr std::array<Kind, 6> kKinds{{{.15, &Moves::moveRun},
                                                 {.10, &Moves::swapTwo},
                                                 {.08, &Moves::gather},
                                                 {.12, &Moves::joinNeighbour},
                                                 {.05, &Moves::moveRestOfLayer},
                                                 {.05, &Moves::swapDevicesInWindow}}};
    double draw = m_random.uniform();
    for (const Kind& kind : kKinds) {
        draw -= kind.share;
        if (draw < 0) {
            (this->*kind.make)();
            return !m_moved.empty();
        }
    }
    const std::uint32_t group = anyGroup();
    assign(group, anyDevice());
    return !m_moved.empty();
}

/// A transfer goes when both ends are on one device; the one in front of it on a channel, when its producer goes where
/// it is sent; a wait for the device, when one of the two ops leaves it.
void Moves::easeDelay(const Delay& delay) {
    const std::uint32_t group = m_level->groupOf[delay.op.index()], by = m_level->groupOf[delay.by.index()];
    const bool first = chance(.5);
    switch (delay.kind) {
    case Delay::Kind::Transfer:
        if (first)
            assign(group, m_plan->device[delay.by.index()]);
        else
            assign(by, m_plan->device[delay.op.index()]);
        break;
    case Delay::Kind::Channel:
        assign(by, delay.to);
        break;
    case Delay::Kind::Device:
        assign(first ? group : by, chance(.5) ? leastLoaded() : anyDevice());
        break;
    }
}

void Moves::moveRun() {
    const std::uint32_t groups = m_level->groupCount();
    const std::uint32_t begin = anyGroup();
    const std::uint32_t length = 1 + m_random.below(std::max(1u, std::min(groups / 8, 32u)));
    const DeviceId from = deviceOf(m_level->order[begin]), to = anyDevice();
    for (std::uint32_t i = begin; i < std::min(groups, begin + length); ++i) {
        if (deviceOf(m_level->order[i]) == from)
            assign(m_level->order[i], to);
    }
}

void Moves::swapTwo() {
    const std::uint32_t a = anyGroup(), b = anyGroup();
    const DeviceId onA = deviceOf(a), onB = deviceOf(b);
    if (onA == onB)
        return;
    assign(a, onB);
    assign(b, onA);
}

void Moves::gather() {
    const std::uint32_t count = 1 + m_random.below(4);
    const DeviceId to = deviceOf(anyGroup());
    for (std::uint32_t i = 0; i < count; ++i)
        assign(anyGroup(), to);
}

void Moves::joinNeighbour() {
    constexpr int kAttempts = 4;
    const std::uint32_t group = anyGroup();
    const auto ops = m_level->ops(group);
    for (int attempt = 0; attempt < kAttempts && m_moved.empty(); ++attempt) {
        const OpId op = ops[m_random.below(static_cast<std::uint32_t>(ops.size()))];
        const auto before = m_problem.graph->predecessors(op), after = m_problem.graph->successors(op);
        const auto neighbours = !before.empty() && (after.empty() || chance(.5)) ? before : after;
        if (neighbours.empty())
            continue;
        const OpId neighbour = neighbours[m_random.below(static_cast<std::uint32_t>(neighbours.size()))];
        if (m_plan->device[neighbour.index()] != m_plan->device[op.index()])
            assign(group, m_plan->device[neighbour.index()]);
    }
}

void Moves::moveRestOfLayer() {
    constexpr int kMost = 16;
    constexpr double kStop = .15;
    const std::uint32_t group = anyGroup();
    const DeviceId from = deviceOf(group), to = anyDevice();
    int moved = 0;
    for (std::uint32_t i = m_level->place[group]; i < m_level->groupCount() && moved < kMost; ++i) {
        const std::uint32_t next = m_level->order[i];
        if (m_level->layer[next] != m_level->layer[group] || deviceOf(next) != from)
            continue;
        assign(next, to);
        ++moved;
        if (chance(kStop))
            break;
    }
}

void Moves::swapDevicesInWindow() {
    const std::uint32_t groups = m_level->groupCount();
    const std::uint32_t begin = anyGroup();
    const std::uint32_t length = 1 + m_random.below(std::max(2u, groups / 4));
    const DeviceId a = anyDevice(), b = anyDevice();
    for (std::uint32_t i = begin; i < std::min(groups, begin + length); ++i) {
        const std::uint32_t group = m_level->order[i];
        const DeviceId at = deviceOf(group);
        if (at == a)
            assign(group, b);
        else if (at == b)
            assign(group, a);
    }
}

bool Moves::movePriority(Plan& plan, std::span<const Delay> delays) {
    constexpr int kAttempts = 8;
    constexpr double kRaise = .2;
    m_plan = &plan;
    m_moved.clear();
    m_rekeyed.clear();
    for (int attempt = 0; attempt < kAttempts && !delays.empty(); ++attempt) {
        const Delay& delay = delays[m_random.below(static_cast<std::uint32_t>(delays.size()))];
        if (delay.kind != Delay::Kind::Device)
            continue;
        const std::int64_t waits = plan.priority[delay.op.index()], runs = plan.priority[delay.by.index()];
        switch (m_random.below(3)) {
        case 0:
            setPriority(delay.op, runs + 1);
            break;
        case 1:
            setPriority(delay.by, waits - 1);
            break;
        default:
            setPriority(delay.op,
                        waits + static_cast<std::int64_t>(kRaise * m_random.uniform() * static_cast<double>(waits)));
        }
        return !m_rekeyed.empty();
    }
    return false;
}

/// A fused group has the priority of its most urgent op, so all of them change.
void Moves::setPriority(OpId op, std::int64_t priority) {
    const auto set = [&](OpId member) {
        std::int64_t& at = m_plan->priority[member.index()];
        if (at == priority)
            return;
        m_rekeyed.emplace_back(member, at);
        at = priority;
    };
    const auto& fused = m_plan->fusionGroup;
    if (fused.empty() || fused[op.index()] == Plan::kNotFused)
        return set(op);
    for (const OpId member : m_groups.units.ops(m_groups.units.unitOf[op.index()])) {
        if (fused[member.index()] == fused[op.index()])
            set(member);
    }
}

} // namespace opscape
