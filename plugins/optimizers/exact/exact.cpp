// SPDX-License-Identifier: MIT
// Branch and bound for small graphs (Land and Doig 1960; bounds and dominance as in Kohler and Steiglitz 1974). It
// starts from the best of the quick placements and the start plan and goes on in two stages:
//
// 1. The fastest schedule without contention and without regard to memory. Its time is a lower bound for any plan under
//    any link model. Every better schedule found on the way is simulated; the best plan by simulation is kept.
// 2. Where the simulation knows of more (links of the kind fifo or fair, blocking sends, memory that may run out,
// queues
//    that are given), and the best plan is still above that bound: all placements and per-device orders whose time
//    without contention is below the best, each simulated.
//
// What is proven: when a stage runs to its end, or the bound is reached, the plan is optimal over all placements and
// all orders of the ops on each device (for the queues of the start plan, where ordering is not asked for), fused as
// the start plan is. Stage 2 is a plain enumeration and rarely ends for more than some ten ops. A search that is
// stopped says how far it got: its lower bound is what no plan can go below. Pins and colocation groups are kept in
// both.
#include "branch_and_bound.h"

#include <opscape/base/units.h>
#include <opscape/search/memory_estimate.h>
#include <opscape/search/setup.h>
#include <opscape/sim/bounds.h>
#include <opscape/task/constraints.h>
#include <opscape/task/plugin.h>

#include <limits>

namespace opscape {
namespace {

constexpr std::size_t kMostUnits = 64; // a bit each; beyond that no search ends
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

OptimizerInfo info() {
    OptimizerInfo info;
    info.id = "exact";
    info.title = "Exact search";
    info.summary =
        "Branch and bound for graphs of up to some 20 ops: proves that its plan is optimal, or says how far it got.";
    info.decides = {"placement", "scheduling"};
    info.honoursPins = true;
    info.options = {OptionSpec::real("seconds", "How long to search.", 10, 0.01, 86'400, "s"),
                    OptionSpec::integer("nodes",
                                        "How many partial schedules to look at; then time does not count and the plan "
                                        "is the same on any machine. 0: by time.",
                                        0, 0, 1'000'000'000'000)};
    return info;
}

class Exact final : public Optimizer {
    using Clock = RunPause::Clock;

    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        m_context = &context;
        m_begin = m_reported = context.now();
        m_mostNodes = options.integer("nodes");
        m_seconds = options.real("seconds");
        const auto setup = SearchSetup::make(problem);
        const auto fixed = fixedDevices(problem);
        if (!setup)
            return fail(setup.error());
        if (!fixed)
            return fail(fixed.error());
        // The run counts simulations, this search counts nodes: only the last report, of the result, is the run's.
        RunContext quiet;
        quiet.stop = context.stop;
        quiet.pause = context.pause;
        quiet.improved = context.improved;
        quiet.progress = [this](Progress last) {
            last.verdict = m_verdict;
            if (m_isDone)
                m_context->report(last);
        };
        constexpr std::int64_t kNoEnd = 1'000'000'000'000;
        SearchRun run(problem, quiet, {kNoEnd, 0});
        m_run = &run;
        (void)setup->scoreStarts(run);
        m_lowerNs = lowerBounds(problem, setup->start()).bestNs;

        UnitGraph graph;
        graph.build(problem, setup->start().fusionGroup);
        const bool isSmall = graph.unitCount() <= kMostUnits;
        if (isSmall)
            search(*setup, StepModel(problem, std::move(graph), setup->groups().units, *fixed));
        if (isProven())
            m_verdict = fmt::format("{}, proven after {} nodes",
                                    limit() < kNoLimit ? "optimal" : "no plan fits in memory", formatCount(m_nodes));
        else
            m_verdict = fmt::format("{}, lower bound {}",
                                    isSmall ? fmt::format("stopped after {} nodes", formatCount(m_nodes))
                                            : fmt::format("not searched, more than {} ops", kMostUnits),
                                    formatTime(m_lowerNs));
        run.setStage(m_verdict);
        m_isDone = true;
        return run.finish();
    }

    void search(const SearchSetup& setup, const StepModel& model) {
        const Cluster& cluster = *setup.problem().cluster;
        const bool isFree = cluster.linkModel() == LinkModel::None && !cluster.blockingSend();
        const bool isJudged = !isFree || !setup.ordersOps() || MemoryEstimate(setup.problem()).matters();
        const auto mayGoOn = [this] { return this->mayGoOn(); };
        const auto simulate = [&](std::span<const BranchAndBound::Placed> schedule) {
            (void)m_run->score(planOf(setup, model, schedule)); // the run keeps the best
        };

        m_share = isJudged ? 0.5 : 1;
        std::int64_t fastestNs = limit();
        if (!isProven()) {
            const std::int64_t boundNs = BranchAndBound(model, BranchAndBound::Mode::Fastest, true)
                                             .run(
                                                 fastestNs,
                                                 [&](const auto& schedule, std::int64_t makespanNs) {
                                                     simulate(schedule);
                                                     return fastestNs = std::min(makespanNs, limit());
                                                 },
                                                 mayGoOn);
            m_lowerNs = std::max(m_lowerNs, boundNs);
        }
        m_share = 1;
        if (isJudged && !isProven()) {
            // Transfers that are ready at once go in the order of their destinations: contention tells twins apart.
            const std::int64_t boundNs = BranchAndBound(model, BranchAndBound::Mode::Every, isFree)
                                             .run(
                                                 limit(),
                                                 [&](const auto& schedule, std::int64_t) {
                                                     simulate(schedule);
                                                     return limit();
                                                 },
                                                 mayGoOn);
            m_lowerNs = std::max(m_lowerNs, boundNs);
        }
    }

    static Plan planOf(const SearchSetup& setup, const StepModel& model,
                       std::span<const BranchAndBound::Placed> schedule) {
        const UnitGraph& graph = model.graph;
        Plan plan = setup.start();
        const std::vector<DeviceId> startDevice = plan.device;
        if (setup.ordersOps()) {
            plan.policy = QueuePolicy::Order;
            plan.priority.resize(plan.device.size());
        }
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            const std::uint32_t unit = schedule[i].unit;
            for (std::uint32_t m = graph.memberFirst[unit]; m < graph.memberFirst[unit + 1]; ++m) {
                plan.device[graph.members[m].index()] = DeviceId(schedule[i].device);
                if (setup.ordersOps())
                    plan.priority[graph.members[m].index()] = static_cast<std::int64_t>(schedule.size() - i);
            }
        }
        // As Optimizer::solve() does: a given order belongs to its placement.
        if (!setup.ordersOps() && plan.policy == QueuePolicy::Order && plan.device != startDevice)
            plan.policy = QueuePolicy::Priority;
        return plan;
    }

