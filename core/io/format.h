// SPDX-License-Identifier: MIT
// Reading and writing graphs. A reader is chosen by what is in the file, not by its name; every error names the file
// and the place.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/base/result.h>
#include <opscape/device/cluster.h>
#include <opscape/graph/graph.h>
#include <opscape/io/file_text.h>
#include <opscape/io/write/graph_to_write.h>
#include <opscape/plan/plan.h>

#include <filesystem>
#include <memory>

namespace opscape {

/// A graph as read, with what the file held before constants and weights were folded into the ops that use them.
struct GraphFile {
    Graph graph;
    std::string format;                     ///< e.g. "onnx", "opscape-json"
    std::size_t fileNodes = 0;              ///< nodes in the file
    std::size_t fileEdges = 0;              ///< edges between nodes in the file
    std::size_t folded = 0;                 ///< nodes of the file that became state of their consumers
    std::vector<std::uint32_t> fusionGroup; ///< per op, as in a Plan, sound: what the file fused; empty: nothing
    bool isScheduled = false;               ///< the file says in which order the ops run: that of their ids
    Diagnostics diagnostics;                ///< what was dropped, guessed or refused
    std::shared_ptr<const Cluster> cluster; ///< the one the file brings along; usually none
};

/// What must be there beside the graph for a format to be written.
enum class WriteNeeds : std::uint8_t { Graph, Plan, Schedule };

/// One row per format; the table from which sniffing, help, file dialogs, conversion and fuzzing are derived.
struct GraphFormat {
    std::string_view id;                             ///< "onnx"
    std::string_view title;                          ///< "ONNX model"
    std::string_view extensions;                     ///< "onnx" or "json", separated by spaces
    bool (*sniff)(std::string_view bytes) = nullptr; ///< with `read`
    Result<GraphFile> (*read)(FileText text, const std::string& origin) = nullptr; ///< null: only written
    Result<WrittenGraph> (*write)(const GraphToWrite& what) = nullptr;             ///< null: only read
    WriteNeeds needs = WriteNeeds::Graph;
};

[[nodiscard]] std::span<const GraphFormat> graphFormats();

[[nodiscard]] Result<GraphFile> readGraph(const std::filesystem::path& path);
/// `origin` names the source in errors and, without folder and extension, the graph if the file does not.
[[nodiscard]] Result<GraphFile> readGraph(FileText text, const std::string& origin);

/// The format that a file is to be written in: the one named by its id or, where that is empty, the first in the table
/// that can be written and has the file's extension.
[[nodiscard]] Result<const GraphFormat*> formatToWrite(const std::filesystem::path& path, std::string_view id = {});
/// Refuses what lacks something that the format needs; the error names the file.
[[nodiscard]] Result<WrittenGraph> writeGraph(const GraphToWrite& what, const GraphFormat& format,
                                              const std::filesystem::path& path);
/// A graph alone into a file, in the format of its extension; what the format could not express.
[[nodiscard]] Result<Diagnostics> writeGraph(const Graph& graph, const std::filesystem::path& path);

} // namespace opscape
