// SPDX-License-Identifier: MIT
#include "times_import.h"

#include "workbench_parts.h"

#include <opscape/io/times/measured_times.h>

namespace opscape {

Result<ImportedTimes> importTimes(const OpenedGraph& opened, const std::filesystem::path& times) {
    return guarded([&]() -> Result<ImportedTimes> {
        const auto read = readMeasuredTimes(times);
        if (!read)
            return fail(read.error());
        auto timed = withTimes(*opened.graph, *read, times.string());
        if (!timed)
            return fail(timed.error());
        GraphFile file;
        file.graph = std::move(timed->graph);
        file.format = opened.format;
        file.fileNodes = opened.fileNodes;
        file.fileEdges = opened.fileEdges;
        file.folded = opened.folded;
        file.fusionGroup = opened.fusionGroup;
        file.isScheduled = opened.isScheduled;
        file.diagnostics = opened.diagnostics;
        file.diagnostics.merge(timed->diagnostics);
        file.cluster = opened.cluster;
        return ImportedTimes{openedFrom(std::move(file), opened.path), timed->sentence()};
    });
}

} // namespace opscape
