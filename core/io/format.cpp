// SPDX-License-Identifier: MIT
#include <opscape/base/paths.h>
#include <opscape/base/units.h>
#include <opscape/io/dnn_partitioning_reader.h>
#include <opscape/io/format.h>
#include <opscape/io/hlo/hlo_reader.h>
#include <opscape/io/onnx_reader.h>
#include <opscape/io/opscape_json.h>
#include <opscape/io/pipedream_reader.h>
#include <opscape/io/tensorflow/tensorflow_reader.h>

#include <algorithm>
#include <array>
#include <new>

namespace opscape {
namespace {

/// What a protobuf message, and a 32-bit offset into a JSON text, can hold.
constexpr std::size_t kLargestFile = 0x7fffffff;

constexpr std::array kFormats{
    GraphFormat{"opscape-json", "Opscape graph", "json", isOpscapeJson, readOpscapeJson, writeOpscapeJson},
    GraphFormat{"onnx", "ONNX model", "onnx", isOnnx, readOnnx, nullptr},
    GraphFormat{"dnn-partitioning", "dnn-partitioning problem", "json", looksLikeDnnPartitioning, readDnnPartitioning,
                nullptr},
    GraphFormat{"pipedream", "PipeDream profile", "txt", looksLikePipedream, readPipedream, nullptr},
    GraphFormat{"tensorflow", "TensorFlow graph", "pb meta", isTensorflow, readTensorflow, nullptr},
    GraphFormat{"tensorflow-text", "TensorFlow graph as text", "pbtxt", isTensorflowText, readTensorflowText, nullptr},
    GraphFormat{"hlo", "XLA HLO text", "hlo txt", isHloText, readHloText, nullptr},
    GraphFormat{"hlo-proto", "XLA HLO module", "pb", isHloProto, readHloProto, nullptr},
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

std::string formatNames(bool writable) {
    std::string names;
    for (const GraphFormat& format : kFormats) {
        if (!writable || format.write != nullptr)
            names += fmt::format("{}{} (.{})", names.empty() ? "" : ", ", format.title, format.extensions);
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
    const auto bytes = readFile(path);
    if (!bytes)
        return fail(bytes.error());
    return readGraph(*bytes, path.string());
}

Result<GraphFile> readGraph(std::string_view bytes, const std::string& origin) {
    if (bytes.empty())
        return fail("{}: the file is empty.", origin);
    if (bytes.size() > kLargestFile)
        return fail(tooLarge(origin, bytes.size()));
    auto format = std::ranges::find_if(kFormats, [&](const GraphFormat& f) { return f.sniff(bytes); });
    if (format ==
        kFormats.end()) // its reader knows best what is wrong with a file that only has the name of its format
        format =
            std::ranges::find_if(kFormats, [&](const GraphFormat& f) { return hasExtension(f, extensionOf(origin)); });
    if (format == kFormats.end())
        return fail("{}: not a graph in a format that is known here: {}.", origin, formatNames(false));
    try {
        return format->read(bytes, origin);
    } catch (const std::bad_alloc&) {
        return fail("{}: there is not enough memory to read this file.", origin);
    }
}

Result<> writeGraph(const Graph& graph, const std::filesystem::path& path) {
    const auto format = std::ranges::find_if(
        kFormats, [&](const GraphFormat& f) { return f.write != nullptr && hasExtension(f, extensionOf(path)); });
    if (format == kFormats.end())
        return fail("{}: no format that can be written has this extension; use one of: {}.", path.string(),
                    formatNames(true));
    return writeFile(path, format->write(graph));
}

} // namespace opscape
