// SPDX-License-Identifier: MIT
// Groups and what they read form a graph that must stay acyclic, so two groups may be merged only when no path leads
// from the producer to the consumer through a third. The groups are kept in a topological order; such a path can pass
// only groups between the two. It is looked for from both ends in turn, breadth first, until the two searches meet (a
// path) or one of them has nothing left (none). The groups that this one has seen are then all that has to move for the
// order to hold after the merge: what comes after the producer goes behind the consumer, or what comes before the
// consumer in front of the producer. This is the reordering of Pearce and Kelly ("A dynamic topological sort algorithm
// for directed acyclic graphs", 2006), with the smaller of its two sides, for contractions.
#include <opscape/fusion/fusion_groups.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace opscape {
namespace {

std::vector<std::uint32_t> startingOrder(const Graph& graph) {
    std::vector<std::uint32_t> order;
    order.reserve(graph.opCount());
    for (const OpId op : graph.topologicalOrder())
        order.push_back(op.value);
    return order;
}

std::vector<std::int64_t> roomBesideResidents(const Problem& problem, std::span<const DeviceId> device) {
    const Graph& graph = *problem.graph;
    const Cluster& cluster = *problem.cluster;
    std::vector<std::int64_t> room(cluster.deviceCount());
    for (std::size_t d = 0; d < room.size(); ++d) {
        const std::int64_t capacity = cluster.kindOf(DeviceId(d)).memoryBytes;
        room[d] = capacity > 0 ? capacity : std::numeric_limits<std::int64_t>::max();
    }
    std::vector<std::size_t> seenFor(room.size(), graph.tensorCount());
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
        if (graph.producer(TensorId(t)).valid())
            continue;
        for (const OpId reader : graph.consumers(TensorId(t))) {
            const std::size_t d = device[reader.index()].index();
            if (seenFor[d] != t && room[d] != std::numeric_limits<std::int64_t>::max())
                room[d] -= graph.tensorBytes(TensorId(t));
            seenFor[d] = t;
        }
    }
    return room;
}

} // namespace

FusionGroups::FusionGroups(const Problem& problem, std::span<const DeviceId> device, FusionLimits limits)
    : m_problem(problem),
      m_graph(*problem.graph),
      m_limits(limits),
      m_roomBytes(roomBesideResidents(problem, device)),
      m_states(m_graph.opCount()),
      m_groupOf(m_graph.opCount()),
      m_nextOp(m_graph.opCount()),
      m_insideBytes(m_graph.opCount(), 0),
      m_memoryPs(m_graph.opCount()),
      m_order(startingOrder(m_graph)),
      m_mark(m_graph.opCount(), 0) {
    std::iota(m_groupOf.begin(), m_groupOf.end(), 0u);
    std::iota(m_nextOp.begin(), m_nextOp.end(), 0u);
    for (std::size_t i = 0; i < m_states.size(); ++i) {
        const OpId op(i);
        const KindId kind = problem.cluster->device(device[i]).kind;
        State& state = m_states[i];
        state.device = static_cast<std::uint16_t>(device[i].index());
        state.kind = fusionKind(m_graph, op);
        if (state.kind == FusionKind::Reduce || state.kind == FusionKind::Contraction)
            state.anchor = op;
        state.colocation = m_graph.colocationGroup(op);
        state.workspaceBytes = m_graph.op(op).workspaceBytes;
        for (const TensorId tensor : m_graph.dataInputs(op))
            state.tensorBytes += m_graph.tensorBytes(tensor);
        for (const TensorId tensor : m_graph.outputs(op))
            state.tensorBytes += m_graph.tensorBytes(tensor);
        state.share = fusedShare(problem, op, kind, 0);
        state.timeNs = problem.cost->opNs(op, kind);
        m_memoryPs[i] = state.share.memoryPs;
    }
}

std::vector<OpId> FusionGroups::ops(Group group) const {
    std::vector<OpId> found;
    forEachOp(group, [&found](OpId op) { found.push_back(op); });
    return found;
}

void FusionGroups::producers(Group group, std::vector<Group>& found) const {
    found.clear();
    forEachOp(group, [&](OpId op) {
        for (const TensorId tensor : m_graph.dataInputs(op)) {
            if (const Group maker = groupOf(m_graph.producer(tensor)); maker != group)
                found.push_back(maker);
        }
    });
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
}

void FusionGroups::readers(Group group, std::vector<Reader>& found) {
    found.clear();
    m_crossings.clear();
    forEachCrossing(group, [this](Group reader, OpId op, std::int64_t bytes) {
        m_crossings.push_back({reader, op, bytes});
    });
    std::ranges::sort(m_crossings, {}, [](const Crossing& c) { return std::pair(c.group, c.op); });
    for (std::size_t begin = 0, end = 0; begin < m_crossings.size(); begin = end) {
        const Group reader = m_crossings[begin].group;
        while (end < m_crossings.size() && m_crossings[end].group == reader)
            ++end;
        if (neighbourObstacle(group, reader) == FusionObstacle::None)
            found.push_back({reader, savedNs(group, reader, std::span(m_crossings).subspan(begin, end - begin))});
    }
}

