// SPDX-License-Identifier: MIT
#include "run_table.h"

#include "run_status.h"

#include <opscape/io/text.h>

namespace opscape {

std::string runsCsv(const std::vector<RunRecord>& runs, const std::set<std::int64_t>& paused) {
    std::string text = "run,kind,status,graph,graph_hash,ops,edges,cluster,links,optimizer,revision,objective,seed,"
                       "options,step_ns,bound_ns,peak_bytes,moved_bytes,fits,started_unix_ms,took_ms,version,pinned,"
                       "tags,notes,error\n";
    for (const RunRecord& run : runs) {
        std::string options;
        for (const auto& [name, value] : run.options)
            options += (options.empty() ? "" : " ") + name + "=" + value;
        const auto figure = [&run](auto RunResult::*member) {
            return run.result ? fmt::format("{}", (*run.result).*member) : std::string();
        };
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", run.id,
                            run.kind, statusText(run, paused.contains(run.id)), csvField(run.graphName), run.graphHash,
                            run.ops, run.edges, csvField(run.clusterId), run.linkModel, csvField(run.optimizer),
                            run.revision, run.objective, run.seed, csvField(options), figure(&RunResult::makespanNs),
                            figure(&RunResult::lowerBoundNs), figure(&RunResult::peakBytes),
                            figure(&RunResult::bytesMoved), figure(&RunResult::feasible), run.startedMs, run.wallMs,
                            csvField(run.version), run.pinned, csvField(fmt::format("{}", fmt::join(run.tags, " "))),
                            csvField(run.notes), csvField(run.error));
    }
    return text;
}

} // namespace opscape
