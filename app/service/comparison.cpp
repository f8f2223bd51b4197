// SPDX-License-Identifier: MIT
#include "comparison.h"

#include "comparison_ops.h"

#include <opscape/base/units.h>
#include <opscape/device/device_letters.h>

#include <algorithm>

namespace opscape {
namespace {

const std::string kDash = "–";

using Value = std::optional<double>;

class TableMaker {
public:
    explicit TableMaker(std::span<const OutcomePtr> plans) : m_plans(plans) {}

    void text(std::string title, const auto& textOf) {
        ComparedRow row{
            std::move(title), {}, std::vector<std::string>(m_plans.size()), std::vector<bool>(m_plans.size())};
        for (const OutcomePtr& plan : m_plans)
            row.texts.push_back(textOf(*plan));
        rows.push_back(std::move(row));
    }

    /// `valueOf` gives nothing where a plan has no such figure; `textOf` and `exactOf` are about values.
    void value(std::string title, const auto& valueOf, const auto& textOf, const auto& exactOf,
               bool canBeBetter = true) {
        ComparedRow row{std::move(title), {}, {}, std::vector<bool>(m_plans.size())};
        std::vector<Value> values;
        for (const OutcomePtr& plan : m_plans) {
            const Value v = valueOf(*plan);
            values.push_back(v);
            row.texts.push_back(v ? textOf(*v) : kDash);
            row.exact.push_back(v ? exactOf(*v) : std::string());
        }
        if (canBeBetter)
            mark(row, values);
        rows.push_back(std::move(row));
    }
    void time(std::string title, const auto& valueOf, bool canBeBetter = true) {
        value(
            std::move(title), valueOf, [](double v) { return formatTime(static_cast<std::int64_t>(v)); },
            [](double v) { return formatCount(static_cast<std::int64_t>(v)) + " ns"; }, canBeBetter);
    }
    void bytes(std::string title, const auto& valueOf) {
        value(
            std::move(title), valueOf, [](double v) { return formatBytes(static_cast<std::int64_t>(v)); },
            [](double v) { return formatCount(static_cast<std::int64_t>(v)) + " B"; });
    }
    void count(std::string title, const auto& valueOf) {
        value(
            std::move(title), valueOf, [](double v) { return formatCount(static_cast<std::int64_t>(v)); },
            [](double) { return std::string(); });
    }
    void share(std::string title, const auto& valueOf) {
        value(
            std::move(title), valueOf, [](double v) { return formatPercent(v); },
            [](double v) { return fmt::format("{:.6f}", v); });
    }

    std::vector<ComparedRow> rows;

private:
    void mark(ComparedRow& row, const std::vector<Value>& values) const {
        const bool anyFits = std::ranges::any_of(m_plans, [](const OutcomePtr& p) { return p->schedule.feasible; });
        const auto takesPart = [&](std::size_t i) { return values[i] && (m_plans[i]->schedule.feasible || !anyFits); };
        Value least;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (takesPart(i))
                least = std::min(least.value_or(*values[i]), *values[i]);
        }
        bool isBetter = false; // than that of any other
        for (std::size_t i = 0; i < values.size(); ++i)
            isBetter = isBetter || (values[i] && (!takesPart(i) || *values[i] > *least));
        for (std::size_t i = 0; i < values.size(); ++i)
            row.best[i] = isBetter && takesPart(i) && *values[i] == *least;
    }

    std::span<const OutcomePtr> m_plans;
};

bool haveSameDevices(const Cluster& a, const Cluster& b) {
    if (a.deviceCount() != b.deviceCount())
        return false;
    for (std::size_t d = 0; d < a.deviceCount(); ++d) {
        const DeviceId id(d);
        if (a.device(id).name != b.device(id).name || a.kindOf(id).name != b.kindOf(id).name)
            return false;
    }
    return true;
}

/// Which devices are one row: those of one plan's cluster, and of all clusters with the same devices.
void deviceRows(TableMaker& table, std::span<const OutcomePtr> plans) {
    const auto clusterOf = [&plans](std::size_t i) -> const Cluster& { return *plans[i]->problem.cluster; };
    std::vector<std::size_t> firsts; // a plan for each set of devices
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (std::ranges::none_of(firsts, [&](std::size_t f) { return haveSameDevices(clusterOf(f), clusterOf(i)); }))
            firsts.push_back(i);
    }
    const auto forEachDevice = [&](const std::string& what, const auto& add) {
        for (const std::size_t first : firsts) {
            const Cluster& cluster = clusterOf(first);
            const std::string of = firsts.size() > 1 ? cluster.id() + " " : std::string();
            for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
                add(
                    fmt::format("{}, {}{}", what, of, deviceLetters(DeviceId(d))),
                    [&cluster](const Outcome& o) { return haveSameDevices(cluster, *o.problem.cluster); }, DeviceId(d));
            }
        }
    };
    forEachDevice("Peak memory", [&table](std::string title, const auto& has, DeviceId d) {
        table.bytes(std::move(title), [&](const Outcome& o) {
            return has(o) ? Value(static_cast<double>(o.schedule.devices[d.index()].peakBytes)) : Value();
        });
    });
    forEachDevice("Idle share", [&table](std::string title, const auto& has, DeviceId d) {
        table.share(std::move(title),
                    [&](const Outcome& o) { return has(o) ? Value(idleShare(o.schedule, d)) : Value(); });
    });
}

} // namespace

