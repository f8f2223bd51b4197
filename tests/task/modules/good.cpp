// SPDX-License-Identifier: MIT
// A plugin as it should be; its optimizer puts everything on the first device.
#include <opscape/task/plugin.h>

namespace {

class FirstDevice final : public opscape::Optimizer {
    opscape::Result<opscape::Plan> doSolve(const opscape::Problem& problem, const opscape::Options&,
                                           const opscape::RunContext&) override {
        return opscape::Plan::allOn(opscape::DeviceId(0), problem.graph->opCount());
    }
};

} // namespace

OPSCAPE_PLUGIN("good", [](opscape::Registry& registry) -> opscape::Result<> {
    return registry.addOptimizer({"good", "Good", "Everything on the first device.", 1, {"placement"}, false, {}},
                                 [] { return std::make_unique<FirstDevice>(); });
})
