// SPDX-License-Identifier: MIT
// One of the default fusers for the start plan, else for everything on the first device. Placement and queues stay.
#include <opscape/search/finish.h>
#include <opscape/task/constraints.h>
#include <opscape/task/plugin.h>

namespace opscape {
namespace {

OptimizerInfo info() {
    OptimizerInfo info;
    info.id = "fuse";
    info.title = "Default fusion";
    info.summary = "Only fuses the start plan: elementwise chains, or what saves most time first, as compilers do.";
    info.decides = {"fusion"};
    info.honoursPins = true;
    std::vector<std::string> ids;
    std::string summary;
    for (const FuserInfo& fuser : fusers()) {
        ids.emplace_back(fuser.id);
        summary += fmt::format("{}{}: {}", summary.empty() ? "" : "; ", fuser.id, fuser.summary);
    }
    info.options = {OptionSpec::choice("fuser", summary + ".", std::string(toString(Fuser::TimeSaved)), ids)};
    return info;
}

class Fuse final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        const auto fixed = fixedDevices(problem);
        if (!fixed)
            return fail(fixed.error());
        Plan plan = problem.start.value_or(Plan::allOn(DeviceId(0), problem.graph->opCount()));
        for (std::size_t i = 0; i < plan.device.size(); ++i) {
            if ((*fixed)[i].valid())
                plan.device[i] = (*fixed)[i];
        }
        if (!problem.decides("fusion"))
            return plan;
        const auto fuser = parseFuser(options.choice("fuser"));
        if (!fuser)
            return fail(fuser.error());
        return finished(problem, plan, {*fuser, {}}, context);
    }
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("fuse", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Fuse>(); });
})
