// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/io/make_room.h>
#include <opscape/io/proto_message.h>
#include <opscape/io/tensorflow/tensorflow_graph.h>
#include <opscape/io/tensorflow/tensorflow_reader.h>
#include <opscape/io/tensorflow/tensorflow_values.h>
#include <opscape/io/wire.h>

#include <algorithm>
#include <array>
#include <functional>

namespace opscape {
namespace {

namespace tf = tensorflow;

enum class Kind { None, Graph, MetaGraph, SavedModel };

bool looksLikeNode(std::string_view bytes) {
    WireReader reader(bytes);
    bool hasType = false;
    for (WireField field; reader.next(field);) {
        if (field.number < 1 || field.number > 7 || field.type != WireField::Length)
            return false;
        if (field.number <= 4 && !field.bytes.empty() && !looksLikeName(field.bytes))
            return false;
        hasType = hasType || (field.number == 2 && !field.bytes.empty());
    }
    return reader.isSound() && (hasType || reader.isCut());
}

bool looksLikeGraph(std::string_view bytes) {
    enum : std::uint64_t { kNode = 1, kVersion = 3, kDebugInfo = 5 };
    WireReader reader(bytes);
    bool hasNode = false;
    for (WireField field; reader.next(field);) {
        if (field.number < kNode || field.number > kDebugInfo ||
            field.type != (field.number == kVersion ? WireField::Varint : WireField::Length))
            return false;
        if (field.number == kNode && !hasNode) {
            if (!looksLikeNode(field.bytes))
                return false;
            hasNode = true;
        }
    }
    return reader.isSound() && hasNode;
}

bool looksLikeMetaGraph(std::string_view bytes) {
    enum : std::uint64_t { kInfo = 1, kGraph = 2, kObjects = 7 };
    WireReader reader(bytes);
    bool hasGraph = false;
    for (WireField field; reader.next(field);) {
        if (field.number < kInfo || field.number > kObjects || field.type != WireField::Length)
            return false;
        if (field.number == kGraph && !hasGraph) {
            if (!looksLikeGraph(field.bytes))
                return false;
            hasGraph = true;
        }
    }
    return reader.isSound() && hasGraph;
}

bool looksLikeSavedModel(std::string_view bytes) {
    enum : std::uint64_t { kVersion = 1, kMetaGraph = 2 };
    WireReader reader(bytes);
    bool hasGraph = false;
    for (WireField field; reader.next(field);) {
        const bool isVersion = field.number == kVersion && field.type == WireField::Varint;
        if (!isVersion && (field.number != kMetaGraph || field.type != WireField::Length))
            return false;
        if (!isVersion && !hasGraph) {
            if (!looksLikeMetaGraph(field.bytes))
                return false;
            hasGraph = true;
        }
    }
    return reader.isSound() && hasGraph;
}

Kind kindOf(std::string_view bytes) {
    return looksLikeGraph(bytes)        ? Kind::Graph
           : looksLikeMetaGraph(bytes)  ? Kind::MetaGraph
           : looksLikeSavedModel(bytes) ? Kind::SavedModel
                                        : Kind::None;
}

/// By the first field of a text; blanks and comments may stand before it.
Kind kindOfText(std::string_view text) {
    const std::string_view field = firstTextField(text);
    constexpr std::array<std::string_view, 4> kGraph{"node", "library", "versions", "version"};
    constexpr std::array<std::string_view, 5> kMetaGraph{"meta_info_def", "graph_def", "saver_def", "collection_def",
                                                         "signature_def"};
    constexpr std::array<std::string_view, 2> kSavedModel{"saved_model_schema_version", "meta_graphs"};
    const auto isOneOf = [field](const auto& names) { return std::ranges::find(names, field) != names.end(); };
    return isOneOf(kGraph)        ? Kind::Graph
           : isOneOf(kMetaGraph)  ? Kind::MetaGraph
           : isOneOf(kSavedModel) ? Kind::SavedModel
                                  : Kind::None;
}

google::protobuf::Message& partOf(Kind kind, tf::SavedModel& model) {
    if (kind == Kind::SavedModel)
        return model;
    tf::MetaGraphDef& graph = model.meta_graphs().empty() ? *model.add_meta_graphs() : *model.mutable_meta_graphs(0);
    return kind == Kind::MetaGraph ? static_cast<google::protobuf::Message&>(graph) : *graph.mutable_graph_def();
}

bool areSound(const tf::SavedModel& model) {
    const auto check = [](const auto& nodes) {
        return std::ranges::all_of(nodes, [](const tf::NodeDef& node) { return checkAttributes(node); });
    };
    return std::ranges::all_of(model.meta_graphs(), [&check](const tf::MetaGraphDef& graph) {
        return check(graph.graph_def().node()) &&
               std::ranges::all_of(graph.graph_def().library().function(),
                                   [&check](const tf::FunctionDef& function) { return check(function.node_def()); });
    });
}

Result<GraphFile> convert(tf::SavedModel model, std::string_view format, const std::string& origin) {
    if (model.meta_graphs().empty() || model.meta_graphs(0).graph_def().node().empty())
        return fail("{}: the TensorFlow file holds no graph.", origin);
    GraphFile file;
    file.format = format;
    for (int i = 1; i < model.meta_graphs_size(); ++i)
        file.diagnostics.add(Severity::Warning, "further-graph", "Graphs beside the first of a saved model, not read",
                             fmt::format("{} with {} nodes",
                                         model.meta_graphs(i).meta_info_def().tags().empty()
                                             ? "a graph without tags"
                                             : toUtf8(model.meta_graphs(i).meta_info_def().tags(0)),
                                         model.meta_graphs(i).graph_def().node_size()));
    auto builder = convertTensorflow(model.meta_graphs(0), origin, file);
    if (!builder)
        return fail(std::move(builder.error()));
    makeRoom(model);
    auto graph = std::move(*builder).build(file.diagnostics);
    if (!graph)
        return fail("{}: {}", origin, graph.error().message);
    file.graph = std::move(*graph);
    return file;
}

} // namespace

bool isTensorflow(std::string_view bytes) { return kindOf(bytes) != Kind::None; }

Result<GraphFile> readTensorflow(FileText text, const std::string& origin) {
    const Kind kind = kindOf(text.view());
    if (kind == Kind::None)
        return fail("{}: this is not a TensorFlow graph, neither a GraphDef, a MetaGraphDef nor a SavedModel.", origin);
    tf::SavedModel model; // whatever the file is, as one of one graph or more
    if (auto parsed = parseBinary(text.view(), "TensorFlow graph", origin, partOf(kind, model)); !parsed)
        return fail(std::move(parsed.error()));
    if (!areSound(model))
        return fail(damaged("TensorFlow graph", origin));
    text.release();
    return convert(std::move(model), "tensorflow", origin);
}

bool isTensorflowText(std::string_view bytes) { return kindOfText(bytes) != Kind::None; }

Result<GraphFile> readTensorflowText(FileText text, const std::string& origin) {
    const Kind kind = kindOfText(text.view());
    if (kind == Kind::None)
        return fail("{}: this is not a TensorFlow graph as text; it would begin with a field such as \"node {{\".",
                    origin);
    tf::TextGraphDef graph;
    tf::TextMetaGraphDef metaGraph;
    tf::TextSavedModel savedModel;
    google::protobuf::Message& piece = kind == Kind::Graph       ? static_cast<google::protobuf::Message&>(graph)
                                       : kind == Kind::MetaGraph ? static_cast<google::protobuf::Message&>(metaGraph)
                                                                 : savedModel;
    tf::SavedModel model;
    const auto parsed = parseTextInPieces(
        text.view(), origin, piece, [&] { return partOf(kind, model).MergeFromString(piece.SerializeAsString()); });
    if (!parsed)
        return fail(parsed.error());
    text.release();
    return convert(std::move(model), "tensorflow-text", origin);
}

} // namespace opscape
