// SPDX-License-Identifier: MIT
// Predict Earliest Finish Time (Arabnejad and Barbosa, "List scheduling algorithm for heterogeneous systems by an
// optimistic cost table", IEEE TPDS 2014). The table (core/sim/optimistic_costs.h) tells for every op and device how
// long it is at least from the end of the op there to the end of the step. Of the ops whose producers are placed the
// one with the highest mean of its row is next; it goes where its end plus its entry is least, with insertion
// (core/search/list_schedule.h): it may end later if what follows ends earlier.
#include <opscape/search/list_schedule.h>
#include <opscape/sim/optimistic_costs.h>
#include <opscape/sim/ranks.h>
#include <opscape/task/constraints.h>
#include <opscape/task/plugin.h>

#include <numeric>

namespace opscape {
namespace {

class Peft final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options&, const RunContext& context) override {
        auto fixed = fixedDevices(problem);
        if (!fixed)
            return fail(fixed.error());
        UnitGraph graph;
        graph.build(problem, {}); // every op is a unit
        const std::vector<std::int64_t> table = optimisticCosts(problem, graph, *fixed);
        const std::size_t devices = problem.cluster->deviceCount();
        const auto row = [&](OpId op) { return std::span(table).subspan(op.index() * devices, devices); };
        std::vector<std::int64_t> rank;
        for (std::size_t i = 0; i < problem.graph->opCount(); ++i)
            rank.push_back(std::accumulate(row(OpId(i)).begin(), row(OpId(i)).end(), std::int64_t{0}));

        ListSchedule schedule(problem, std::move(*fixed));
        if (auto placed = schedule.place(readyOrder(*problem.graph, rank), context, row); !placed)
            return fail(placed.error());
        return schedule.plan(QueuePolicy::Order);
    }
};

OptimizerInfo info() {
    OptimizerInfo info;
    info.id = "peft";
    info.title = "PEFT";
    info.summary =
        "List scheduling with a table of what at least follows each op on each device (Arabnejad, Barbosa 2014).";
    info.decides = {"placement", "scheduling"};
    info.honoursPins = true;
    return info;
}

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("peft", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Peft>(); });
})
