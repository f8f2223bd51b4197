// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>
#include <opscape/io/onnx_functions.h>
#include <opscape/io/onnx_model.h>
#include <opscape/io/onnx_reader.h>

#include <limits>
#include <optional>

namespace opscape {
namespace {

/// What the outermost fields of a protobuf message tell, without parsing what is inside them.
struct Outline {
    bool isModel = false; ///< every field is one of ModelProto's, with its wire type, and some are typical
    bool isCut = false;   ///< the last field is longer than what is left
    std::size_t cutAt = 0, cutNeeds = 0;
};

std::optional<std::uint64_t> readVarint(std::string_view bytes, std::size_t& at) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        value |= std::uint64_t{byte & 0x7fu} << shift;
        if (byte < 0x80)
            return value;
    }
    return std::nullopt;
}

Outline outlineOf(std::string_view bytes) {
    enum : unsigned { kVarint = 0, kLength = 2 };
    enum : unsigned { kIrVersion = 1, kProducerName = 2, kModelVersion = 5, kGraph = 7, kOpset = 8, kMetadata = 14 };
    Outline outline;
    bool hasVersion = false, hasTypical = false;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t begin = at;
        const auto tag = readVarint(bytes, at);
        const std::uint64_t field = tag.value_or(0) >> 3;
        const bool isNumber = field == kIrVersion || field == kModelVersion;
        const bool isKnown = (field >= kIrVersion && field <= kOpset) || field == kMetadata ||
                             (field >= 20 && field <= 26); // training_info, functions and room for what came later
        if (!isKnown || (*tag & 7u) != (isNumber ? kVarint : kLength))
            return {};
        const auto value = readVarint(bytes, at);
        hasVersion = hasVersion || field == kIrVersion;
        hasTypical = hasTypical || field > kProducerName; // other protobuf formats start with a number and a text too
        if (!value || (!isNumber && *value > bytes.size() - at)) {
            outline.isCut = true;
            outline.cutAt = begin;
            outline.cutNeeds = value.value_or(1);
            break;
        }
        at += isNumber ? 0 : *value;
    }
    outline.isModel = hasVersion && hasTypical;
    return outline;
}

} // namespace

bool isOnnx(std::string_view bytes) { return outlineOf(bytes).isModel; }

Result<GraphFile> readOnnx(std::string_view bytes, const std::string& origin) {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return fail(
            "{}: the model has {}, more than the 2 GiB that ONNX's format can hold; store its weights as external "
            "data.",
            origin, formatBytes(static_cast<std::int64_t>(bytes.size())));
    const Outline outline = outlineOf(bytes);
    if (!outline.isModel)
        return fail("{}: this is not an ONNX model.", origin);
    if (outline.isCut)
        return fail("{}: the file is cut off: the part at byte {} needs {} bytes, but only {} follow.", origin,
                    outline.cutAt, outline.cutNeeds, bytes.size() - outline.cutAt);
    onnx::ModelProto model;
    if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return fail("{}: the ONNX model is damaged: it starts as one, but its bytes break the format further inside.",
                    origin);
    if (!model.has_graph())
        return fail("{}: the ONNX model holds no graph.", origin);

    GraphFile file;
    file.format = "onnx";
    if (auto opened = openOnnxFunctions(model, origin, file.diagnostics); !opened)
        return fail(std::move(opened.error()));
    inferOnnxShapes(model, file.diagnostics);
    if (auto converted = convertOnnx(model, origin, file); !converted)
        return fail(std::move(converted.error()));
    return file;
}

} // namespace opscape
