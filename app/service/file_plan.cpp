// SPDX-License-Identifier: MIT
#include "file_plan.h"

#include <opscape/fusion/fusers.h>
#include <opscape/search/units.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

namespace opscape {
namespace {

/// "/job:worker/task:0/device:GPU:1": what is before the device, and the device.
std::pair<std::string_view, std::string_view> splitDevice(std::string_view requested) {
    const std::size_t slash = requested.rfind('/');
    return slash == std::string_view::npos ? std::pair(std::string_view(), requested)
                                           : std::pair(requested.substr(0, slash), requested.substr(slash + 1));
}

/// Named by the first op of each; those of one op are no fusion.
std::vector<std::uint32_t> namedByFirst(std::span<const std::uint32_t> groups) {
    std::unordered_map<std::uint32_t, std::uint32_t> firstOf;
    std::vector<std::uint32_t> named;
    for (std::uint32_t i = 0; i < groups.size(); ++i) {
        if (groups[i] == Plan::kNotFused)
            continue;
        const std::uint32_t first = firstOf.try_emplace(groups[i], i).first->second;
        if (first == i)
            continue;
        named.resize(groups.size(), Plan::kNotFused);
        named[first] = named[i] = first;
    }
    return named;
}

/// Devices of one number on two machines are two: by type and number alone they would become one.
bool areOfOneMachine(const std::set<std::string_view>& requested) {
    std::set<std::string_view> machines;
    for (const std::string_view device : requested) {
        if (const std::string_view machine = splitDevice(device).first; !machine.empty())
            machines.insert(machine);
    }
    return machines.size() < 2;
}

/// The devices of the file, as far as the cluster has all of them and ops that stay together are on one.
std::vector<DeviceId> devicesOf(const Problem& problem, std::span<const std::uint32_t> fusionGroup,
                                Diagnostics& diagnostics) {
    const Graph& graph = *problem.graph;
    std::set<std::string_view> requested;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        if (const std::string& device = graph.op(OpId(i)).requestedDevice; !device.empty())
            requested.insert(device);
    }
    if (requested.empty())
        return {};
    std::map<std::string_view, DeviceId> meant;
    const bool isOne = areOfOneMachine(requested);
    for (const std::string_view device : requested) {
        const DeviceId id = deviceMeant(*problem.cluster, device);
        meant[device] = id.valid() && (isOne || problem.cluster->device(id).name == device) ? id : DeviceId();
    }
    Problem pinned = problem;
    pinned.pins.assign(graph.opCount(), DeviceId());
    bool isWhole = true;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const Op& op = graph.op(OpId(i));
        if (op.requestedDevice.empty())
            continue;
        pinned.pins[i] = meant[op.requestedDevice];
        if (pinned.pins[i].valid())
            continue;
        isWhole = false;
        diagnostics.add(Severity::Info, "device-not-in-cluster",
                        "Ops that the file places on a device which the cluster lacks, so that no op is placed as in "
                        "the file; choose a cluster that has it",
                        fmt::format("{} on {}", op.name, op.requestedDevice));
    }
    if (!isWhole)
        return {};
    const auto units = placementUnits(pinned, fusionGroup);
    if (!units) {
        diagnostics.add(Severity::Warning, "devices-contradict",
                        "Devices of the file that pull apart what has to stay together, so that no op is placed as in "
                        "the file",
                        units.error().message);
        return {};
    }
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        pinned.pins[i] = units->pinOf(OpId(i));
    return std::move(pinned.pins);
}

DeviceId fastest(const Problem& problem) {
    std::vector<std::int64_t> ns(problem.cluster->deviceCount());
    for (std::size_t d = 0; d < ns.size(); ++d) {
        for (std::size_t i = 0; i < problem.graph->opCount(); ++i)
            ns[d] += problem.opNs(OpId(i), DeviceId(d));
    }
    return DeviceId(static_cast<std::size_t>(std::ranges::min_element(ns) - ns.begin()));
}

} // namespace