    /// What a plan has to be faster than.
    [[nodiscard]] std::int64_t limit() const {
        const auto& best = m_run->best();
        return best && best->score.feasible ? best->score.timeNs : kNoLimit;
    }
    [[nodiscard]] bool isProven() const { return limit() <= m_lowerNs; }

    [[nodiscard]] double spent() const {
        if (m_mostNodes > 0)
            return static_cast<double>(m_nodes) / static_cast<double>(m_mostNodes);
        return std::chrono::duration<double>(m_context->now() - m_begin).count() / m_seconds;
    }

    bool mayGoOn() {
        const double share = spent();
        if (share >= m_share || m_context->stopRequested())
            return false;
        ++m_nodes;
        constexpr auto kReportEvery = std::chrono::milliseconds(50);
        if (const Clock::time_point now = m_context->now(); now - m_reported >= kReportEvery) {
            m_reported = now;
            const auto& best = m_run->best();
            m_context->report({share, best ? best->score.timeNs : -1, m_run->simulations(),
                               fmt::format("{} nodes, lower bound {}", formatCount(m_nodes), formatTime(m_lowerNs)),
                               !best || best->score.feasible});
        }
        return true;
    }

    const RunContext* m_context = nullptr;
    SearchRun* m_run = nullptr;
    std::int64_t m_mostNodes = 0, m_nodes = 0;
    double m_seconds = 0, m_share = 1; ///< m_share: how much of the budget the stage may use
    std::int64_t m_lowerNs = 0;
    std::string m_verdict;
    bool m_isDone = false;
    Clock::time_point m_begin, m_reported;
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("exact", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Exact>(); });
})
