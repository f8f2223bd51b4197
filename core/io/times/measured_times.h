// SPDX-License-Identifier: MIT
// How long ops took when they were measured, as other programs write it down: TensorFlow's StepStats and RunMetadata,
// traces of Chrome's format as TensorFlow, PyTorch (Kineto) and this product write them, also compressed (.json.gz),
// and tables with the columns op, device, time_us. Read into rows; applied to a graph by the names of its ops, the mean
// where an op was measured several times.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/base/result.h>
#include <opscape/graph/graph.h>

#include <filesystem>
#include <span>

namespace opscape {

struct MeasuredTime {
    std::string op;
    std::string kind; ///< of device: "gpu", "cpu", or as the file says, "P100"
    std::int64_t ns = 0;
    std::uint32_t runs = 1; ///< that took `ns` together
};

struct MeasuredTimes {
    std::string format; ///< "step-stats", "chrome-trace", "csv"
    std::vector<MeasuredTime> rows;
    Diagnostics diagnostics; ///< what was left out
};

/// What is in the file is told from its content. The error names file and place.
[[nodiscard]] Result<MeasuredTimes> readMeasuredTimes(const std::filesystem::path& path);
[[nodiscard]] Result<MeasuredTimes> readMeasuredTimes(std::string_view bytes, const std::string& origin);

struct TimedGraph {
    Graph graph;
    std::size_t measurements = 0; ///< that were of an op of the graph
    std::size_t opsTimed = 0;     ///< ops with a time from them
    std::size_t opsWithout = 0;   ///< ops for which there is none
    std::size_t namesUnknown = 0; ///< names that were measured and are no op's
    Diagnostics diagnostics;      ///< the same with examples, and what was left out
    [[nodiscard]] std::string sentence() const;
};

/// The same graph with the times; those that it brought along for a kind of device stay where there is no new one.
/// Refuses times none of which is of an op of the graph; `origin` names them.
[[nodiscard]] Result<TimedGraph> withTimes(const Graph& graph, const MeasuredTimes& times, const std::string& origin);

/// "gpu" of "/device:GPU:0", "cuda:1" and of nothing, "cpu" of "/job:w/device:CPU:0"; any other text is a kind of its
/// own.
[[nodiscard]] std::string kindOfDevice(std::string_view device);

} // namespace opscape
