// SPDX-License-Identifier: MIT
// Bars of one lane that overlap are dealt out to rows, each taking the first that is free; a row is a thread of the
// trace. A flow goes from the producer's slice over that of the transfer to each reader's.
#include <opscape/io/schedule_export.h>
#include <opscape/io/text.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace opscape {
namespace {

constexpr std::size_t kLookEvery = 2048; ///< lines between two looks at the wish to stop

class Meter {
public:
    Meter(const RunContext& context, std::size_t all) : m_context(context), m_all(std::max<std::size_t>(1, all)) {}

    /// False once it is to stop.
    bool next() {
        if (m_done++ % kLookEvery != 0)
            return !m_stopped;
        Progress progress;
        progress.stage = "writing";
        progress.fraction = std::min(1.0, static_cast<double>(m_done) / static_cast<double>(m_all));
        m_context.report(progress);
        m_stopped = m_stopped || m_context.stopRequested();
        return !m_stopped;
    }

private:
    const RunContext& m_context;
    std::size_t m_all, m_done = 0;
    bool m_stopped = false;
};

bool has(const std::vector<std::uint8_t>& flags, std::size_t index) {
    return flags.empty() || (index < flags.size() && flags[index] != 0);
}

bool inTime(const ScheduleSlice& slice, std::int64_t startNs, std::int64_t endNs) {
    return startNs < slice.toNs && (endNs > slice.fromNs || startNs >= slice.fromNs);
}

/// The ops of each thing a device runs in one go, under its lowest one; others have none.
std::vector<std::vector<OpId>> unitsOf(const Plan& plan, std::size_t ops) {
    std::vector<std::vector<OpId>> units(ops);
    std::map<std::uint32_t, std::size_t> first;
    for (std::size_t i = 0; i < ops; ++i) {
        const bool fused = plan.fusionGroup.size() == ops && plan.fusionGroup[i] != Plan::kNotFused;
        units[fused ? first.try_emplace(plan.fusionGroup[i], i).first->second : i].emplace_back(i);
    }
    return units;
}

class TraceWriter {
public:
    TraceWriter(const Problem& problem, const Plan& plan, const Schedule& schedule, const ScheduleSlice& slice,
                const RunContext& context)
        : m_graph(*problem.graph),
          m_cluster(*problem.cluster),
          m_plan(plan),
          m_schedule(schedule),
          m_slice(slice),
          m_meter(context, schedule.ops.size() + 2 * schedule.transfers.size()),
          m_units(unitsOf(plan, schedule.ops.size())),
          m_threadOfOp(schedule.ops.size(), kNoThread) {}

    Result<std::string> write() {
        m_out = "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"graph\": ";
        appendJson(m_out, m_graph.name());
        m_out += ", \"cluster\": ";
        appendJson(m_out, m_cluster.id());
        fmt::format_to(std::back_inserter(m_out), ", \"step_ns\": {}}},\n\"traceEvents\": [", m_schedule.makespanNs);
        named("process_name", kDevices, 0, "Devices");
        named("process_name", kChannels, 0, "Channels");
        for (std::size_t d = 0; d < m_cluster.deviceCount(); ++d)
            device(DeviceId(d));
        for (std::size_t c = 0; c < m_cluster.channelCount(); ++c)
            channel(ChannelId(c));
        flows();
        if (!m_meter.next() || m_stopped)
            return fail("{}: stopped, nothing was written.", m_graph.name());
        m_out += "\n]}\n";
        return std::move(m_out);
    }

private:
    static constexpr int kDevices = 1, kChannels = 2; ///< processes of the trace
    static constexpr int kNoThread = -1;
    struct Slice {
        std::int64_t startNs, endNs;
        std::uint32_t index; ///< op or transfer
    };

