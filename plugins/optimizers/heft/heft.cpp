// SPDX-License-Identifier: MIT
// Heterogeneous Earliest Finish Time (Topcuoglu, Hariri and Wu, "Performance-effective and low-complexity task
// scheduling for heterogeneous computing", IEEE TPDS 2002). Ops are taken by descending upward rank. Each goes to the
// device on which it would end first, with insertion (core/search/list_schedule.h).
#include <opscape/search/list_schedule.h>
#include <opscape/sim/ranks.h>
#include <opscape/task/constraints.h>
#include <opscape/task/plugin.h>

namespace opscape {
namespace {

class Heft final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        auto fixed = fixedDevices(problem);
        if (!fixed)
            return fail(fixed.error());
        ListSchedule schedule(problem, std::move(*fixed));
        if (auto placed = schedule.place(rankOrder(problem, upwardRanks(problem)), context); !placed)
            return fail(placed.error());
        return schedule.plan(options.choice("queue") == "order" ? QueuePolicy::Order : QueuePolicy::Priority);
    }
};

OptimizerInfo info() {
    return {
        .id = "heft",
        .title = "HEFT",
        .summary =
            "List scheduling by upward rank, each op where it ends first, with insertion (Topcuoglu, Hariri, Wu 2002).",
        .revision = 1,
        .decides = {"placement", "scheduling"},
        .honoursPins = true,
        .options = {OptionSpec::choice(
            "queue", "Run ops exactly in the order of the schedule, or the ready one of highest rank first.", "order",
            {"order", "rank"})}};
}

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("heft", [](opscape::Registry& registry) -> opscape::Result<> {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Heft>(); });
})
