// SPDX-License-Identifier: MIT
#include <opscape/graph/graph_builder.h>
#include <opscape/io/dnn_partitioning_reader.h>
#include <opscape/io/json_document.h>
#include <opscape/io/text.h>

#include <cmath>
#include <unordered_map>

namespace opscape {
namespace {

constexpr const char* kAccelerator = "accelerator";
constexpr const char* kCpu = "cpu";
/// A node the file keeps off the accelerators is given this time there, an hour, so that no plan wants it.
constexpr std::int64_t kNotSupportedNs = 3'600'000'000'000;
constexpr double kNsPerMs = 1e6;
constexpr double kLongestMs = 1e9;
constexpr double kMostBytes = 1e15;
constexpr std::int64_t kMostDevices = 64;

std::int64_t nsAt(JsonValue object, std::string_view key) {
    const JsonValue json = object.at(key);
    const double ms = json.real();
    if (!(ms >= 0 && ms <= kLongestMs))
        json.bad(fmt::format("must be between 0 and {} ms", kLongestMs));
    return std::llround(ms * kNsPerMs);
}

std::int64_t bytesAt(JsonValue object, std::string_view key) {
    const JsonValue json = object.at(key);
    const double bytes = json.real();
    if (!(bytes >= 0 && bytes <= kMostBytes))
        json.bad(fmt::format("must be between 0 and {} bytes", kMostBytes));
    return std::llround(bytes);
}

/// Files write 0, 1, true or false.
bool flagAt(JsonValue object, std::string_view key) {
    const JsonValue json = object.at(key);
    return json.is(JsonValue::Kind::Bool) ? json.boolean() : json.integer(0, 1) == 1;
}

/// All op times come with the graph; peaks and bandwidth are only there because every kind of device has them.
Result<Cluster> makeCluster(JsonValue root, const std::string& name) {
    const std::int64_t accelerators = root.at("maxFPGAs").integer(0, kMostDevices);
    const std::int64_t cpus = root.at("maxCPUs").integer(0, kMostDevices);
    if (accelerators + cpus == 0)
        root.at("maxFPGAs").bad("is 0 and so is maxCPUs: there must be a device to place nodes on");
    const auto kind = [](std::string_view id, std::string_view type, std::int64_t bytes) {
        return fmt::format(
            R"("{}": {{"type": "{}", "memory_bytes": {}, "memory_bandwidth": 1e12, "launch_ns": 0, "peak_flops": {{"f32": 1e12}}}})",
            id, type, bytes);
    };
    const auto device = [](std::string_view id, std::string_view kindId, std::int64_t count) {
        return count == 0 ? std::string()
                          : fmt::format(R"({{"name": "{}:{{i}}", "kind": "{}", "count": {}}})", id, kindId, count);
    };
    const std::string both = accelerators > 0 && cpus > 0 ? ", " : "";
    std::string title;
    appendJson(title, fmt::format("{} accelerators and {} CPUs, as in {}", accelerators, cpus, name));
    std::string id;
    appendJson(id, name);
    return Cluster::parse(
        fmt::format(R"({{"id": {}, "title": {}, "link_model": "fifo", "kinds": {{{}, {}}}, "devices": [{}{}{}],
"channels": [{{"name": ["{{device}}:out", "{{device}}:in"], "per_device": "*", "bandwidth": 1e9, "latency_ns": 0}}],
"routes": [{{"from": "*", "to": "*", "via": ["{{from}}:out", "{{to}}:in"]}}]}})",
                    id, title, kind(kAccelerator, "gpu", bytesAt(root, "maxSizePerFPGA")), kind(kCpu, "cpu", 0),
                    device("acc", kAccelerator, accelerators), both, device("cpu", kCpu, cpus)),
        name);
}

Tensor sized(std::string name, TensorKind kind, std::int64_t bytes) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.kind = kind;
    tensor.bytes = bytes;
    return tensor;
}

