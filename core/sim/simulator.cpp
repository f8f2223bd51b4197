// SPDX-License-Identifier: MIT
#include <opscape/plan/plan_check.h>
#include <opscape/sim/engine.h>
#include <opscape/sim/full_schedule.h>
#include <opscape/sim/simulator.h>

#include <algorithm>

namespace opscape {

struct Simulator::Impl {
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

    Problem problem;
    Engine engine;
    UnitGraph unfused, fused;
    std::vector<std::uint32_t> fusedBy; ///< the fusion groups that `fused` was built for
    SimTrace trace;
};

Simulator::Simulator(const Problem& problem) : m_impl(std::make_unique<Impl>(problem)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

Result<> Simulator::run(const Plan& plan, Detail detail, Schedule& schedule) {
    const Cluster& cluster = *m_impl->problem.cluster;
    if (cluster.linkModel() == LinkModel::Fair)
        return fail("cluster {}: the link model fair is not available yet; use none or fifo.", cluster.id());
    const UnitGraph& graph = m_impl->unitsOf(plan);
    Engine& engine = m_impl->engine;
    if (auto ran = engine.run(graph, plan, detail == Detail::Full ? &m_impl->trace : nullptr); !ran)
        return ran;

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
    if (detail == Detail::Full)
        fillFullSchedule(m_impl->problem, plan, graph, engine, m_impl->trace, schedule);
    return {};
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