Result<> checkComparable(std::span<const OutcomePtr> plans) {
    if (plans.size() < 2 || plans.size() > kMostCompared)
        return fail("{} plans cannot be compared; choose two to {}.", plans.size(), kMostCompared);
    const Outcome& first = *plans.front();
    for (const OutcomePtr& plan : plans) {
        if (plan->problem.graph->hash() == first.problem.graph->hash())
            continue;
        const auto named = [](const Outcome& o) {
            return o.run.id > 0 ? fmt::format("run {}", o.run.id) : planTitle(o);
        };
        return fail("{} and {} are of different graphs, {} of {} ops and {} of {} ops, so that their ops and times "
                    "cannot be set against one another; choose runs of one graph to compare.",
                    named(first), named(*plan), first.problem.graph->name(),
                    formatCount(static_cast<std::int64_t>(first.problem.graph->opCount())), plan->problem.graph->name(),
                    formatCount(static_cast<std::int64_t>(plan->problem.graph->opCount())));
    }
    return {};
}

std::vector<ComparedRow> comparisonTable(std::span<const OutcomePtr> plans) {
    if (plans.empty())
        return {};
    const auto number = [](std::int64_t n) { return Value(static_cast<double>(n)); };
    TableMaker table(plans);
    table.time("Step time", [&](const Outcome& o) { return number(o.schedule.makespanNs); });
    table.time(
        "Lower bound", [&](const Outcome& o) { return number(o.bounds.bestNs); }, false);
    table.share("Gap to the bound", [](const Outcome& o) {
        return o.bounds.bestNs > 0 ? Value(gap(o.schedule.makespanNs, o.bounds.bestNs)) : Value();
    });
    table.time("Pipelined step", [&](const Outcome& o) { return number(o.pipeline.periodNs); });
    table.text("Fits in memory", [](const Outcome& o) { return std::string(o.schedule.feasible ? "yes" : "no"); });
    table.bytes("Peak memory", [&](const Outcome& o) { return number(o.schedule.peakBytes); });
    table.bytes("Bytes moved", [&](const Outcome& o) { return number(o.schedule.bytesMoved); });
    table.count("Cut edges", [&](const Outcome& o) { return number(cutEdges(*o.problem.graph, o.plan)); });
    deviceRows(table, plans);
    table.text("Ops placed elsewhere", [&plans](const Outcome& o) {
        return &o == plans.front().get() ? kDash
                                         : formatCount(static_cast<std::int64_t>(countDifferences(*plans.front(), o)));
    });
    table.count("Simulations", [&](const Outcome& o) { return o.simulations > 0 ? number(o.simulations) : Value(); });
    table.value(
        "Search time", [&](const Outcome& o) { return o.run.kind == "optimize" ? number(o.run.wallMs) : Value(); },
        [](double ms) { return ms < 1 ? std::string("< 1 ms") : formatTime(static_cast<std::int64_t>(ms * 1e6)); },
        [](double ms) { return formatCount(static_cast<std::int64_t>(ms)) + " ms"; });
    table.text("Cluster", [](const Outcome& o) { return clusterTitle(*o.problem.cluster); });
    return std::move(table.rows);
}

std::int64_t cutEdges(const Graph& graph, const Plan& plan) {
    std::int64_t cut = 0;
    const auto isCut = [&plan](OpId a, OpId b) { return plan.device[a.index()] != plan.device[b.index()]; };
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const OpId op(i);
        for (const TensorId tensor : graph.dataInputs(op))
            cut += graph.producer(tensor).valid() && isCut(graph.producer(tensor), op) ? 1 : 0;
        for (const OpId before : graph.controlPredecessors(op))
            cut += isCut(before, op) ? 1 : 0;
    }
    return cut;
}

double idleShare(const Schedule& schedule, DeviceId device) {
    if (schedule.makespanNs == 0)
        return 0;
    return static_cast<double>(schedule.devices[device.index()].idleNs) / static_cast<double>(schedule.makespanNs);
}

std::string planTitle(const Outcome& outcome) {
    const std::string method = outcome.run.optimizer.empty() ? "given plan" : outcome.run.optimizer;
    return outcome.run.id > 0 ? fmt::format("{}, run {}", method, outcome.run.id) : method + ", not kept";
}

std::string clusterTitle(const Cluster& cluster) {
    return fmt::format("{}, {} links", cluster.id(), toString(cluster.linkModel()));
}

std::string deviceTitle(const Cluster& cluster, DeviceId device) {
    return fmt::format("{} · {}", deviceLetters(device), cluster.device(device).name);
}

} // namespace opscape