Op makeOp(JsonValue node, Diagnostics& diagnostics) {
    Op op;
    op.name = fmt::format("node{}", node.at("id").integer());
    op.type = "node";
    op.phase = flagAt(node, "isBackwardNode") ? Phase::Backward : Phase::Forward;
    for (const auto [key, value] : node.members()) {
        if (key == "name")
            op.name = value.text();
        else if (key == "colorClass")
            op.colocation = fmt::format("class {}", value.integer());
    }
    op.timeNs[kCpu] = nsAt(node, "cpuLatency");
    op.timeNs[kAccelerator] = nsAt(node, "fpgaLatency");
    if (!flagAt(node, "supportedOnFpga")) {
        op.timeNs[kAccelerator] = kNotSupportedNs;
        diagnostics.add(Severity::Warning, "cpu-only",
                        "Nodes the file keeps off the accelerators, given one hour there", op.name);
    }
    return op;
}

} // namespace

bool looksLikeDnnPartitioning(std::string_view bytes) {
    return bytes.find("\"maxFPGAs\"") != std::string_view::npos && bytes.find("\"nodes\"") != std::string_view::npos;
}

Result<GraphFile> readDnnPartitioning(std::string_view bytes, const std::string& origin) {
    return readJson(bytes, origin, [&origin](JsonValue root) -> Result<GraphFile> {
        const std::string name = stemOf(origin);
        GraphFile file;
        file.format = "dnn-partitioning";
        auto cluster = makeCluster(root, name);
        if (!cluster)
            return fail(cluster.error());
        file.cluster = std::make_shared<const Cluster>(std::move(*cluster));

        const JsonValue nodes = root.at("nodes"), edges = root.at("edges");
        std::unordered_map<std::int64_t, std::int64_t> costNs; // of a node's tensor
        for (const JsonValue edge : edges.items()) {
            const std::int64_t source = edge.at("sourceId").integer();
            const std::int64_t ns = nsAt(edge, "cost");
            const auto [it, isNew] = costNs.try_emplace(source, ns);
            if (!isNew && it->second != ns) {
                file.diagnostics.add(Severity::Warning, "edge-cost",
                                     "Edges of one node with different costs; the largest is used",
                                     fmt::format("{}: node {}", edge.place(), source));
                it->second = std::max(it->second, ns);
            }
        }
        GraphBuilder builder(name);
        std::unordered_map<std::int64_t, OpId> opOf;
        std::unordered_map<std::int64_t, TensorId> tensorOf;
        for (const JsonValue node : nodes.items()) {
            const JsonValue id = node.at("id");
            const OpId op = builder.addOp(makeOp(node, file.diagnostics));
            if (!opOf.try_emplace(id.integer(), op).second)
                id.bad(fmt::format("is {}, which another node has already", id.integer()));
            const std::string opName = builder.op(op).name;
            if (const std::int64_t size = bytesAt(node, "size"); size > 0)
                builder.addInput(op, builder.addResident(sized(opName + ":state", TensorKind::Weight, size)));
            if (const auto cost = costNs.find(id.integer());
                cost != costNs.end()) // at 1 GB/s a byte takes a nanosecond
                tensorOf[id.integer()] = builder.addOutput(op, sized(opName, TensorKind::Activation, cost->second));
        }
        for (const JsonValue edge : edges.items()) {
            const auto tensor = tensorOf.find(edge.at("sourceId").integer());
            if (tensor == tensorOf.end())
                edge.at("sourceId").bad(fmt::format("is {}, but there is no such node", edge.at("sourceId").integer()));
            const auto consumer = opOf.find(edge.at("destId").integer());
            if (consumer == opOf.end())
                edge.at("destId").bad(fmt::format("is {}, but there is no such node", edge.at("destId").integer()));
            builder.addInput(consumer->second, tensor->second);
        }
        file.fileNodes = nodes.size();
        file.fileEdges = edges.size();
        auto graph = std::move(builder).build(file.diagnostics);
        if (!graph)
            return fail("{}: {}", origin, graph.error().message);
        file.graph = std::move(*graph);
        return file;
    });
}

} // namespace opscape
