// SPDX-License-Identifier: MIT
// Says whether a schedule obeys the rules, from the rules alone: every time and every byte in it is worked out again
// from the trace, without the simulator's data structures.
#pragma once

#include "sim/fair_reference.h"

#include <opscape/cost/op_cost.h>
#include <opscape/sim/fused_cost.h>

#include <climits>
#include <map>
#include <tuple>

namespace opscape::test {

class TraceCheck {
public:
    TraceCheck(const Problem& problem, const Plan& plan, const Schedule& schedule)
        : m_problem(problem),
          m_graph(*problem.graph),
          m_cluster(*problem.cluster),
          m_plan(plan),
          m_schedule(schedule) {
        std::map<std::uint32_t, std::vector<OpId>> groups;
        for (std::size_t i = 0; i < m_graph.opCount(); ++i) {
            if (!plan.fusionGroup.empty() && plan.fusionGroup[i] != Plan::kNotFused)
                groups[plan.fusionGroup[i]].emplace_back(i);
            else
                m_units.push_back({OpId(i)});
        }
        for (auto& [id, ops] : groups)
            m_units.push_back(std::move(ops));
        std::ranges::sort(m_units);
        m_unitOf.resize(m_graph.opCount());
        for (std::size_t u = 0; u < m_units.size(); ++u) {
            for (const OpId op : m_units[u])
                m_unitOf[op.index()] = u;
        }
    }

    void everything() {
        lengths();
        transfers();
        readiness();
        devices();
        memory();
        totals();
    }