    void begin(const char* phase, int process, int thread) {
        m_out += m_isFirst ? "\n" : ",\n";
        m_isFirst = false;
        fmt::format_to(std::back_inserter(m_out), "{{\"ph\": \"{}\", \"pid\": {}, \"tid\": {}", phase, process, thread);
    }
    void text(const char* key, std::string_view value) {
        fmt::format_to(std::back_inserter(m_out), ", \"{}\": ", key);
        appendJson(m_out, value);
    }
    /// Microseconds, with every nanosecond in them.
    void time(const char* key, std::int64_t ns) {
        fmt::format_to(std::back_inserter(m_out), ", \"{}\": {}.{:03}", key, ns / 1000, ns % 1000);
    }
    void named(const char* what, int process, int thread, std::string_view name) {
        begin("M", process, thread);
        text("name", what);
        m_out += ", \"args\": {\"name\": ";
        appendJson(m_out, name);
        m_out += "}}";
    }

    /// Writes the slices of a lane; `body` adds what is special to one, up to the closing brace of its arguments.
    template <class Body>
    void lane(int process, const std::string& name, std::vector<Slice> slices, const Body& body) {
        std::ranges::sort(slices, {}, [](const Slice& s) { return std::tuple(s.startNs, s.endNs, s.index); });
        std::vector<std::int64_t> until; // per row
        const int first = m_nextThread;
        for (const Slice& slice : slices) {
            std::size_t row = 0;
            while (row < until.size() && until[row] > slice.startNs)
                ++row;
            if (row == until.size())
                until.push_back(0);
            until[row] = slice.endNs;
            m_stopped = m_stopped || !m_meter.next();
            if (m_stopped)
                return;
            begin("X", process, first + static_cast<int>(row));
            time("ts", slice.startNs);
            time("dur", slice.endNs - slice.startNs);
            body(slice.index, first + static_cast<int>(row));
        }
        const std::size_t rows = std::max<std::size_t>(1, until.size());
        for (std::size_t row = 0; row < rows; ++row) {
            const int thread = first + static_cast<int>(row);
            named("thread_name", process, thread, row == 0 ? name : fmt::format("{} ({})", name, row + 1));
            begin("M", process, thread);
            text("name", "thread_sort_index");
            fmt::format_to(std::back_inserter(m_out), ", \"args\": {{\"sort_index\": {}}}}}", thread);
        }
        m_nextThread += static_cast<int>(rows);
    }

    void device(DeviceId id) {
        const std::string& name = m_cluster.device(id).name;
        if (has(m_slice.devices, id.index())) {
            std::vector<Slice> slices;
            for (std::uint32_t i = 0; i < m_schedule.ops.size(); ++i) {
                const OpRun& run = m_schedule.ops[i];
                if (m_plan.device[i] == id && !m_units[i].empty() && inTime(m_slice, run.startNs, run.endNs))
                    slices.push_back({run.startNs, run.endNs, i});
            }
            lane(kDevices, name, std::move(slices), [this](std::uint32_t op, int thread) { opBody(op, thread); });
        }
        if (!has(m_slice.memory, id.index()) || id.index() >= m_schedule.devices.size())
            return;
        for (const MemoryStep& step : m_schedule.devices[id.index()].memory) {
            if (!inTime(m_slice, step.timeNs, step.timeNs))
                continue;
            begin("C", kDevices, 0);
            time("ts", step.timeNs);
            text("name", "memory of " + name);
            fmt::format_to(std::back_inserter(m_out), ", \"args\": {{\"bytes\": {}}}}}", step.bytes);
        }
    }