bool FusionGroups::feeds(Group producer, Group consumer) const {
    bool does = false;
    forEachCrossing(producer, [&](Group reader, OpId, std::int64_t) { does = does || reader == consumer; });
    return does;
}

/// A contraction takes no prologue, but its epilogue may read what the producer makes.
std::optional<FusionKind> FusionGroups::joinedKind(Group producer, Group consumer) const {
    const State &from = m_states[producer], &to = m_states[consumer];
    if (from.anchor.valid() && to.anchor.valid())
        return std::nullopt;
    if (to.kind != FusionKind::Contraction)
        return joined(from.kind, to.kind);
    const auto made = [&](TensorId tensor) { return groupOf(m_graph.producer(tensor)) == producer; };
    if (from.kind == FusionKind::Opaque || std::ranges::any_of(m_graph.dataInputs(to.anchor), made))
        return std::nullopt;
    return to.kind;
}

/// What has to be in memory while the merged group runs. Summed over all ops first, which is quick and mostly enough.
bool FusionGroups::fitsMemory(Group producer, Group consumer) const {
    const State &from = m_states[producer], &to = m_states[consumer];
    const std::int64_t room = m_roomBytes[from.device];
    const std::int64_t workspace = from.workspaceBytes + to.workspaceBytes;
    if (from.tensorBytes + to.tensorBytes + workspace <= room)
        return true;
    const auto isInside = [&](OpId op) { return groupOf(op) == producer || groupOf(op) == consumer; };
    std::vector<TensorId> outside;
    for (const Group group : {producer, consumer}) {
        forEachOp(group, [&](OpId op) {
            for (const TensorId tensor : m_graph.dataInputs(op)) {
                if (!isInside(m_graph.producer(tensor)))
                    outside.push_back(tensor);
            }
            for (const TensorId tensor : m_graph.outputs(op)) {
                const auto readers = m_graph.consumers(tensor);
                if (readers.empty() || !std::ranges::all_of(readers, isInside))
                    outside.push_back(tensor);
            }
        });
    }
    std::ranges::sort(outside);
    outside.erase(std::ranges::unique(outside).begin(), outside.end());
    std::int64_t bytes = workspace;
    for (const TensorId tensor : outside)
        bytes += m_graph.tensorBytes(tensor);
    return bytes <= room;
}

/// Of two of which the second reads what the first makes.
FusionObstacle FusionGroups::neighbourObstacle(Group producer, Group consumer) const {
    using enum FusionObstacle;
    const State &from = m_states[producer], &to = m_states[consumer];
    if (from.device != to.device)
        return Device;
    if (from.colocation >= 0 && to.colocation >= 0 && from.colocation != to.colocation)
        return Colocation;
    if (!joinedKind(producer, consumer))
        return Kind;
    if (from.size + to.size > m_limits.ops)
        return Ops;
    if (from.workspaceBytes + to.workspaceBytes > m_limits.workspaceBytes)
        return Workspace;
    return fitsMemory(producer, consumer) ? None : Memory;
}

FusionObstacle FusionGroups::quickObstacle(Group producer, Group consumer) const {
    const bool areNeighbours = producer != consumer && feeds(producer, consumer);
    return areNeighbours ? neighbourObstacle(producer, consumer) : FusionObstacle::NotNeighbours;
}

FusionObstacle FusionGroups::obstacle(Group producer, Group consumer) {
    const FusionObstacle quick = quickObstacle(producer, consumer);
    if (quick != FusionObstacle::None)
        return quick;
    return findWay(producer, consumer) ? FusionObstacle::Cycle : FusionObstacle::None;
}

void FusionGroups::findCrossings(Group producer, Group consumer) {
    m_crossings.clear();
    forEachCrossing(producer, [&](Group reader, OpId op, std::int64_t bytes) {
        if (reader == consumer)
            m_crossings.push_back({reader, op, bytes});
    });
    std::ranges::sort(m_crossings, {}, &Crossing::op);
}

/// `crossings`: all between the two, by op.
FusedShare FusionGroups::joinedShare(Group producer, Group consumer, std::span<const Crossing> crossings) const {
    FusedShare sum = m_states[producer].share;
    sum += m_states[consumer].share;
    const KindId kind = m_problem.cluster->device(DeviceId(m_states[producer].device)).kind;
    for (std::size_t i = 0; i < crossings.size();) {
        const OpId op = crossings[i].op;
        std::int64_t inside = m_insideBytes[op.index()];
        for (; i < crossings.size() && crossings[i].op == op; ++i)
            inside += crossings[i].bytes;
        sum.memoryPs += fusedShare(m_problem, op, kind, inside).memoryPs - m_memoryPs[op.index()];
    }
    return sum;
}

