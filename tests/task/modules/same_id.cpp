// SPDX-License-Identifier: MIT
// Wants an id that is taken.
#include <opscape/task/plugin.h>

OPSCAPE_PLUGIN("same_id", [](opscape::Registry& registry) -> opscape::Result<> {
    return registry.addOptimizer({"good", "Second", "Never there.", 1, {"placement"}, false, {}},
                                 [] { return std::unique_ptr<opscape::Optimizer>(); });
})