DeviceId deviceMeant(const Cluster& cluster, std::string_view requested) {
    for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
        if (cluster.device(DeviceId(d)).name == requested)
            return DeviceId(d);
    }
    std::string name(splitDevice(requested).second);
    std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    if (name.starts_with("device:"))
        name.erase(0, 7);
    const std::size_t colon = std::min(name.find(':'), name.size());
    const std::string type = name.substr(0, colon) == "cuda" ? "gpu" : name.substr(0, colon);
    std::size_t number = 0;
    const char* end = name.data() + name.size();
    if (colon < name.size()) {
        const auto read = std::from_chars(name.data() + colon + 1, end, number);
        if (read.ec != std::errc() || read.ptr != end)
            return {};
    }
    for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
        if (cluster.kindOf(DeviceId(d)).type == type && number-- == 0)
            return DeviceId(d);
    }
    return {};
}

FusedCount countFused(std::span<const std::uint32_t> fusionGroup) {
    FusedCount count;
    const std::vector<std::uint32_t> named = namedByFirst(fusionGroup);
    for (std::uint32_t i = 0; i < named.size(); ++i) {
        count.groups += named[i] == i ? 1 : 0;
        count.ops += named[i] != Plan::kNotFused ? 1 : 0;
    }
    return count;
}

FilePlan FilePlan::of(const OpenedGraph& opened, const Problem& problem) {
    FilePlan plan;
    plan.fusionGroup = namedByFirst(opened.fusionGroup);
    plan.isOrdered = opened.isScheduled;
    plan.device = devicesOf(problem, plan.fusionGroup, plan.diagnostics);
    plan.isOnOneDevice = plan.isOrdered && plan.device.empty() && plan.diagnostics.entries().empty();
    if (plan.isOnOneDevice)
        plan.device.assign(problem.graph->opCount(), fastest(problem));
    return plan;
}

bool FilePlan::placesAll() const { return !device.empty() && std::ranges::all_of(device, &DeviceId::valid); }

Result<Plan> FilePlan::completed(const Problem& problem, const Plan& placed) const {
    const std::size_t ops = problem.graph->opCount();
    Plan plan;
    plan.device = placed.device;
    const auto units = placementUnits(problem, fusionGroup);
    if (!units)
        return fail(units.error());
    for (std::size_t u = 0; u < units->count(); ++u) {
        std::vector<std::int64_t> time(problem.cluster->deviceCount());
        DeviceId given;
        for (const OpId op : units->ops(u)) {
            const DeviceId there = placed.device[op.index()];
            time[there.index()] += std::max<std::int64_t>(1, problem.opNs(op, there));
            if (!device.empty() && device[op.index()].valid())
                given = device[op.index()];
        }
        const DeviceId chosen =
            given.valid() ? given : DeviceId(static_cast<std::size_t>(std::ranges::max_element(time) - time.begin()));
        for (const OpId op : units->ops(u))
            plan.device[op.index()] = chosen;
    }
    if (isOrdered) {
        plan.policy = QueuePolicy::Order;
        for (std::size_t i = 0; i < ops; ++i)
            plan.priority.push_back(static_cast<std::int64_t>(ops - i));
        // Also where nothing is fused: this is what lets no op stand before what it waits for.
        setFusion(*problem.graph, plan,
                  fusionGroup.empty() ? FusionGroupIds(ops, Plan::kNotFused) : FusionGroupIds(fusionGroup));
    }
    plan.fusionGroup = fusionGroup;
    return plan;
}

std::string FilePlan::sentence(const std::string& optimizer) const {
    std::vector<std::string_view> own;
    if (!fusionGroup.empty())
        own.emplace_back("fused");
    if (isOrdered)
        own.emplace_back("ordered");
    if (!device.empty() && !isOnOneDevice)
        own.emplace_back("placed");
    std::string text;
    for (std::size_t i = 0; i < own.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == own.size() ? " and " : ", ", own[i]);
    if (!text.empty())
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    text += " as in the file";
    if (isOnOneDevice)
        text += ", on one device";
    else if (device.empty())
        text += ", placed by " + optimizer;
    else if (!placesAll())
        text += ", the rest placed by " + optimizer;
    return text + ".";
}

} // namespace opscape