std::int64_t FusionGroups::savedNs(Group producer, Group consumer, std::span<const Crossing> crossings) const {
    const DeviceKind& kind = m_problem.cluster->kindOf(DeviceId(m_states[producer].device));
    return m_states[producer].timeNs + m_states[consumer].timeNs -
           fusedNs(kind, joinedShare(producer, consumer, crossings));
}

std::int64_t FusionGroups::savedNs(Group producer, Group consumer) {
    findCrossings(producer, consumer);
    return savedNs(producer, consumer, m_crossings);
}

/// Takes the next group of one search and adds those after (before) it that lie between the two; true when that
/// closes a path.
bool FusionGroups::step(std::vector<Group>& queue, std::size_t& at, Group from, Group to, bool forward) {
    const Group here = queue[at++];
    const std::uint32_t mine = m_search + (forward ? 0 : 1), other = m_search + (forward ? 1 : 0);
    bool closes = false;
    forEachOp(here, [&](OpId op) {
        for (const OpId next : forward ? m_graph.successors(op) : m_graph.predecessors(op)) {
            const Group group = groupOf(next);
            const Group end = forward ? to : from;
            // The first step may go straight to the other end: that edge is what the merge takes away.
            if (group == end) {
                closes = closes || here != (forward ? from : to);
                continue;
            }
            if (m_mark[group] == mine || (forward ? !m_order.before(group, to) : !m_order.before(from, group)))
                continue;
            closes = closes || m_mark[group] == other;
            m_mark[group] = mine;
            queue.push_back(group);
        }
    });
    return closes;
}

/// Is there a path from the producer to the consumer through a third group?
bool FusionGroups::findWay(Group producer, Group consumer) {
    m_search += 2;
    m_forward.assign(1, producer);
    m_backward.assign(1, consumer);
    m_mark[producer] = m_search;
    m_mark[consumer] = m_search + 1;
    std::size_t forwardAt = 0, backwardAt = 0;
    while (forwardAt + backwardAt <= m_limits.steps) {
        if (step(m_forward, forwardAt, producer, consumer, true))
            return true;
        m_forwardIsWhole = forwardAt == m_forward.size();
        if (m_forwardIsWhole)
            return false;
        if (step(m_backward, backwardAt, producer, consumer, false))
            return true;
        if (backwardAt == m_backward.size())
            return false;
    }
    return true;
}

/// After a search that found no way.
void FusionGroups::reorder(Group producer, Group consumer, Group merged) {
    std::vector<Group>& moving = m_forwardIsWhole ? m_forward : m_backward;
    moving.erase(moving.begin()); // where the search began
    std::ranges::sort(moving, {}, [this](Group group) { return m_order.label(group); });
    for (const Group group : moving)
        m_order.remove(group);
    const Group stays = m_forwardIsWhole ? consumer : producer;
    if (m_forwardIsWhole)
        m_order.insertAfter(stays, moving);
    else
        m_order.insertBefore(stays, moving);
    m_order.remove(stays == producer ? consumer : producer);
    if (stays != merged)
        m_order.replace(stays, merged);
}

FusionObstacle FusionGroups::merge(Group producer, Group consumer) {
    if (const FusionObstacle obstacle = this->obstacle(producer, consumer); obstacle != FusionObstacle::None)
        return obstacle;
    const Group merged = std::min(producer, consumer), gone = std::max(producer, consumer);
    reorder(producer, consumer, merged);

    State state = m_states[producer];
    const State& other = m_states[consumer];
    findCrossings(producer, consumer);
    state.share = joinedShare(producer, consumer, m_crossings);
    const KindId kind = m_problem.cluster->device(DeviceId(state.device)).kind;
    for (const Crossing& crossing : m_crossings)
        m_insideBytes[crossing.op.index()] += crossing.bytes;
    for (const Crossing& crossing : m_crossings) {
        const OpId op = crossing.op;
        m_memoryPs[op.index()] = fusedShare(m_problem, op, kind, m_insideBytes[op.index()]).memoryPs;
    }
    state.kind = *joinedKind(producer, consumer);
    state.timeNs = fusedNs(m_problem.cluster->kind(kind), state.share);
    state.size += other.size;
    state.anchor = state.anchor.valid() ? state.anchor : other.anchor;
    state.colocation = std::max(state.colocation, other.colocation);
    state.workspaceBytes += other.workspaceBytes;
    state.tensorBytes += other.tensorBytes;
    m_states[merged] = state;
    forEachOp(gone, [&](OpId op) { m_groupOf[op.index()] = merged; });
    std::swap(m_nextOp[producer], m_nextOp[consumer]); // two rings become one
    return FusionObstacle::None;
}

std::vector<std::uint32_t> FusionGroups::fusionGroup() const {
    std::vector<std::uint32_t> groups(m_groupOf.size(), Plan::kNotFused);
    bool any = false;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (m_states[m_groupOf[i]].size == 1)
            continue;
        groups[i] = m_groupOf[i];
        any = true;
    }
    if (!any)
        groups.clear();
    return groups;
}

} // namespace opscape