    /// Every byte of every device over time: intervals of originals, received copies and workspace, swept from left to
    /// right, what ends at a time before what begins at it.
    void memory() {
        const std::size_t deviceCount = m_cluster.deviceCount();
        std::vector<std::int64_t> resident(deviceCount, 0);
        std::vector<std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>>> change(deviceCount); // less, more
        const auto interval = [&](std::size_t device, std::int64_t from, std::int64_t to, std::int64_t bytes) {
            change[device][from].second += bytes;
            change[device][to].first -= bytes;
        };
        for (std::size_t t = 0; t < m_graph.tensorCount(); ++t) {
            const TensorId tensor(t);
            const std::int64_t bytes = m_graph.tensorBytes(tensor);
            const OpId producer = m_graph.producer(tensor);
            std::map<std::size_t, std::int64_t> lastReader; // per device: when its last reader ends
            for (const OpId op : m_graph.consumers(tensor)) {
                if (!producer.valid() || m_unitOf[op.index()] != m_unitOf[producer.index()])
                    lastReader[device(op)] = std::max(lastReader[device(op)], run(op).endNs);
            }
            if (!producer.valid()) {
                for (const auto& [d, end] : lastReader)
                    resident[d] += bytes;
                continue;
            }
            if (lastReader.empty() && !m_graph.consumers(tensor).empty())
                continue; // never leaves its fused group
            std::int64_t end = run(producer).endNs;
            for (const auto& [d, readerEnd] : lastReader) {
                if (d == device(producer)) {
                    end = std::max(end, readerEnd);
                    continue;
                }
                const Transfer& transfer = *find(tensor, producer, DeviceId(d));
                interval(d, transfer.startNs, readerEnd, bytes);
                end = std::max(end, transfer.endNs);
            }
            interval(device(producer), run(producer).startNs, end, isView(producer) ? 0 : bytes);
        }
        for (const auto& unit : m_units) {
            std::int64_t workspace = 0;
            for (const OpId op : unit)
                workspace = std::max(workspace, m_problem.cost->cost(op).workspaceBytes);
            interval(device(unit[0]), run(unit[0]).startNs, run(unit[0]).endNs, workspace);
        }
        bool allFit = true;
        for (std::size_t d = 0; d < deviceCount; ++d) {
            std::int64_t bytes = resident[d], peak = resident[d], peakNs = 0;
            for (const auto& [time, lessMore] : change[d]) {
                bytes += lessMore.first + lessMore.second;
                if (bytes > peak) {
                    peak = bytes;
                    peakNs = time;
                }
            }
            EXPECT_EQ(bytes, resident[d]) << "all is given back";
            const DeviceReport& report = m_schedule.devices[d];
            EXPECT_EQ(report.residentBytes, resident[d]);
            EXPECT_EQ(report.peakBytes, peak);
            EXPECT_EQ(report.peakNs, peakNs);
            const std::int64_t capacity = m_cluster.kindOf(DeviceId(d)).memoryBytes;
            EXPECT_EQ(report.overBytes, capacity > 0 ? std::max<std::int64_t>(0, peak - capacity) : 0);
            allFit = allFit && report.overBytes == 0;
            std::int64_t highest = 0, alive = 0;
            for (const MemoryStep& step : report.memory)
                highest = std::max(highest, step.bytes);
            EXPECT_EQ(highest, peak) << "the curve shows the peak";
            EXPECT_EQ(report.memory.back().bytes, resident[d]);
            for (const TensorId tensor : report.alive)
                alive += m_graph.tensorBytes(tensor);
            for (const auto& unit : m_units) {
                if (device(unit[0]) != d || run(unit[0]).startNs > peakNs || run(unit[0]).endNs <= peakNs)
                    continue;
                std::int64_t workspace = 0;
                for (const OpId op : unit)
                    workspace = std::max(workspace, m_problem.cost->cost(op).workspaceBytes);
                alive += workspace;
            }
            EXPECT_EQ(alive, peak) << "the tensors said to be alive, and the workspace then in use, are the peak";
            EXPECT_TRUE(std::ranges::is_sorted(report.alive, std::greater<>(),
                                               [this](TensorId id) { return m_graph.tensorBytes(id); }));
        }
        EXPECT_EQ(m_schedule.feasible, allFit);
        EXPECT_EQ(outOfMemoryReport(m_cluster, m_schedule).empty(), allFit);
    }

private:
    [[nodiscard]] std::size_t device(OpId op) const { return m_plan.device[op.index()].index(); }
    [[nodiscard]] const OpRun& run(OpId op) const { return m_schedule.ops[op.index()]; }
    /// Hands out resident tensors as they lie there: nothing to wait for, nothing moved, nothing larger than what is
    /// read.
    [[nodiscard]] bool isView(OpId op) const {
        std::int64_t more = 0;
        for (const TensorId tensor : m_graph.inputs(op)) {
            if (tensor.valid() && m_graph.producer(tensor).valid())
                return false;
            more -= tensor.valid() ? m_graph.tensorBytes(tensor) : 0;
        }
        for (const TensorId tensor : m_graph.outputs(op))
            more += m_graph.tensorBytes(tensor);
        return opCost(m_graph, op).bytesMoved == 0 && more <= 0;
    }
    [[nodiscard]] const Transfer* find(TensorId tensor, OpId producer, DeviceId to) const {
        for (const Transfer& t : m_schedule.transfers) {
            if (t.tensor == tensor && t.to == to &&
                (tensor.valid() || m_unitOf[t.producer.index()] == m_unitOf[producer.index()]))
                return &t;
        }
        return nullptr;
    }

    void lengths() {
        for (const auto& unit : m_units) {
            const KindId kind = m_cluster.device(m_plan.device[unit[0].index()]).kind;
            for (const OpId op : unit) {
                EXPECT_EQ(run(op).endNs - run(op).startNs, fusedNs(m_problem, unit, kind));
                EXPECT_EQ(run(op).startNs, run(unit[0]).startNs) << "a fused group runs as one";
            }
        }
    }

