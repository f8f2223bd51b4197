// SPDX-License-Identifier: MIT
#include <opscape/base/paths.h>
#include <opscape/base/shown_name.h>
#include <opscape/graph/graph_builder.h>
#include <opscape/io/times/measured_times.h>
#include <opscape/io/times/times_readers.h>

#include <cmath>
#include <map>
#include <new>
#include <unordered_map>
#include <utility>

namespace opscape {
namespace {

constexpr std::size_t kLargestFile = 0x7fffffff;

Result<MeasuredTimes> readPlain(std::string_view bytes, const std::string& origin) {
    if (bytes.empty())
        return fail("{}: the file is empty.", origin);
    if (bytes.size() > kLargestFile)
        return fail("{}: the file has {}, more than the {} that can be read.", origin,
                    formatBytes(static_cast<std::int64_t>(bytes.size())),
                    formatBytes(static_cast<std::int64_t>(kLargestFile)));
    auto times = isStepStats(bytes)     ? readStepStats(bytes, origin)
                 : isChromeTrace(bytes) ? readChromeTrace(bytes, origin)
                                        : readTimesCsv(bytes, origin);
    if (times && times->rows.empty())
        return fail("{}: the file holds no time of an op.", origin);
    return times;
}

} // namespace

std::string kindOfDevice(std::string_view device) {
    const std::string lower = lowerCase(device);
    const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
    if (lower.empty() || has("gpu") || has("cuda") || has("stream"))
        return "gpu";
    if (has("cpu"))
        return "cpu";
    return std::string(device);
}

Result<MeasuredTimes> readMeasuredTimes(const std::filesystem::path& path) {
    std::error_code ec;
    if (const auto size = std::filesystem::file_size(path, ec); !ec && size > kLargestFile)
        return fail("{}: the file has {}, more than the {} that can be read.", path.string(),
                    formatBytes(static_cast<std::int64_t>(size)), formatBytes(static_cast<std::int64_t>(kLargestFile)));
    const auto bytes = readFile(path);
    if (!bytes)
        return fail(bytes.error());
    return readMeasuredTimes(*bytes, path.string());
}

Result<MeasuredTimes> readMeasuredTimes(std::string_view bytes, const std::string& origin) {
    try {
        if (!isGzip(bytes))
            return readPlain(bytes, origin).map_error(printableError);
        const auto unpacked = unpackGzip(bytes, kLargestFile, origin);
        if (!unpacked)
            return fail(unpacked.error());
        return readPlain(*unpacked, origin).map_error(printableError);
    } catch (const std::bad_alloc&) {
        return fail("{}: there is not enough memory to read this file.", origin);
    }
}

std::string TimedGraph::sentence() const {
    const auto words = [](std::size_t count, std::string_view what) {
        return counted(static_cast<std::int64_t>(count), what);
    };
    std::string text = fmt::format("{} got a time from {}", words(opsTimed, "op"), words(measurements, "measurement"));
    if (opsWithout > 0)
        text += fmt::format(", {} got none", words(opsWithout, "op"));
    if (namesUnknown > 0)
        text +=
            fmt::format(", {} no op of the graph", namesUnknown == 1 ? std::string("1 measured name is")
                                                                     : words(namesUnknown, "measured name") + " are");
    return text + ".";
}

Result<TimedGraph> withTimes(const Graph& graph, const MeasuredTimes& times, const std::string& origin) {
    struct Sum {
        double ns = 0;
        std::uint64_t runs = 0;
    };
    std::map<std::pair<OpId, std::string>, Sum> sums;
    std::map<std::string_view, std::size_t> unknown;
    TimedGraph timed;
    for (const MeasuredTime& row : times.rows) {
        const OpId op = graph.findOp(row.op);
        if (!op.valid()) {
            ++unknown[row.op];
            continue;
        }
        Sum& sum = sums[{op, row.kind}];
        sum.ns += static_cast<double>(row.ns);
        sum.runs += row.runs;
        timed.measurements += row.runs;
    }
    if (sums.empty())
        return fail("{}: none of the {} that it times is an op of {}; the first is \"{}\", and names must be the same.",
                    origin, counted(static_cast<std::int64_t>(unknown.size()), "name"), elide(graph.name(), 80),
                    elide(printable(times.rows.front().op), 80));
    timed.diagnostics = times.diagnostics;
    timed.namesUnknown = unknown.size();
    for (const auto& [name, count] : unknown)
        timed.diagnostics.add(Severity::Warning, "time-unmatched", "Measured names that no op of the graph has",
                              fmt::format("{} ({})", name, counted(static_cast<std::int64_t>(count), "measurement")));

    GraphBuilder builder(graph.name());
    builder.reserve(graph.opCount(), graph.tensorCount());
    auto sum = sums.begin();
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        Op op = graph.op(OpId(i));
        bool isTimed = false;
        for (; sum != sums.end() && sum->first.first == OpId(i); ++sum, isTimed = true)
            op.timeNs[sum->first.second] = std::llround(sum->second.ns / static_cast<double>(sum->second.runs));
        ++(isTimed ? timed.opsTimed : timed.opsWithout);
        if (!isTimed)
            timed.diagnostics.add(Severity::Info, "op-not-timed", "Ops of which no time was measured", op.name);
        builder.addOp(std::move(op));
    }
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
        const OpId producer = graph.producer(TensorId(t));
        if (producer.valid())
            builder.addOutput(producer, graph.tensor(TensorId(t)));
        else
            builder.addResident(graph.tensor(TensorId(t)));
    }
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        for (const TensorId input : graph.inputs(OpId(i)))
            builder.addInput(OpId(i), input);
        for (const OpId after : graph.controlSuccessors(OpId(i)))
            builder.addControl(OpId(i), after);
    }
    Diagnostics again; // the graph was built once, and what there is to say of it was said
    auto built = std::move(builder).build(again);
    if (!built)
        return fail("{}: {}", origin, built.error().message);
    timed.graph = std::move(*built);
    return timed;
}

} // namespace opscape