    void opBody(std::uint32_t first, int thread) {
        const auto& ops = m_units[first];
        const Op& op = m_graph.op(OpId(first));
        text("name", ops.size() > 1 ? fmt::format("{} +{}", op.name, ops.size() - 1) : op.name);
        text("cat", ops.size() > 1 ? "fused" : "op");
        m_out += ", \"args\": {\"type\": ";
        appendJson(m_out, op.type);
        fmt::format_to(std::back_inserter(m_out), ", \"ready_ns\": {}", m_schedule.ops[first].readyNs);
        if (ops.size() > 1) {
            m_out += ", \"ops\": [";
            for (std::size_t i = 0; i < ops.size(); ++i) {
                m_out += i > 0 ? ", " : "";
                appendJson(m_out, m_graph.op(ops[i]).name);
            }
            m_out += ']';
        }
        m_out += "}}";
        for (const OpId member : ops)
            m_threadOfOp[member.index()] = thread;
    }

    void channel(ChannelId id) {
        if (!has(m_slice.channels, id.index()))
            return;
        if (m_onChannel.empty()) {
            m_onChannel.resize(m_cluster.channelCount());
            for (std::uint32_t i = 0; i < m_schedule.transfers.size(); ++i) {
                const Transfer& transfer = m_schedule.transfers[i];
                if (!inTime(m_slice, transfer.startNs, transfer.endNs))
                    continue;
                for (const ChannelId on : m_cluster.route(transfer.from, transfer.to))
                    m_onChannel[on.index()].push_back({transfer.startNs, transfer.endNs, i});
            }
        }
        if (m_onChannel[id.index()].empty())
            return;
        lane(kChannels, m_cluster.channel(id).name, m_onChannel[id.index()],
             [this](std::uint32_t index, int thread) { transferBody(index, thread); });
    }

    void transferBody(std::uint32_t index, int thread) {
        const Transfer& transfer = m_schedule.transfers[index];
        text("name", transfer.tensor.valid() ? m_graph.tensor(transfer.tensor).name
                                             : "signal of " + m_graph.op(transfer.producer).name);
        text("cat", "transfer");
        m_out += ", \"args\": {\"from\": ";
        appendJson(m_out, m_cluster.device(transfer.from).name);
        m_out += ", \"to\": ";
        appendJson(m_out, m_cluster.device(transfer.to).name);
        fmt::format_to(std::back_inserter(m_out), ", \"bytes\": {}, \"ready_ns\": {}, \"waited_ns\": {}}}}}",
                       transfer.bytes, transfer.readyNs, transfer.startNs - transfer.readyNs);
        m_threadOfTransfer.try_emplace(index, thread); // of several channels the first
    }

    void flow(const char* phase, int process, int thread, std::int64_t ns, std::size_t id) {
        begin(phase, process, thread);
        time("ts", ns);
        text("name", "transfer");
        text("cat", "transfer");
        if (*phase == 'f')
            text("bp", "e"); // ends in the slice that is there, not in the next one
        fmt::format_to(std::back_inserter(m_out), ", \"id\": {}}}", id);
    }

    void flows() {
        std::size_t id = 0;
        for (const auto& [index, thread] : m_threadOfTransfer) {
            const Transfer& transfer = m_schedule.transfers[index];
            const int from = m_threadOfOp[transfer.producer.index()];
            const auto readers = transfer.tensor.valid() ? m_graph.consumers(transfer.tensor)
                                                         : m_graph.controlSuccessors(transfer.producer);
            m_stopped = m_stopped || !m_meter.next();
            if (m_stopped)
                return;
            for (const OpId reader : readers) {
                const int to = m_threadOfOp[reader.index()];
                if (m_plan.device[reader.index()] != transfer.to || from == kNoThread || to == kNoThread)
                    continue;
                ++id;
                const OpRun& made = m_schedule.ops[transfer.producer.index()];
                flow("s", kDevices, from, std::max(made.startNs, made.endNs - 1), id);
                flow("t", kChannels, thread, transfer.startNs, id);
                flow("f", kDevices, to, m_schedule.ops[reader.index()].startNs, id);
            }
        }
    }

