// SPDX-License-Identifier: MIT
// A plan to compare with: taken from the kept runs where there is one, else made and kept. Qt-free.
#pragma once

#include "workbench.h"

namespace opscape {

/// The run that stands for an optimizer on a graph, a cluster and a link model, if one is kept: finished, by the same
/// revision, for the step time, with nothing done to its plan afterwards. Of optimizers that learn the one with the
/// shortest step that fits in memory, whatever its options; of others the newest with the options at their defaults.
[[nodiscard]] Result<std::optional<RunRecord>> keptRunOf(const Workbench& workbench, const OpenedGraph& opened,
                                                         const Cluster& cluster, const std::string& optimizer);

/// That run, simulated again; nothing where none is kept or the store cannot be read.
[[nodiscard]] std::optional<Outcome> keptOutcome(const Workbench& workbench,
                                                 const std::shared_ptr<const OpenedGraph>& opened,
                                                 const Cluster& cluster, const std::string& optimizer);

/// That run, or where there is none a new one. `wasKept`, where given, says which.
[[nodiscard]] Result<Outcome> keptOrNew(const Workbench& workbench, const std::shared_ptr<const OpenedGraph>& opened,
                                        const std::shared_ptr<const Cluster>& cluster, const OptimizeRequest& request,
                                        const RunContext& context, bool* wasKept = nullptr);

} // namespace opscape