    /// Each needed one exactly once; ready, start and end by the link model.
    void transfers() {
        std::size_t needed = 0;
        for (std::size_t i = 0; i < m_graph.opCount(); ++i) {
            for (const TensorId tensor : m_graph.outputs(OpId(i))) {
                std::vector<std::size_t> to;
                for (const OpId op : m_graph.consumers(tensor))
                    to.push_back(device(op));
                needed += distinctOthers(to, device(OpId(i)));
            }
        }
        for (const auto& unit : m_units) {
            std::vector<std::size_t> to;
            for (const OpId op : unit) {
                for (const OpId next : m_graph.controlSuccessors(op))
                    to.push_back(device(next));
            }
            needed += distinctOthers(to, device(unit[0]));
        }
        EXPECT_EQ(m_schedule.transfers.size(), needed) << "one transfer per tensor and destination";

        std::vector<Transfer> inOrder = m_schedule.transfers;
        std::ranges::sort(inOrder, {},
                          [](const Transfer& t) { return std::tuple(t.readyNs, t.tensor.value, t.to.value); });
        std::vector<std::int64_t> freeNs(m_cluster.channelCount(), 0);
        for (const Transfer& t : inOrder) {
            EXPECT_EQ(t.from.index(), device(t.producer));
            EXPECT_EQ(t.readyNs, run(t.producer).endNs);
            if (m_cluster.linkModel() == LinkModel::Fair && t.tensor.valid())
                continue;
            std::int64_t start = t.readyNs;
            const std::int64_t end = t.startNs + m_cluster.transferNs(t.bytes, t.from, t.to);
            if (m_cluster.linkModel() == LinkModel::Fifo && t.tensor.valid()) {
                for (const ChannelId channel : m_cluster.route(t.from, t.to))
                    start = std::max(start, freeNs[channel.index()]);
                for (const ChannelId channel : m_cluster.route(t.from, t.to))
                    freeNs[channel.index()] = end;
            }
            EXPECT_EQ(t.startNs, start);
            EXPECT_EQ(t.endNs, end);
        }
        EXPECT_TRUE(std::ranges::is_sorted(m_schedule.transfers, {},
                                           [](const Transfer& t) { return std::pair(t.startNs, t.tensor.value); }));
        if (m_cluster.linkModel() == LinkModel::Fair)
            fairTransfers();
    }

    /// Bytes under way are reals on both sides: a nanosecond either way, and one more where that moved another's share.
    void fairTransfers() {
        std::vector<Transfer> data;
        std::ranges::copy_if(m_schedule.transfers, std::back_inserter(data),
                             [](const Transfer& t) { return t.tensor.valid(); });
        const std::vector<std::int64_t> endNs = fairEnds(m_cluster, data);
        for (std::size_t i = 0; i < data.size(); ++i) {
            EXPECT_EQ(data[i].startNs, data[i].readyNs);
            EXPECT_NEAR(static_cast<double>(data[i].endNs), static_cast<double>(endNs[i]), 2);
            EXPECT_GE(data[i].endNs + 1,
                      data[i].startNs + m_cluster.transferNs(data[i].bytes, data[i].from, data[i].to));
        }
    }

    static std::size_t distinctOthers(std::vector<std::size_t>& devices, std::size_t own) {
        std::ranges::sort(devices);
        devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
        return devices.size() - static_cast<std::size_t>(std::ranges::count(devices, own));
    }

    /// Ready when the last input from outside has arrived, never before.
    void readiness() {
        for (const auto& unit : m_units) {
            std::int64_t ready = 0;
            const auto need = [&](TensorId tensor, OpId producer) {
                if (m_unitOf[producer.index()] == m_unitOf[unit[0].index()])
                    return;
                if (device(producer) == device(unit[0])) {
                    ready = std::max(ready, run(producer).endNs);
                    return;
                }
                const Transfer* transfer = find(tensor, producer, m_plan.device[unit[0].index()]);
                ASSERT_NE(transfer, nullptr);
                ready = std::max(ready, transfer->endNs);
            };
            for (const OpId op : unit) {
                for (const TensorId tensor : m_graph.dataInputs(op))
                    need(tensor, m_graph.producer(tensor));
                for (const OpId before : m_graph.controlPredecessors(op))
                    need(TensorId(), before);
            }
            EXPECT_EQ(run(unit[0]).readyNs, ready) << m_graph.op(unit[0]).name;
        }
    }

