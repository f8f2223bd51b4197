// SPDX-License-Identifier: MIT
// What a kept run was made from, to make it once more: with the same options and seed, or with others.
#pragma once

#include "workbench.h"

namespace opscape {

struct RunAgain {
    RunRecord run;
    std::shared_ptr<const OpenedGraph> opened;
    std::shared_ptr<const Cluster> cluster;
    OptimizeRequest request;
};

/// From the store alone; `opened` is used in place of the kept graph when it is the same one. Refused for a plan that
/// was given, for a run whose optimizer is not there, and for one with pinned ops of which only the number is known.
/// Ops that were pinned are so again; the plan that it started from is not known.
[[nodiscard]] Result<RunAgain> runAgain(const Workbench& workbench, std::int64_t run,
                                        std::shared_ptr<const OpenedGraph> opened = {});

/// "made with revision 3 of heft; this program has revision 5, ..."; empty where they agree or nothing is known.
[[nodiscard]] std::string revisionRemark(const RunRecord& run, int revisionNow);

} // namespace opscape
