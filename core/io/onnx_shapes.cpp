// SPDX-License-Identifier: MIT
#include <opscape/base/guarded_call.h>
#include <opscape/base/units.h>
#include <opscape/io/onnx_loops.h>
#include <opscape/io/onnx_model.h>
#include <opscape/io/onnx_opsets.h>
#include <opscape/io/text.h>

#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <unordered_set>

namespace opscape {
namespace {

/// "" and "ai.onnx" are one domain, but libonnx knows the first only.
constexpr const char* kAlias = "ai.onnx";

void normaliseDomains(onnx::GraphProto& graph) {
    for (auto& node : *graph.mutable_node()) {
        if (node.domain() == kAlias)
            node.clear_domain();
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g())
                normaliseDomains(*attribute.mutable_g());
        }
    }
}

void normaliseDomains(onnx::ModelProto& model) {
    for (auto& opset : *model.mutable_opset_import()) {
        if (opset.domain() == kAlias)
            opset.clear_domain();
    }
    normaliseDomains(*model.mutable_graph());
}

/// False, and counted, when the model is of a later operator set than is known: a signature may have changed, and
/// inference by the old one would give wrong shapes rather than none.
bool opsetsAreKnown(const onnx::ModelProto& model, Diagnostics& diagnostics) {
    const auto& known = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().LastReleaseVersionMap();
    bool all = true;
    for (const auto& opset : model.opset_import()) {
        const auto it = known.find(opset.domain());
        const std::int64_t newest =
            it == known.end() ? 0 : std::max<std::int64_t>(it->second, opset.domain().empty() ? kNewestOnnxOpset : 0);
        if (it == known.end() || opset.version() <= newest)
            continue;
        all = false;
        diagnostics.add(Severity::Warning, "newer-opset",
                        "Operator sets newer than this program knows; only the shapes in the file are used",
                        fmt::format("{} version {}; known up to {}",
                                    opset.domain().empty() ? "ai.onnx" : opset.domain(), opset.version(), newest));
    }
    return all;
}

using ShapeData = std::unordered_map<std::string, onnx::TensorShapeProto>;

/// One pass of libonnx over the model; the reason of a failure, or nothing. `data` receives the small integer tensors
/// whose values it worked out.
std::string inferOnce(onnx::ModelProto& model, bool strict, ShapeData& data) {
    constexpr bool kCheckTypes = false, kPropagateData = true;
    try {
        const onnx::ShapeInferenceOptions options(kCheckTypes, strict ? 1 : 0, kPropagateData);
        onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), options, &data);
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

/// Turns what was worked out of shapes computed in the graph (Shape, Gather, Concat, ...) into initializers: libonnx
/// follows such values but Reshape, Slice and others look for theirs among the initializers only. True when there were
/// new ones.
bool addInitializers(onnx::GraphProto& graph, const onnx::GraphProto& inferred, const ShapeData& data) {
    std::unordered_set<std::string_view> known;
    for (const auto& initializer : graph.initializer())
        known.insert(initializer.name());
    std::vector<onnx::TensorProto> made;
    for (const auto& info : inferred.value_info()) { // a list in the order of the nodes, while `data` has none
        const auto it = data.find(info.name());
        const auto& type = info.type().tensor_type();
        if (it == data.end() || known.contains(info.name()) || type.elem_type() != onnx::TensorProto::INT64 ||
            type.shape().dim_size() != 1)
            continue;
        onnx::TensorProto& tensor = made.emplace_back();
        tensor.set_name(info.name());
        tensor.set_data_type(onnx::TensorProto::INT64);
        tensor.add_dims(it->second.dim_size());
        for (const auto& dim : it->second.dim())
            tensor.add_int64_data(dim.dim_value());
        if (!std::ranges::all_of(it->second.dim(), [](const auto& dim) { return dim.has_dim_value(); }))
            made.pop_back();
    }
    for (onnx::TensorProto& tensor : made)
        *graph.add_initializer() = std::move(tensor);
    return !made.empty();
}

/// Shapes depend on small integer tensors only; without the weights a pass can have a copy of the model.
void dropWeights(onnx::GraphProto& graph) {
    constexpr std::size_t kSmall = 65536;
    for (auto& initializer : *graph.mutable_initializer()) {
        if (initializer.ByteSizeLong() <= kSmall)
            continue;
        onnx::TensorProto header;
        header.set_name(initializer.name());
        header.set_data_type(initializer.data_type());
        *header.mutable_dims() = initializer.dims();
        initializer.Swap(&header);
    }
    for (auto& node : *graph.mutable_node()) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g())
                dropWeights(*attribute.mutable_g());
        }
    }
}

