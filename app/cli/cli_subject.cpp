// SPDX-License-Identifier: MIT
#include "cli_subject.h"

namespace opscape {

Result<Subject> openSubject(const GlobalArgs& global, const std::filesystem::path& file, const ClusterArgs& cluster,
                            const std::filesystem::path& plan, std::int64_t run) {
    Subject subject;
    if (!file.empty()) {
        auto opened = Workbench::openGraph(file);
        if (!opened)
            return fail(opened.error());
        subject.opened = std::move(*opened);
    }
    if (run != 0) {
        auto outcome = Workbench(global.database).restore(run);
        if (!outcome)
            return fail(outcome.error());
        if (subject.opened && subject.opened->graph->hash() != outcome->run.graphHash)
            return fail("{}: run {} is about another graph, {}; leave the file out to take that.", file.string(), run,
                        outcome->run.graphName);
        subject.opened = outcome->opened;
        subject.outcome = std::move(*outcome);
    } else if (!plan.empty()) {
        const auto loaded = cluster.load(*subject.opened);
        if (!loaded)
            return fail(loaded.error());
        auto outcome = simulateFile(Workbench(global.database), {subject.opened, *loaded}, plan, false);
        if (!outcome)
            return fail(outcome.error());
        subject.outcome = std::move(*outcome);
    }
    return subject;
}

} // namespace opscape
