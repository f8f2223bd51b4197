// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/io/proto_message.h>
#include <opscape/io/times/step_stats.pb.h>
#include <opscape/io/times/times_readers.h>
#include <opscape/io/wire.h>

#include <map>

namespace opscape {
namespace {

constexpr std::int64_t kNsPerUs = 1000;
constexpr std::int64_t kLongestNs = std::int64_t{1} << 60;

/// All fields are numbered 1 and hold bytes. False also for an empty message.
bool isListOfFirst(std::string_view message, std::string_view& first, std::uint64_t lastNumber) {
    WireReader reader(message);
    bool any = false;
    for (WireField field; reader.next(field);) {
        if (field.number > lastNumber || field.type != WireField::Length)
            return false;
        if (!any && field.number == 1) {
            first = field.bytes;
            any = true;
        }
    }
    return any && reader.isSound();
}

bool isDevice(std::string_view message) {
    WireReader reader(message);
    WireField field;
    return reader.next(field) && field.number == 1 && field.type == WireField::Length && looksLikeName(field.bytes) &&
           field.bytes.find_first_of("/:") != std::string_view::npos;
}

bool isRunMetadata(std::string_view bytes) {
    std::string_view stepStats, device;
    return isListOfFirst(bytes, stepStats, 8) && isListOfFirst(stepStats, device, 1) && isDevice(device);
}

/// Kernels run in streams, which have lists of their own: one for all and one for each, whose names begin with that of
/// the device.
bool isStream(std::string_view device) { return device.find("stream:") != std::string_view::npos; }

/// "layer/conv" of "layer/conv:Conv2D", as kernels are named.
std::string_view opOfKernel(std::string_view name) { return name.substr(0, name.rfind(':')); }

std::int64_t durationOf(const step_stats::NodeExecStats& node) {
    std::int64_t ns = node.op_end_rel_nanos() - node.op_start_rel_nanos();
    if (ns <= 0)
        ns = node.all_end_rel_nanos();
    if (ns <= 0 && node.op_end_rel_micros() <= kLongestNs / kNsPerUs)
        ns = (node.op_end_rel_micros() - std::max<std::int64_t>(0, node.op_start_rel_micros())) * kNsPerUs;
    if (ns <= 0 && node.all_end_rel_micros() <= kLongestNs / kNsPerUs)
        ns = node.all_end_rel_micros() * kNsPerUs;
    return ns >= 0 && ns <= kLongestNs ? ns : -1;
}

class StepTimes {
public:
    explicit StepTimes(MeasuredTimes& times) : m_times(times) {}

    void collect(const step_stats::StepStats& stats) {
        bool hasAll = false;
        for (const auto& device : stats.dev_stats())
            hasAll = hasAll || device.device().find("stream:all") != std::string::npos;
        for (const auto& device : stats.dev_stats()) {
            const bool ofStream = isStream(device.device());
            if (ofStream && hasAll && device.device().find("stream:all") == std::string::npos)
                continue; // the same kernels once more
            for (const auto& node : device.node_stats())
                add(device.device(), ofStream, node);
        }
    }

    void finish() {
        for (const auto& [key, runs] : m_runs) {
            MeasuredTime row{key.first, key.second, runs.ns, runs.count};
            if (runs.kernelNs > 0) { // a run of an op may launch several
                row.ns = runs.kernelNs;
                row.runs = std::max<std::uint32_t>(1, runs.count);
            }
            m_times.rows.push_back(std::move(row));
        }
    }

private:
    struct Runs {
        std::int64_t ns = 0, kernelNs = 0;
        std::uint32_t count = 0;
    };

    void add(const std::string& device, bool ofStream, const step_stats::NodeExecStats& node) {
        const std::string_view name = ofStream ? opOfKernel(node.node_name()) : node.node_name();
        const std::int64_t ns = durationOf(node);
        if (name.empty() || ns < 0) {
            m_times.diagnostics.add(Severity::Info, "time-unreadable", "Measurements without a name or a duration",
                                    fmt::format("{}: {}", toUtf8(device), toUtf8(name)));
            return;
        }
        Runs& runs = m_runs[{toUtf8(name), ofStream ? "gpu" : kindOfDevice(device)}];
        if (ofStream) {
            runs.kernelNs = std::min(runs.kernelNs + ns, kLongestNs);
        } else {
            runs.ns = std::min(runs.ns + ns, kLongestNs);
            ++runs.count;
        }
    }

    MeasuredTimes& m_times;
    std::map<std::pair<std::string, std::string>, Runs> m_runs; ///< by op and kind of device
};

} // namespace

bool isStepStats(std::string_view bytes) {
    std::string_view device;
    if (isRunMetadata(bytes) || (isListOfFirst(bytes, device, 1) && isDevice(device)))
        return true;
    const std::string_view field = firstTextField(bytes);
    return field == "step_stats" || field == "dev_stats";
}

Result<MeasuredTimes> readStepStats(std::string_view bytes, const std::string& origin) {
    step_stats::RunMetadata metadata;
    const std::string_view field = firstTextField(bytes);
    Result<> parsed;
    if (field == "step_stats")
        parsed = parseText(bytes, origin, metadata);
    else if (field == "dev_stats")
        parsed = parseText(bytes, origin, *metadata.mutable_step_stats());
    else if (isRunMetadata(bytes))
        parsed = parseBinary(bytes, "TensorFlow RunMetadata", origin, metadata);
    else
        parsed = parseBinary(bytes, "TensorFlow StepStats", origin, *metadata.mutable_step_stats());
    if (!parsed)
        return fail(parsed.error());
    MeasuredTimes times;
    times.format = "step-stats";
    StepTimes steps(times);
    steps.collect(metadata.step_stats());
    steps.finish();
    return times;
}

} // namespace opscape
