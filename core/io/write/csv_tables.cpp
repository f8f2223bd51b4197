// SPDX-License-Identifier: MIT
#include <opscape/base/run_context.h>
#include <opscape/io/schedule_export.h>
#include <opscape/io/text.h>
#include <opscape/io/write/csv_tables.h>
#include <opscape/io/write/scope_path.h>

#include <algorithm>
#include <iterator>

namespace opscape {
namespace {

std::string known(std::int64_t value) { return value < 0 ? std::string() : std::to_string(value); }

std::int64_t bytesOf(const Graph& graph, std::span<const TensorId> tensors) {
    std::int64_t bytes = 0;
    for (const TensorId tensor : tensors)
        bytes += graph.tensorBytes(tensor);
    return bytes;
}

/// Of what it reads and no op makes, each tensor once.
std::int64_t residentBytes(const Graph& graph, OpId op) {
    std::vector<TensorId> tensors;
    for (const TensorId tensor : graph.inputs(op)) {
        if (tensor.valid() && !graph.producer(tensor).valid())
            tensors.push_back(tensor);
    }
    std::ranges::sort(tensors);
    tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
    return bytesOf(graph, tensors);
}

} // namespace

Result<WrittenGraph> writeOpsCsv(const GraphToWrite& what) {
    const Graph& graph = what.graph;
    WrittenGraph written;
    written.bytes = "name,type,phase,scope,device,time_ns,flops,bytes_moved,workspace_bytes,output_bytes,"
                    "resident_bytes,colocation\n";
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const OpId id(i);
        const Op& op = graph.op(id);
        const OpCost cost = opCost(graph, id);
        fmt::format_to(std::back_inserter(written.bytes), "{},{},{},{},{},{},{:.0f},{:.0f},{},{},{},{}\n",
                       csvField(op.name), csvField(op.type), toString(op.phase), csvField(scopePath(op.name)),
                       csvField(what.device(id)), known(what.timeNs(id)), cost.flops, cost.bytesMoved,
                       cost.workspaceBytes, bytesOf(graph, graph.outputs(id)), residentBytes(graph, id),
                       csvField(op.colocation));
    }
    return written;
}

Result<WrittenGraph> writeEdgesCsv(const GraphToWrite& what) {
    const Graph& graph = what.graph;
    WrittenGraph written;
    written.bytes = "from,to,kind,tensor,dtype,shape,bytes,from_device,to_device\n";
    const auto into = std::back_inserter(written.bytes);
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const OpId from(i);
        const std::string name = csvField(graph.op(from).name), device = csvField(what.device(from));
        for (const TensorId id : graph.outputs(from)) {
            const Tensor& tensor = graph.tensor(id);
            const std::string tensorName = csvField(tensor.name);
            const std::string shape = tensor.shapeKnown ? toString(tensor.shape) : std::string();
            for (const OpId to : graph.consumers(id))
                fmt::format_to(into, "{},{},data,{},{},{},{},{},{}\n", name, csvField(graph.op(to).name), tensorName,
                               tensor.dtype == DType::Unknown ? "" : toString(tensor.dtype), shape,
                               graph.tensorBytes(id), device, csvField(what.device(to)));
        }
        for (const OpId to : graph.controlSuccessors(from))
            fmt::format_to(into, "{},{},control,,,,0,{},{}\n", name, csvField(graph.op(to).name), device,
                           csvField(what.device(to)));
    }
    return written;
}

Result<WrittenGraph> writePlacementCsv(const GraphToWrite& what) {
    WrittenGraph written;
    written.bytes = "name,device,priority,fusion_group\n";
    for (std::size_t i = 0; i < what.graph.opCount(); ++i) {
        const Plan& plan = *what.plan;
        const bool fused = i < plan.fusionGroup.size() && plan.fusionGroup[i] != Plan::kNotFused;
        fmt::format_to(std::back_inserter(written.bytes), "{},{},{},{}\n", csvField(what.graph.op(OpId(i)).name),
                       csvField(what.device(OpId(i))),
                       i < plan.priority.size() ? std::to_string(plan.priority[i]) : std::string(),
                       fused ? std::to_string(plan.fusionGroup[i]) : std::string());
    }
    return written;
}

Result<WrittenGraph> writeMemoryCsv(const GraphToWrite& what) {
    WrittenGraph written;
    written.bytes = "device,time_ns,bytes\n";
    for (std::size_t d = 0; d < what.schedule->devices.size(); ++d) {
        const std::string name = csvField(what.problem->cluster->device(DeviceId(d)).name);
        for (const MemoryStep& step : what.schedule->devices[d].memory)
            fmt::format_to(std::back_inserter(written.bytes), "{},{},{}\n", name, step.timeNs, step.bytes);
    }
    return written;
}

Result<WrittenGraph> writeWholeScheduleCsv(const GraphToWrite& what) {
    auto text = writeScheduleCsv(*what.problem, *what.plan, *what.schedule, ScheduleSlice(), RunContext());
    return std::move(text).map([](std::string&& bytes) { return WrittenGraph{std::move(bytes), {}}; });
}

Result<WrittenGraph> writeWholeChromeTrace(const GraphToWrite& what) {
    auto text = writeChromeTrace(*what.problem, *what.plan, *what.schedule, ScheduleSlice(), RunContext());
    return std::move(text).map([](std::string&& bytes) { return WrittenGraph{std::move(bytes), {}}; });
}

} // namespace opscape
