// SPDX-License-Identifier: MIT
#include <opscape/base/guarded_call.h>
#include <opscape/base/units.h>
#include <opscape/io/onnx_model.h>
#include <opscape/io/text.h>

#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <unordered_set>

namespace opscape {
namespace {

/// "" and "ai.onnx" are one domain, but libonnx knows the first only.
void normaliseDomains(onnx::ModelProto& model) {
    constexpr const char* kAlias = "ai.onnx";
    for (auto& opset : *model.mutable_opset_import()) {
        if (opset.domain() == kAlias)
            opset.clear_domain();
    }
    for (auto& node : *model.mutable_graph()->mutable_node()) {
        if (node.domain() == kAlias)
            node.clear_domain();
    }
}

/// False, and counted, when the model is of a later operator set than libonnx knows: a signature may have changed, and
/// inference by the old one would give wrong shapes rather than none.
bool opsetsAreKnown(const onnx::ModelProto& model, Diagnostics& diagnostics) {
    const auto& known = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().LastReleaseVersionMap();
    bool all = true;
    for (const auto& opset : model.opset_import()) {
        const auto it = known.find(opset.domain());
        if (it == known.end() || opset.version() <= it->second)
            continue;
        all = false;
        diagnostics.add(Severity::Warning, "newer-opset",
                        "Operator sets newer than this program knows; only the shapes in the file are used",
                        fmt::format("{} version {}; known up to {}",
                                    opset.domain().empty() ? "ai.onnx" : opset.domain(), opset.version(), it->second));
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
}

/// The model's value_info and outputs completed, and in doc_string what went wrong; all else is empty.
onnx::ModelProto infer(onnx::ModelProto& model) {
    constexpr int kMostPasses = 16; // one more for every Reshape that depends on the shape another one gave
    dropWeights(*model.mutable_graph());
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
        answer.mutable_graph()->mutable_value_info()->Swap(attempt.mutable_graph()->mutable_value_info());
        answer.mutable_graph()->mutable_output()->Swap(attempt.mutable_graph()->mutable_output());
        if (!addInitializers(*model.mutable_graph(), answer.graph(), data))
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
        model.mutable_graph()->mutable_value_info()->Swap(answer.mutable_graph()->mutable_value_info());
        model.mutable_graph()->mutable_output()->Swap(answer.mutable_graph()->mutable_output());
    } else {
        problem = "the library could not do it: " + (bytes ? "its answer cannot be read" : bytes.error().message);
    }
    if (!problem.empty())
        diagnostics.add(Severity::Warning, "shape-inference",
                        "Shape inference failed; shapes that follow from it are unknown", elide(toUtf8(problem), 300));
}

} // namespace opscape