/// Puts a model of a set that libonnx does not know in the terms of one that it does.
void useKnownSet(onnx::ModelProto& model) {
    const auto& known = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().LastReleaseVersionMap();
    for (auto& opset : *model.mutable_opset_import()) {
        if (!opset.domain().empty() || opset.version() <= known.at({}))
            continue;
        toPlainOpset(*model.mutable_graph());
        opset.set_version(kPlainOnnxOpset);
    }
}

/// The types in a graph and its subgraphs, which stand where they stand there; all else is empty.
onnx::GraphProto outlineOf(const onnx::GraphProto& graph) {
    onnx::GraphProto outline;
    *outline.mutable_value_info() = graph.value_info();
    *outline.mutable_input() = graph.input();
    *outline.mutable_output() = graph.output();
    for (int n = 0; n < graph.node_size(); ++n) {
        for (int a = 0; a < graph.node(n).attribute_size(); ++a) {
            if (!graph.node(n).attribute(a).has_g())
                continue;
            while (outline.node_size() <= n)
                outline.add_node();
            auto& node = *outline.mutable_node(n);
            while (node.attribute_size() <= a)
                node.add_attribute();
            *node.mutable_attribute(a)->mutable_g() = outlineOf(graph.node(n).attribute(a).g());
        }
    }
    return outline;
}

void takeTypes(onnx::GraphProto& graph, onnx::GraphProto& outline, bool isInner) {
    graph.mutable_value_info()->Swap(outline.mutable_value_info());
    graph.mutable_output()->Swap(outline.mutable_output());
    if (isInner)
        graph.mutable_input()->Swap(outline.mutable_input());
    for (int n = 0; n < std::min(graph.node_size(), outline.node_size()); ++n) {
        auto& node = *graph.mutable_node(n);
        for (int a = 0; a < std::min(node.attribute_size(), outline.node(n).attribute_size()); ++a) {
            if (outline.node(n).attribute(a).has_g())
                takeTypes(*node.mutable_attribute(a)->mutable_g(),
                          *outline.mutable_node(n)->mutable_attribute(a)->mutable_g(), true);
        }
    }
}

/// The outline of the model's graph completed, and in doc_string what went wrong.
onnx::ModelProto infer(onnx::ModelProto& model) {
    constexpr int kMostPasses = 16; // one more for every Reshape that depends on the shape another one gave
    dropWeights(*model.mutable_graph());
    useKnownSet(model);
    onnx::ModelProto answer;
    for (int pass = 0; pass < kMostPasses; ++pass) {
        ShapeData data;
        onnx::ModelProto attempt = model;
        // The strict run says what is wrong but may stop there; the other infers what it still can.
        std::string problem = inferOnce(attempt, true, data);
        if (!problem.empty()) {
            attempt = model;
            data.clear();
            if (std::string worse = inferOnce(attempt, false, data); !worse.empty())
                problem = std::move(worse);
        }
        answer.set_doc_string(problem);
        *answer.mutable_graph() = outlineOf(attempt.graph());
        const bool hasNumbers = addInitializers(*model.mutable_graph(), answer.graph(), data);
        if (!carryStates(*model.mutable_graph(), attempt.graph()) && !hasNumbers)
            break;
    }
    return answer;
}

} // namespace

void inferOnnxShapes(onnx::ModelProto& model, Diagnostics& diagnostics) {
    normaliseDomains(model);
    if (model.opset_import().empty())
        model.add_opset_import()->set_version(1); // as the standard says for files that are so old
    if (!opsetsAreKnown(model, diagnostics))
        return;
    // Loads the table of ops, which takes a while and a lock, before the process divides.
    static_cast<void>(onnx::OpSchemaRegistry::Instance()->GetSchema("Identity", 1));
    // libonnx divides by strides and indexes by attributes as it finds them: a damaged file can take its process down.
    constexpr std::chrono::seconds kLimit{30};
    const auto bytes = guardedCall([&model] { return infer(model).SerializeAsString(); }, kLimit);
    onnx::ModelProto answer;
    std::string problem;
    if (bytes && answer.ParseFromString(*bytes)) {
        problem = answer.doc_string();
        takeTypes(*model.mutable_graph(), *answer.mutable_graph(), false);
    } else {
        problem = "the library could not do it: " + (bytes ? "its answer cannot be read" : bytes.error().message);
    }
    if (!problem.empty())
        diagnostics.add(Severity::Warning, "shape-inference",
                        "Shape inference failed; shapes that follow from it are unknown", elide(toUtf8(problem), 300));
}

} // namespace opscape