    const Graph& m_graph;
    const Cluster& m_cluster;
    const Plan& m_plan;
    const Schedule& m_schedule;
    const ScheduleSlice& m_slice;
    Meter m_meter;
    std::string m_out;
    bool m_isFirst = true, m_stopped = false;
    int m_nextThread = 1;
    std::vector<std::vector<OpId>> m_units;
    std::vector<int> m_threadOfOp;
    std::vector<std::vector<Slice>> m_onChannel;
    std::map<std::uint32_t, int> m_threadOfTransfer;
};

} // namespace

Result<std::string> writeScheduleCsv(const Problem& problem, const Plan& plan, const Schedule& schedule,
                                     const ScheduleSlice& slice, const RunContext& context) {
    const Graph& graph = *problem.graph;
    const Cluster& cluster = *problem.cluster;
    struct Line {
        std::int64_t startNs;
        bool isTransfer;
        std::uint32_t index;
    };
    std::vector<Line> lines;
    for (std::uint32_t i = 0; i < schedule.ops.size(); ++i) {
        const OpRun& run = schedule.ops[i];
        if (has(slice.devices, plan.device[i].index()) && inTime(slice, run.startNs, run.endNs))
            lines.push_back({run.startNs, false, i});
    }
    for (std::uint32_t i = 0; i < schedule.transfers.size(); ++i) {
        const Transfer& transfer = schedule.transfers[i];
        const auto route = cluster.route(transfer.from, transfer.to);
        const bool isSeen = std::ranges::any_of(route, [&](ChannelId c) { return has(slice.channels, c.index()); });
        if (isSeen && inTime(slice, transfer.startNs, transfer.endNs))
            lines.push_back({transfer.startNs, true, i});
    }
    std::ranges::sort(lines, {},
                      [](const Line& line) { return std::tuple(line.startNs, line.isTransfer, line.index); });
    Meter meter(context, lines.size());
    std::string out = "kind,name,type,lane,start_ns,end_ns,ready_ns,bytes,producer,from,to,fusion_group\n";
    const auto into = std::back_inserter(out);
    for (const Line& line : lines) {
        if (!meter.next())
            return fail("{}: stopped, nothing was written.", graph.name());
        if (line.isTransfer) {
            const Transfer& t = schedule.transfers[line.index];
            std::vector<std::string> lanes;
            for (const ChannelId channel : cluster.route(t.from, t.to))
                lanes.push_back(cluster.channel(channel).name);
            const bool isSignal = !t.tensor.valid();
            fmt::format_to(into, "transfer,{},{},{},{},{},{},{},{},{},{},\n",
                           csvField(isSignal ? graph.op(t.producer).name : graph.tensor(t.tensor).name),
                           isSignal ? "signal" : "tensor", csvField(fmt::format("{}", fmt::join(lanes, " + "))),
                           t.startNs, t.endNs, t.readyNs, t.bytes, csvField(graph.op(t.producer).name),
                           csvField(cluster.device(t.from).name), csvField(cluster.device(t.to).name));
            continue;
        }
        const OpId op(line.index);
        const OpRun& run = schedule.ops[op.index()];
        std::int64_t bytes = 0;
        for (const TensorId tensor : graph.outputs(op))
            bytes += graph.tensorBytes(tensor);
        const bool fused = op.index() < plan.fusionGroup.size() && plan.fusionGroup[op.index()] != Plan::kNotFused;
        fmt::format_to(into, "op,{},{},{},{},{},{},{},,,,{}\n", csvField(graph.op(op).name),
                       csvField(graph.op(op).type), csvField(cluster.device(plan.device[op.index()]).name), run.startNs,
                       run.endNs, run.readyNs, bytes,
                       fused ? std::to_string(plan.fusionGroup[op.index()]) : std::string());
    }
    return out;
}

Result<std::string> writeChromeTrace(const Problem& problem, const Plan& plan, const Schedule& schedule,
                                     const ScheduleSlice& slice, const RunContext& context) {
    return TraceWriter(problem, plan, schedule, slice, context).write();
}

} // namespace opscape
