// SPDX-License-Identifier: MIT
#include <opscape/io/json_document.h>
#include <opscape/io/plan_json.h>
#include <opscape/io/text.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace opscape {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::array kPolicies{QueuePolicy::Fifo, QueuePolicy::Priority, QueuePolicy::Order};

QueuePolicy policyOf(JsonValue json) {
    const auto it = std::ranges::find(kPolicies, json.text(), [](QueuePolicy p) { return toString(p); });
    if (it == kPolicies.end())
        json.bad(fmt::format("\"{}\" is not a policy: fifo, priority or order", json.text()));
    return *it;
}

class Reader {
public:
    Reader(const Graph& graph, const Cluster& cluster) : m_graph(graph), m_cluster(cluster) {}

    Plan read(JsonValue root) {
        bool isPlan = false;
        std::optional<JsonValue> ops;
        for (const auto [key, value] : root.uniqueMembers()) {
            if (key == "opscape_plan") {
                isPlan = true;
                if (value.integer() != kVersion)
                    value.bad(fmt::format("is {}, but this program reads version {}", value.integer(), kVersion));
            } else if (key == "policy") {
                m_plan.policy = policyOf(value);
            } else if (key == "ops") {
                ops = value;
            } else if (key == "graph" || key == "cluster") {
                static_cast<void>(value.text()); // for people: ops and devices are found by name
            } else {
                value.unknownKey({"opscape_plan", "graph", "cluster", "policy", "ops"});
            }
        }
        if (!isPlan || !ops)
            root.bad(fmt::format("lacks the key \"{}\"", !isPlan ? "opscape_plan" : "ops"));
        m_plan.device.resize(m_graph.opCount());
        m_plan.priority.resize(m_graph.opCount());
        m_plan.fusionGroup.assign(m_graph.opCount(), Plan::kNotFused);
        for (const auto [name, json] : ops->uniqueMembers())
            op(name, json);
        complete(*ops);
        return std::move(m_plan);
    }

private:
    void op(std::string_view name, JsonValue json) {
        const OpId id = m_graph.findOp(name);
        if (!id.valid())
            json.bad(fmt::format("names an op that graph {} does not have", m_graph.name()));
        for (const auto [key, value] : json.uniqueMembers()) {
            if (key == "device") {
                m_plan.device[id.index()] = m_cluster.findDevice(value.text());
                if (!m_plan.device[id.index()].valid())
                    value.bad(fmt::format("\"{}\" is not a device of cluster {}", value.text(), m_cluster.id()));
            } else if (key == "priority") {
                m_plan.priority[id.index()] = value.integer();
                ++m_priorities;
            } else if (key == "fusion") {
                m_plan.fusionGroup[id.index()] = static_cast<std::uint32_t>(value.integer(0, Plan::kNotFused - 1));
                ++m_fused;
            } else {
                value.unknownKey({"device", "priority", "fusion"});
            }
        }
        if (!m_plan.device[id.index()].valid())
            json.bad("lacks the key \"device\"");
    }

    /// Every op placed; priorities for all ops or, where the policy needs none, for none.
    void complete(JsonValue ops) {
        for (std::size_t i = 0; i < m_graph.opCount(); ++i) {
            if (!m_plan.device[i].valid())
                ops.bad(fmt::format("lacks the op {}", m_graph.op(OpId(i)).name));
        }
        if (m_priorities == 0 && m_plan.policy == QueuePolicy::Fifo)
            m_plan.priority.clear();
        else if (m_priorities != m_graph.opCount())
            ops.bad(fmt::format("gives a priority to {} of {} ops; with policy {} it must be all{}", m_priorities,
                                m_graph.opCount(), toString(m_plan.policy),
                                m_plan.policy == QueuePolicy::Fifo ? " or none" : ""));
        if (m_fused == 0)
            m_plan.fusionGroup.clear();
    }

    const Graph& m_graph;
    const Cluster& m_cluster;
    Plan m_plan;
    std::size_t m_priorities = 0, m_fused = 0;
};

} // namespace

std::string writePlan(const Graph& graph, const Cluster& cluster, const Plan& plan) {
    std::string out = "{\"opscape_plan\": 1, \"graph\": ";
    appendJson(out, graph.hash());
    out += ", \"cluster\": ";
    appendJson(out, cluster.id());
    fmt::format_to(std::back_inserter(out), ", \"policy\": \"{}\",\n\"ops\": {{", toString(plan.policy));
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        out += i == 0 ? "\n" : ",\n";
        appendJson(out, graph.op(OpId(i)).name);
        out += ": {\"device\": ";
        appendJson(out, cluster.device(plan.device[i]).name);
        if (!plan.priority.empty())
            fmt::format_to(std::back_inserter(out), ", \"priority\": {}", plan.priority[i]);
        if (!plan.fusionGroup.empty() && plan.fusionGroup[i] != Plan::kNotFused)
            fmt::format_to(std::back_inserter(out), ", \"fusion\": {}", plan.fusionGroup[i]);
        out += '}';
    }
    out += "\n}}\n";
    return out;
}

Result<Plan> readPlan(std::string_view json, const std::string& origin, const Graph& graph, const Cluster& cluster) {
    return readJson(json, origin, [&](JsonValue root) -> Result<Plan> { return Reader(graph, cluster).read(root); });
}

} // namespace opscape
