// SPDX-License-Identifier: MIT
#include <opscape/base/paths.h>
#include <opscape/base/shown_name.h>
#include <opscape/base/units.h>
#include <opscape/io/dnn_partitioning_reader.h>
#include <opscape/io/format.h>
#include <opscape/io/hlo/hlo_reader.h>
#include <opscape/io/onnx_reader.h>
#include <opscape/io/opscape_json.h>
#include <opscape/io/pipedream_reader.h>
#include <opscape/io/read/chakra_reader.h>
#include <opscape/io/read/dot_reader.h>
#include <opscape/io/read/file_plan.h>
#include <opscape/io/read/graphml_reader.h>
#include <opscape/io/read/model_explorer_reader.h>
#include <opscape/io/tensorflow/tensorflow_reader.h>
#include <opscape/io/write/csv_tables.h>
#include <opscape/io/write/dot_writer.h>
#include <opscape/io/write/graphml_writer.h>
#include <opscape/io/write/model_explorer_writer.h>
#include <opscape/io/write/onnx_writer.h>
#include <opscape/io/write/tensorflow_writer.h>

#include <algorithm>
#include <array>
#include <new>
#include <type_traits>

namespace opscape {
namespace {

/// What a protobuf message, and a 32-bit offset into a JSON text, can hold.
constexpr std::size_t kLargestFile = 0x7fffffff;

/// A reader as the table has it. Some let go of the text; in errors all are printable.
template <auto Read>
Result<GraphFile> reading(FileText text, const std::string& origin) {
    if constexpr (std::is_invocable_v<decltype(Read), FileText, const std::string&>)
        return Read(std::move(text), origin).map_error(printableError);
    else
        return Read(text.view(), origin).map_error(printableError);
}

constexpr std::array kFormats{
    GraphFormat{"opscape-json", "Opscape graph", "json", isOpscapeJson, reading<readOpscapeJson>, writeOpscapeJson},
    GraphFormat{"onnx", "ONNX model", "onnx", isOnnx, reading<readOnnx>, writeOnnx},
    GraphFormat{"dnn-partitioning", "dnn-partitioning problem", "json", looksLikeDnnPartitioning,
                reading<readDnnPartitioning>, nullptr},
    GraphFormat{"pipedream", "PipeDream profile", "txt", looksLikePipedream, reading<readPipedream>, nullptr},
    GraphFormat{"tensorflow", "TensorFlow graph", "pb meta", isTensorflow, reading<readTensorflow>, nullptr},
    GraphFormat{"tensorflow-text", "TensorFlow graph as text", "pbtxt", isTensorflowText, reading<readTensorflowText>,
                writeTensorflowText},
    GraphFormat{"hlo", "XLA HLO text", "hlo txt", isHloText, reading<readHloText>, nullptr},
    GraphFormat{"hlo-proto", "XLA HLO module", "pb", isHloProto, reading<readHloProto>, nullptr},
    GraphFormat{"chakra", "Chakra trace", "et", isChakra, reading<readChakra>, nullptr},
    GraphFormat{"chakra-json", "Chakra trace as JSON", "json", looksLikeChakraJson, reading<readChakraJson>, nullptr},
    GraphFormat{"dot", "Graphviz DOT", "dot gv", isDot, reading<readDot>, writeDot},
    GraphFormat{"graphml", "GraphML", "graphml", isGraphml, reading<readGraphml>, writeGraphml},
    GraphFormat{"model-explorer", "Model Explorer graph", "json", looksLikeModelExplorer, reading<readModelExplorer>,
                writeModelExplorer},
    GraphFormat{"model-explorer-times", "Times for Model Explorer", "json", nullptr, nullptr, writeModelExplorerTimes},
    GraphFormat{"model-explorer-devices", "Devices for Model Explorer", "json", nullptr, nullptr,
                writeModelExplorerDevices},
    GraphFormat{"csv-ops", "Table of ops", "csv", nullptr, nullptr, writeOpsCsv},
    GraphFormat{"csv-edges", "Table of edges", "csv", nullptr, nullptr, writeEdgesCsv},
    GraphFormat{"csv-placement", "Table of the placement", "csv", nullptr, nullptr, writePlacementCsv,
                WriteNeeds::Plan},
    GraphFormat{"csv-schedule", "Table of the schedule", "csv", nullptr, nullptr, writeWholeScheduleCsv,
                WriteNeeds::Schedule},
    GraphFormat{"csv-memory", "Table of memory over time", "csv", nullptr, nullptr, writeMemoryCsv,
                WriteNeeds::Schedule},
    GraphFormat{"chrome-trace", "Chrome trace, for Perfetto", "json", nullptr, nullptr, writeWholeChromeTrace,
                WriteNeeds::Schedule},
};

/// Extension in lower case, without the dot.
std::string extensionOf(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    extension.erase(0, 1);
    std::ranges::transform(extension, extension.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return extension;
}

bool hasExtension(const GraphFormat& format, std::string_view extension) {
    std::string_view rest = format.extensions;
    while (!rest.empty()) {
        const std::size_t space = std::min(rest.find(' '), rest.size());
        if (rest.substr(0, space) == extension)
            return true;
        rest.remove_prefix(std::min(space + 1, rest.size()));
    }
    return false;
}

/// ".dot .gv"
std::string dotted(const GraphFormat& format) {
    std::string text = ".";
    for (const char c : format.extensions)
        text += c == ' ' ? " ." : std::string(1, c);
    return text;
}

/// "ONNX model (.onnx), ..."
std::string formatsToRead() {
    std::string names;
    for (const GraphFormat& format : kFormats) {
        if (format.read != nullptr)
            names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", format.title, dotted(format));
    }
    return names;
}

/// "opscape-json (.json), ..."
std::string formatsToWrite() {
    std::string names;
    for (const GraphFormat& format : kFormats) {
        if (format.write != nullptr)
            names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", format.id, dotted(format));
    }
    return names;
}

Error tooLarge(const std::string& origin, std::size_t bytes) {
    return {
        fmt::format("{}: the file has {}, more than the {} that can be read; keep the weights in a file of their own.",
                    origin, formatBytes(static_cast<std::int64_t>(bytes)), formatBytes(kLargestFile))};
}

} // namespace

std::span<const GraphFormat> graphFormats() { return kFormats; }

Result<GraphFile> readGraph(const std::filesystem::path& path) {
    std::error_code ec;
    if (const auto size = std::filesystem::file_size(path, ec); !ec && size > kLargestFile)
        return fail(tooLarge(path.string(), size));
    auto bytes = readFile(path);
    if (!bytes)
        return fail(bytes.error());
    return readGraph(std::move(*bytes), path.string());
}

Result<GraphFile> readGraph(FileText text, const std::string& origin) {
    const std::string_view bytes = text.view();
    if (bytes.empty())
        return fail("{}: the file is empty.", origin);
    if (bytes.size() > kLargestFile)
        return fail(tooLarge(origin, bytes.size()));
    auto format =
        std::ranges::find_if(kFormats, [&](const GraphFormat& f) { return f.read != nullptr && f.sniff(bytes); });
    if (format ==
        kFormats.end()) // its reader knows best what is wrong with a file that only has the name of its format
        format = std::ranges::find_if(
            kFormats, [&](const GraphFormat& f) { return f.read != nullptr && hasExtension(f, extensionOf(origin)); });
    if (format == kFormats.end())
        return fail("{}: not a graph in a format that is known here: {}.", origin, formatsToRead());
    try {
        auto file = format->read(std::move(text), origin);
        if (file)
            keepSoundPlan(*file);
        return file;
    } catch (const std::bad_alloc&) {
        return fail("{}: there is not enough memory to read this file.", origin);
    }
}

Result<const GraphFormat*> formatToWrite(const std::filesystem::path& path, std::string_view id) {
    const auto format = std::ranges::find_if(kFormats, [&](const GraphFormat& f) {
        return f.write != nullptr && (id.empty() ? hasExtension(f, extensionOf(path)) : f.id == id);
    });
    if (format != kFormats.end())
        return &*format;
    if (id.empty())
        return fail("{}: no format that can be written has this extension; use one of: {}.", path.string(),
                    formatsToWrite());
    return fail("{}: there is no format \"{}\" to write; use one of: {}.", path.string(), id, formatsToWrite());
}

Result<WrittenGraph> writeGraph(const GraphToWrite& what, const GraphFormat& format,
                                const std::filesystem::path& path) {
    if (format.needs >= WriteNeeds::Plan && what.plan == nullptr)
        return fail("{}: {} is about a plan, and there is none; choose one.", path.string(), format.id);
    if (format.needs >= WriteNeeds::Schedule && what.schedule == nullptr)
        return fail("{}: {} is about a schedule, and there is none; choose a plan to simulate.", path.string(),
                    format.id);
    auto written = format.write(what);
    if (!written)
        return fail("{}: {}", path.string(), written.error().message);
    return written;
}

Result<Diagnostics> writeGraph(const Graph& graph, const std::filesystem::path& path) {
    const auto format = formatToWrite(path);
    if (!format)
        return fail(format.error());
    auto written = writeGraph({graph}, **format, path);
    if (!written)
        return fail(written.error());
    if (auto done = writeFile(path, written->bytes); !done)
        return fail(done.error());
    return std::move(written->lost);
}

} // namespace opscape
