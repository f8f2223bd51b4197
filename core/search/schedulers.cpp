// SPDX-License-Identifier: MIT
#include <opscape/search/fbi.h>
#include <opscape/search/schedulers.h>
#include <opscape/sim/ranks.h>

#include <array>

namespace opscape {
namespace {

constexpr std::array kSchedulers{
    SchedulerInfo{Scheduler::Fifo, "fifo", "in the order in which ops become ready, as frameworks do by default"},
    SchedulerInfo{Scheduler::Rank, "rank", "by upward rank: what has most behind it first"},
    SchedulerInfo{Scheduler::Fbi, "fbi", "by priorities from scheduling the step forwards and backwards in turn"},
};

} // namespace

std::span<const SchedulerInfo> schedulers() { return kSchedulers; }

std::string_view toString(Scheduler scheduler) { return kSchedulers[static_cast<std::size_t>(scheduler)].id; }

Result<Scheduler> parseScheduler(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const SchedulerInfo& info : kSchedulers) {
        if (info.id == id)
            return info.scheduler;
        ids.push_back(info.id);
    }
    return fail("there is no scheduler {}; there are {}.", id, fmt::join(ids, ", "));
}

Plan scheduled(const Problem& problem, Plan plan, Scheduler scheduler, const RunContext& context) {
    switch (scheduler) {
    case Scheduler::Fifo:
        plan.policy = QueuePolicy::Fifo;
        plan.priority.clear();
        break;
    case Scheduler::Rank:
        plan.policy = QueuePolicy::Priority;
        plan.priority = rankPriorities(problem, plan.fusionGroup);
        break;
    case Scheduler::Fbi: {
        RunContext quiet;
        quiet.stop = context.stop;
        quiet.pause = context.pause;
        SearchRun run(problem, quiet, SearchBudget::unlimited());
        if (auto improved = ForwardBackward(problem, plan.fusionGroup).improve(run, plan))
            plan = std::move(improved->plan);
        break;
    }
    }
    return plan;
}

} // namespace opscape
