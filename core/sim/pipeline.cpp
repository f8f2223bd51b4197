// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>
#include <opscape/sim/pipeline.h>

#include <algorithm>

namespace opscape {

PipelineReport pipelineReport(const Problem& problem, const Plan& plan) {
    const Graph& graph = *problem.graph;
    const Cluster& cluster = *problem.cluster;
    PipelineReport report;
    report.devices.resize(cluster.deviceCount());
    std::vector<std::uint8_t> isCpu(cluster.deviceCount());
    for (std::size_t d = 0; d < isCpu.size(); ++d)
        isCpu[d] = cluster.kindOf(DeviceId(d)).type == "cpu";
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const DeviceId at = plan.device[i];
        report.devices[at.index()].computeNs += problem.opNs(OpId(i), at);
    }

    std::vector<DeviceId> readers;
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
        const TensorId tensor(t);
        readers.clear();
        for (const OpId consumer : graph.consumers(tensor))
            readers.push_back(plan.device[consumer.index()]);
        std::ranges::sort(readers);
        readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
        const OpId producer = graph.producer(tensor);
        if (!producer.valid()) {
            for (const DeviceId at : readers)
                report.devices[at.index()].residentBytes += graph.tensorBytes(tensor);
            continue;
        }
        const DeviceId from = plan.device[producer.index()];
        bool sent = false;
        for (const DeviceId to : readers) {
            if (to == from)
                continue;
            const std::int64_t ns = cluster.transferNs(graph.tensorBytes(tensor), from, to);
            if (!isCpu[to.index()])
                report.devices[to.index()].receiveNs += ns;
            if (!sent && !isCpu[from.index()])
                report.devices[from.index()].sendNs += ns;
            sent = true;
        }
    }

    for (std::size_t d = 0; d < report.devices.size(); ++d) {
        PipelineLoad& load = report.devices[d];
        const std::int64_t capacity = cluster.kindOf(DeviceId(d)).memoryBytes;
        if (capacity > 0)
            load.overBytes = std::max<std::int64_t>(0, load.residentBytes - capacity);
        report.feasible = report.feasible && load.overBytes == 0;
        if (!report.bottleneck.valid() || load.totalNs() > report.periodNs) {
            report.periodNs = load.totalNs();
            report.bottleneck = DeviceId(d);
        }
    }
    return report;
}

void pipelineDelays(const Problem& problem, const Plan& plan, const PipelineReport& report, std::vector<Delay>& found) {
    const Graph& graph = *problem.graph;
    found.clear();
    if (report.periodNs == 0)
        return;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const OpId op(i);
        const DeviceId at = plan.device[i];
        if (at == report.bottleneck && problem.opNs(op, at) > 0)
            found.push_back({Delay::Kind::Device, op, op, {}});
        for (const TensorId tensor : graph.outputs(op)) {
            if (graph.tensorBytes(tensor) == 0)
                continue;
            for (const OpId reader : graph.consumers(tensor)) {
                const DeviceId to = plan.device[reader.index()];
                if (to != at && (at == report.bottleneck || to == report.bottleneck))
                    found.push_back({Delay::Kind::Transfer, reader, op, to});
            }
        }
    }
}

std::string outOfMemoryReport(const Cluster& cluster, const PipelineReport& report) {
    std::string text;
    for (std::size_t d = 0; d < report.devices.size(); ++d) {
        const PipelineLoad& load = report.devices[d];
        if (load.overBytes == 0)
            continue;
        text += fmt::format("{}{} is to keep {} resident, there is room for {}.", text.empty() ? "" : " ",
                            cluster.device(DeviceId(d)).name, formatBytes(load.residentBytes),
                            formatBytes(load.residentBytes - load.overBytes));
    }
    return text;
}

} // namespace opscape
