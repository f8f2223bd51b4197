// SPDX-License-Identifier: MIT
#include "gui/shown_run.h"

#include <algorithm>

namespace opscape {
namespace {

std::vector<ScopeTotal> totals(const Outcome& outcome) {
    const ScopeTree& tree = *outcome.opened->scopes;
    const std::size_t devices = outcome.problem.cluster->deviceCount();
    // Time per scope and device; an op of no time still counts a little, so that its scope has a device.
    std::vector<std::int64_t> time(tree.scopeCount() * devices);
    for (std::size_t i = 0; i < outcome.plan.device.size(); ++i) {
        const DeviceId device = outcome.plan.device[i];
        time[tree.scopeOf(OpId(i)).index() * devices + device.index()] +=
            std::max<std::int64_t>(1, outcome.problem.opNs(OpId(i), device));
    }
    std::vector<ScopeTotal> result(tree.scopeCount());
    for (std::size_t s = tree.scopeCount(); s-- > 0;) { // children come after their parents
        const std::int64_t* own = &time[s * devices];
        ScopeTotal& total = result[s];
        std::int64_t most = 0;
        for (std::size_t d = 0; d < devices; ++d) {
            total.mixed = total.mixed || (own[d] > 0 && total.timeNs > 0);
            total.timeNs += own[d];
            if (own[d] > most) {
                most = own[d];
                total.device = DeviceId(d);
            }
        }
        if (const ScopeId parent = tree.scope(ScopeId(s)).parent; parent.valid()) {
            for (std::size_t d = 0; d < devices; ++d)
                time[parent.index() * devices + d] += own[d];
        }
    }
    return result;
}

} // namespace

ShownRun::ShownRun(std::shared_ptr<const Outcome> shown)
    : outcome(std::move(shown)),
      gantt(outcome->problem, outcome->plan, outcome->schedule),
      critical(criticalPath(outcome->problem, outcome->plan, outcome->schedule)),
      onCritical(opsOnPath(critical, outcome->plan.device.size())),
      scopes(totals(*outcome)),
      deviceOps(outcome->problem.cluster->deviceCount()) {
    for (const DeviceId device : outcome->plan.device)
        ++deviceOps[device.index()];
}

const std::vector<DeviceIdle>& ShownRun::idle() const {
    std::call_once(m_idleOnce, [this] { m_idle = idleTimes(problem(), outcome->plan, outcome->schedule); });
    return m_idle;
}

const MemoryUse& ShownRun::memory() const {
    std::call_once(m_memoryOnce, [this] { m_memory.emplace(problem(), outcome->plan, outcome->schedule); });
    return *m_memory;
}

} // namespace opscape
