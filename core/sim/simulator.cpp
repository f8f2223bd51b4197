// SPDX-License-Identifier: MIT
#include <opscape/plan/plan_check.h>
#include <opscape/sim/delays.h>
#include <opscape/sim/engine.h>
#include <opscape/sim/full_schedule.h>
#include <opscape/sim/simulator.h>

#include <algorithm>

namespace opscape {

struct __attribute__((visibility("hidden"))) Simulator::Impl {
    explicit Impl(const Problem& p) : problem{p.graph, p.cluster, p.cost, p.decide, std::nullopt, {}}, engine(problem) {
        unfused.build(problem, {});
    }

    const UnitGraph& unitsOf(const Plan& plan) {
        const bool isFused = std::ranges::any_of(plan.fusionGroup, [](auto group) { return group != Plan::kNotFused; });
        if (!isFused)
            return unfused;
        if (plan.fusionGroup != fusedBy) {
            fused.build(problem, plan.fusionGroup);
            fusedBy = plan.fusionGroup;
        }
        return fused;
    }

    Result<const UnitGraph*> simulate(const Plan& plan, SimTrace* traced, std::int64_t limitNs) {
        const UnitGraph& graph = unitsOf(plan);
        if (traced != nullptr)
            tracedGraph = &graph;
        if (auto ran = engine.run(graph, plan, traced, limitNs); !ran)
            return fail(std::move(ran.error()));
        return &graph;
    }

    void summarize(Schedule& schedule) const {
        const Cluster& cluster = *problem.cluster;
        schedule.makespanNs = engine.makespanNs();
        schedule.feasible = true;
        schedule.peakBytes = 0;
        schedule.devices.resize(cluster.deviceCount());
        for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
            const SimDevice& from = engine.devices()[d];
            const std::int64_t capacity = cluster.kindOf(DeviceId(d)).memoryBytes;
            DeviceReport& to = schedule.devices[d];
            to.busyNs = from.busyNs;
            to.idleNs = schedule.makespanNs - from.busyNs;
            to.residentBytes = from.residentBytes;
            to.peakBytes = from.peakBytes;
            to.peakNs = from.peakNs;
            to.overBytes = capacity > 0 ? std::max<std::int64_t>(0, from.peakBytes - capacity) : 0;
            schedule.feasible = schedule.feasible && to.overBytes == 0;
            schedule.peakBytes = std::max(schedule.peakBytes, to.peakBytes);
        }
    }

    Problem problem;
    Engine engine;
    UnitGraph unfused, fused;
    std::vector<std::uint32_t> fusedBy; ///< the fusion groups that `fused` was built for
    SimTrace trace;
    const UnitGraph* tracedGraph = nullptr; ///< what `trace` is about
};

Simulator::Simulator(const Problem& problem) : m_impl(std::make_unique<Impl>(problem)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

Result<> Simulator::run(const Plan& plan, Detail detail, Schedule& schedule) {
    SimTrace* traced = detail == Detail::Makespan ? nullptr : &m_impl->trace;
    const auto graph = m_impl->simulate(plan, traced, Engine::kNoLimit);
    if (!graph)
        return fail(graph.error());
    m_impl->summarize(schedule);
    if (detail == Detail::Times)
        fillTimes(**graph, m_impl->trace, schedule);
    else if (detail == Detail::Full)
        fillFullSchedule(m_impl->problem, plan, **graph, m_impl->engine, m_impl->trace, schedule);
    return {};
}

Result<bool> Simulator::runWithin(const Plan& plan, std::int64_t limitNs, Schedule& schedule) {
    if (const auto graph = m_impl->simulate(plan, nullptr, limitNs); !graph)
        return fail(graph.error());
    if (m_impl->engine.exceeded())
        return false;
    m_impl->summarize(schedule);
    return true;
}

void Simulator::delays(std::vector<Delay>& found) const {
    findDelays(*m_impl->problem.graph, *m_impl->tracedGraph, m_impl->engine, m_impl->trace, found);
}

Result<Schedule> Simulator::run(const Plan& plan, Detail detail) {
    Schedule schedule;
    if (auto ran = run(plan, detail, schedule); !ran)
        return fail(std::move(ran.error()));
    return schedule;
}

Result<Schedule> simulate(const Problem& problem, const Plan& plan) {
    if (auto valid = checkPlan(problem, plan); !valid)
        return fail(std::move(valid.error()));
    return Simulator(problem).run(plan);
}

} // namespace opscape
