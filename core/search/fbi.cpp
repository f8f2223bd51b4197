// SPDX-License-Identifier: MIT
// The schedule that a plan gives is one list schedule; keyed by when its ops end, the step is scheduled backwards,
// which moves every op as late as its readers allow; when an op ends there, counted from the end of the step, is its
// next priority for a forward schedule. A few rounds of that, beginning with the plan itself, with first come first
// served, with the upward rank or with the rank under the placement, whichever is best; the best forward schedule of
// all wins.
#include <opscape/search/fbi.h>
#include <opscape/sim/ranks.h>

#include <algorithm>
#include <numeric>

namespace opscape {
namespace {

/// Leaves room between the priorities of ops, for a search that moves single ones.
constexpr std::int64_t kRoom = 1024;

/// Priorities under which a queue that never idles takes the ops in the order in which they started.
std::vector<std::int64_t> inOrderOfStart(const Schedule& schedule) {
    std::vector<std::uint32_t> order(schedule.ops.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, [&schedule](std::uint32_t a, std::uint32_t b) {
        const OpRun &x = schedule.ops[a], &y = schedule.ops[b];
        return std::tie(x.startNs, x.endNs, x.readyNs, a) < std::tie(y.startNs, y.endNs, y.readyNs, b);
    });
    std::vector<std::int64_t> priorities(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        priorities[order[i]] = static_cast<std::int64_t>(order.size() - i) * kRoom;
    return priorities;
}

} // namespace

ForwardBackward::ForwardBackward(const Problem& problem, std::span<const std::uint32_t> fusionGroup)
    : m_problem(problem),
      m_graph([&] {
          UnitGraph graph;
          graph.build(problem, fusionGroup);
          return graph;
      }()),
      m_reverse(problem, m_graph),
      m_rankPriorities(rankPriorities(problem)) {
    for (std::int64_t& priority : m_rankPriorities)
        priority *= kRoom;
}

std::vector<std::int64_t> ForwardBackward::placedRanks(const Plan& plan) const {
    const Cluster& cluster = *m_problem.cluster;
    std::vector<std::int64_t> tailNs(m_graph.unitCount());
    for (std::size_t i = m_graph.topological.size(); i-- > 0;) {
        const std::uint32_t unit = m_graph.topological[i];
        const DeviceId device = plan.device[m_graph.firstOp[unit]];
        std::int64_t behind = 0;
        for (std::uint32_t slot = m_graph.outFirst[unit]; slot < m_graph.outFirst[unit + 1]; ++slot) {
            const bool isSignal = m_graph.slotTensor[slot] == UnitGraph::kSignal;
            for (std::uint32_t r = m_graph.readerFirst[slot]; r < m_graph.readerFirst[slot + 1]; ++r) {
                const DeviceId to = plan.device[m_graph.firstOp[m_graph.readers[r]]];
                const std::int64_t transferNs = isSignal ? cluster.routeLatencyNs(device, to)
                                                         : cluster.transferNs(m_graph.slotBytes[slot], device, to);
                behind = std::max(behind, transferNs + tailNs[m_graph.readers[r]]);
            }
        }
        tailNs[unit] = behind + m_graph.unitNs(unit, cluster.device(device).kind);
    }
    std::vector<std::int64_t> ranks(plan.device.size());
    for (std::size_t op = 0; op < ranks.size(); ++op)
        ranks[op] = tailNs[m_graph.unitOf[op]] * kRoom;
    return ranks;
}

std::optional<ScoredPlan> ForwardBackward::improve(SearchRun& run, const Plan& plan, int rounds) {
    const auto given = run.times(plan);
    if (!given)
        return std::nullopt;
    Plan trial = plan;
    trial.policy = QueuePolicy::Priority;
    std::optional<ScoredPlan> best;
    std::vector<std::int64_t> keys(m_graph.unitCount()), finishNs;
    const auto attempt = [&](std::vector<std::int64_t> priorities, bool always) {
        trial.priority = std::move(priorities);
        const auto score = run.times(trial);
        const bool isBetter = score && (!best || score->betterThan(best->score));
        if (isBetter)
            best = {trial, *score};
        for (std::size_t unit = 0; (isBetter || always) && unit < keys.size(); ++unit)
            keys[unit] = run.schedule().ops[m_graph.firstOp[unit]].endNs;
    };
    attempt(inOrderOfStart(run.schedule()), true);
    if (plan.policy != QueuePolicy::Fifo && !run.isOver()) {
        Plan fifo = plan;
        fifo.policy = QueuePolicy::Fifo;
        fifo.priority.clear();
        if (run.times(fifo))
            attempt(inOrderOfStart(run.schedule()), false);
    }
    if (!run.isOver())
        attempt(m_rankPriorities, false);
    if (!run.isOver())
        attempt(placedRanks(plan), false);
    for (int round = 0; round < rounds && !run.isOver(); ++round) {
        m_reverse.run(plan, keys, finishNs);
        std::vector<std::int64_t> priorities(plan.device.size());
        for (std::size_t op = 0; op < priorities.size(); ++op)
            priorities[op] = finishNs[m_graph.unitOf[op]] * kRoom;
        attempt(std::move(priorities), true);
    }
    if (!best || given->betterThan(best->score))
        return ScoredPlan{plan, *given};
    return best;
}

} // namespace opscape
