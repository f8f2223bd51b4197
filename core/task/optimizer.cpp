// SPDX-License-Identifier: MIT
#include <opscape/plan/plan_check.h>
#include <opscape/sim/simulator.h>
#include <opscape/task/constraints.h>
#include <opscape/task/optimizer.h>

#include <algorithm>
#include <exception>
#include <unordered_map>

namespace opscape {
namespace {

/// Groups of the start plan that the new placement leaves on one device; the others come apart.
std::vector<std::uint32_t> unsplitGroups(const Plan& start, const Plan& plan) {
    std::unordered_map<std::uint32_t, DeviceId> deviceOf; // invalid once split
    for (std::size_t i = 0; i < start.fusionGroup.size(); ++i) {
        const auto [it, isNew] = deviceOf.try_emplace(start.fusionGroup[i], plan.device[i]);
        if (!isNew && it->second != plan.device[i])
            it->second = DeviceId();
    }
    std::vector<std::uint32_t> groups = start.fusionGroup;
    for (std::uint32_t& group : groups) {
        if (!deviceOf[group].valid())
            group = Plan::kNotFused;
    }
    return groups;
}

/// What the problem does not ask for is as in its start plan.
void keepUndecided(const Problem& problem, const std::vector<DeviceId>& fixed, Plan& plan) {
    const Plan start = problem.start.value_or(Plan());
    if (!problem.decides("placement"))
        plan.device = fixed;
    if (!problem.decides("scheduling")) {
        plan.policy = start.policy;
        plan.priority = start.priority;
    }
    if (!problem.decides("fusion"))
        plan.fusionGroup = unsplitGroups(start, plan);
    // Made for another placement or fusion, a fixed order might wait for itself; as priorities it cannot.
    const bool isOther = plan.device != start.device || plan.fusionGroup != start.fusionGroup;
    if (!problem.decides("scheduling") && plan.policy == QueuePolicy::Order && isOther)
        plan.policy = QueuePolicy::Priority;
}

/// Whether memory can matter at all: the whole graph may be too much for a device.
bool mayNotFit(const Problem& problem) {
    const Graph& graph = *problem.graph;
    std::int64_t bytes = 0;
    for (std::size_t t = 0; t < graph.tensorCount(); ++t)
        bytes += graph.tensorBytes(TensorId(t));
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        bytes += graph.op(OpId(i)).workspaceBytes;
    for (std::size_t d = 0; d < problem.cluster->deviceCount(); ++d) {
        const std::int64_t memoryBytes = problem.cluster->kindOf(DeviceId(d)).memoryBytes;
        if (memoryBytes > 0 && bytes > memoryBytes)
            return true;
    }
    return false;
}

/// Most methods know memory by an estimate or not at all; the simulation has the last word.
void sayWhenItDoesNotFit(const Problem& problem, const Plan& plan, Progress last, const RunContext& context) {
    if (!last.feasible || !mayNotFit(problem))
        return;
    const auto schedule = Simulator(problem).run(plan, Detail::Makespan);
    if (!schedule || schedule->feasible)
        return;
    last.fraction = 1;
    last.bestNs = schedule->makespanNs;
    last.stage = "the plan does not fit: " + outOfMemoryReport(*problem.cluster, *schedule);
    last.feasible = false;
    context.report(last);
}

} // namespace

Result<Plan> Optimizer::solve(const Problem& problem, const Options& options, const RunContext& context) {
    if (std::ranges::count(m_info.objectives, problem.objective) == 0)
        return fail("optimizer {} does not take the objective {}, only {}; choose that one or another optimizer.",
                    m_info.id, toString(problem.objective), toString(m_info.objectives.front()));
    if (problem.graph->opCount() == 0)
        return Plan{};
    if (problem.cluster->deviceCount() == 0)
        return fail("the cluster has no devices to place ops on.");
    const auto fixed = fixedDevices(problem);
    if (!fixed)
        return fail(fixed.error());
    if (problem.start) {
        if (auto valid = checkPlan({problem.graph, problem.cluster, problem.cost, {}, {}, {}}, *problem.start); !valid)
            return fail("the start plan is invalid: {}", valid.error().message);
    }
    Progress last;
    RunContext watched = context;
    watched.progress = [&last, &context](const Progress& progress) {
        last = progress;
        context.report(progress);
    };
    try {
        auto plan = doSolve(problem, options, watched);
        if (!plan)
            return plan;
        if (plan->device.size() == problem.graph->opCount())
            keepUndecided(problem, *fixed, *plan);
        if (auto valid = checkPlan(problem, *plan); !valid)
            return fail("the optimizer returned an invalid plan: {}", valid.error().message);
        sayWhenItDoesNotFit(problem, *plan, last, context);
        return plan;
    } catch (const std::bad_alloc&) {
        return fail("the optimizer ran out of memory; try fewer devices or a smaller graph.");
    } catch (const std::exception& error) {
        return fail("the optimizer failed: {}.", error.what());
    } catch (...) {
        return fail("the optimizer failed and gave no reason.");
    }
}

} // namespace opscape
