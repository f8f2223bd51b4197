// SPDX-License-Identifier: MIT
#include "run_again.h"

#include "file_plan.h"
#include "pinned_ops.h"

#include <algorithm>

namespace opscape {
namespace {

const OptionSpec* specNamed(const OptimizerInfo& info, const std::string& name) {
    const auto at = std::ranges::find(info.options, name, &OptionSpec::name);
    return at == info.options.end() ? nullptr : &*at;
}

} // namespace

Result<RunAgain> runAgain(const Workbench& workbench, std::int64_t run, std::shared_ptr<const OpenedGraph> opened) {
    auto subject = workbench.reopen(run, std::move(opened));
    if (!subject)
        return fail(subject.error());
    RunAgain again{std::move(subject->run), std::move(subject->opened), std::move(subject->cluster), {}};
    const RunRecord& record = again.run;
    if (record.optimizer.empty() || record.optimizer == kAsInFile)
        return fail("run {} is a plan that was given, not one that an optimizer made; open it to change it by hand.",
                    run);
    const auto info = workbench.registry().optimizer(record.optimizer);
    if (!info)
        return fail("run {} cannot be made again: {}", run, info.error().message);
    OptimizeRequest& request = again.request;
    request.optimizer = record.optimizer;
    request.seed = record.seed;
    request.objective = parseObjective(record.objective);
    for (const auto& [name, value] : record.options) {
        const OptionSpec* spec = specNamed(**info, name);
        if (spec != nullptr && spec->type == OptionSpec::Type::FileToWrite)
            continue; // what was written then is not written over
        if (spec == nullptr && name == kPinnedOption) {
            auto pins = parsePinned(value, again.opened->graph->opCount(), again.cluster->deviceCount());
            if (!pins)
                return fail("run {} kept {} ops where they were pinned, but it is not known which; open it, pin them "
                            "and optimize the rest.",
                            run, value);
            request.pins = std::move(*pins);
        } else if (spec == nullptr && name == "fuser") {
            if (const auto fuser = parseFuser(value))
                request.finish.fuser = *fuser;
        } else if (spec == nullptr && name == "scheduler") {
            if (const auto scheduler = parseScheduler(value))
                request.finish.scheduler = *scheduler;
        } else {
            request.options[name] = value;
        }
    }
    return again;
}

std::string revisionRemark(const RunRecord& run, int revisionNow) {
    if (run.optimizer.empty() || revisionNow == 0 || run.revision == revisionNow)
        return {};
    return fmt::format("Made with revision {} of {}; this program has revision {}, which may find another plan.",
                       run.revision, run.optimizer, revisionNow);
}

} // namespace opscape