    /// One unit at a time, in the order of the policy, and no idling without a reason.
    void devices() {
        for (std::size_t d = 0; d < m_cluster.deviceCount(); ++d) {
            std::vector<std::size_t> lane;
            for (std::size_t u = 0; u < m_units.size(); ++u) {
                if (device(m_units[u][0]) == d)
                    lane.push_back(u);
            }
            std::ranges::sort(lane, {}, [this](std::size_t u) { return run(m_units[u][0]).startNs; });
            std::int64_t freeNs = 0;
            for (std::size_t i = 0; i < lane.size(); ++i) {
                const OpRun& current = run(m_units[lane[i]][0]);
                std::int64_t sentNs = 0;
                for (const Transfer& t : m_schedule.transfers) {
                    if (m_cluster.blockingSend() && t.tensor.valid() && t.from.index() == d &&
                        t.readyNs <= current.startNs)
                        sentNs = std::max(sentNs, t.endNs);
                }
                EXPECT_EQ(current.startNs, std::max({current.readyNs, freeNs, sentNs})) << "no overlap and no idling";
                freeNs = current.endNs;
                for (std::size_t later = i + 1; later < lane.size(); ++later)
                    goesFirst(lane[i], lane[later], current.startNs);
            }
        }
    }

    void goesFirst(std::size_t first, std::size_t second, std::int64_t startNs) {
        const std::int64_t secondReady = run(m_units[second][0]).readyNs;
        const auto priority = [this](std::size_t u) {
            std::int64_t highest = std::numeric_limits<std::int64_t>::min();
            for (const OpId op : m_units[u])
                highest = std::max(highest, m_plan.priority[op.index()]);
            return highest;
        };
        if (m_plan.policy == QueuePolicy::Fifo) {
            EXPECT_LT(std::pair(run(m_units[first][0]).readyNs, first), std::pair(secondReady, second));
        } else if (m_plan.policy == QueuePolicy::Order || secondReady <= startNs) {
            EXPECT_LT(std::pair(-priority(first), first), std::pair(-priority(second), second));
        }
    }

    void totals() {
        std::int64_t last = 0, bytes = 0;
        for (const OpRun& r : m_schedule.ops)
            last = std::max(last, r.endNs);
        EXPECT_EQ(m_schedule.makespanNs, last);
        std::vector<std::int64_t> busy(m_cluster.deviceCount(), 0);
        for (const auto& unit : m_units)
            busy[device(unit[0])] += run(unit[0]).endNs - run(unit[0]).startNs;
        for (std::size_t d = 0; d < busy.size(); ++d) {
            EXPECT_EQ(m_schedule.devices[d].busyNs, busy[d]);
            EXPECT_EQ(m_schedule.devices[d].idleNs, last - busy[d]);
        }
        std::vector<ChannelReport> channels(m_cluster.channelCount());
        std::vector<std::map<std::int64_t, int>> underWay(channels.size()); // what starts and ends when
        for (const Transfer& t : m_schedule.transfers) {
            bytes += t.bytes;
            for (const ChannelId channel : m_cluster.route(t.from, t.to)) {
                channels[channel.index()].transfers += t.tensor.valid() ? 1 : 0;
                channels[channel.index()].bytes += t.bytes;
                underWay[channel.index()][t.startNs] += t.tensor.valid() ? 1 : 0;
                underWay[channel.index()][t.endNs] -= t.tensor.valid() ? 1 : 0;
            }
        }
        EXPECT_EQ(m_schedule.bytesMoved, bytes);
        for (std::size_t c = 0; c < channels.size(); ++c) {
            EXPECT_EQ(m_schedule.channels[c].transfers, channels[c].transfers);
            EXPECT_EQ(m_schedule.channels[c].bytes, channels[c].bytes);
            std::int64_t busyNs = 0, sinceNs = 0;
            int count = 0;
            for (const auto& [timeNs, change] : underWay[c]) {
                busyNs += count > 0 ? timeNs - sinceNs : 0;
                sinceNs = timeNs;
                count += change;
                EXPECT_LE(count, m_cluster.linkModel() == LinkModel::Fifo ? 1 : INT_MAX) << "one at a time";
            }
            EXPECT_EQ(m_schedule.channels[c].busyNs, busyNs);
        }
    }

    const Problem& m_problem;
    const Graph& m_graph;
    const Cluster& m_cluster;
    const Plan& m_plan;
    const Schedule& m_schedule;
    std::vector<std::vector<OpId>> m_units; ///< ops of each, in order of the lowest op
    std::vector<std::size_t> m_unitOf;
};

} // namespace opscape::test
