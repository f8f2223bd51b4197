// SPDX-License-Identifier: MIT
// ONNX graph -> Graph. Nodes that depend on constants alone are no work and fall away; the others become ops in the
// order of the file, and the constants they read become tensors without a producer.
#include <opscape/graph/graph_builder.h>
#include <opscape/io/onnx_annotations.h>
#include <opscape/io/onnx_index.h>
#include <opscape/io/onnx_model.h>
#include <opscape/io/text.h>

namespace opscape {
namespace {

/// A tensor of numbers that training could have changed is a weight; a scalar, an index or a shape is a constant.
TensorKind kindOfConstant(const Tensor& tensor) {
    switch (tensor.dtype) {
    case DType::I32:
    case DType::I64:
    case DType::U32:
    case DType::U64:
    case DType::Bool:
    case DType::String:
    case DType::Unknown:
        return TensorKind::Constant;
    default:
        return tensor.shape.empty() ? TensorKind::Constant : TensorKind::Weight;
    }
}

class Converter {
public:
    Converter(const onnx::ModelProto& model, const std::string& origin, const OnnxIndex& index,
              Diagnostics& diagnostics)
        : m_model(model),
          m_graph(model.graph()),
          m_index(index),
          m_diagnostics(diagnostics),
          m_tensors(index.values().size()),
          m_ops(index.nodes().size()),
          m_builder(m_graph.name().empty() ? stemOf(origin) : toUtf8(m_graph.name())) {}

    Result<Graph> convert() {
        // Later lists are better informed: inference completes inputs and outputs where they stand.
        for (const auto* list : {&m_graph.value_info(), &m_graph.input(), &m_graph.output()}) {
            for (const auto& info : *list)
                m_types.insert_or_assign(info.name(), &info.type());
        }
        for (std::size_t v = 0; v < m_index.values().size(); ++v) {
            if (m_index.values()[v].isInput)
                addResident(static_cast<int>(v), TensorKind::Input);
        }
        for (std::size_t n = 0; n < m_ops.size(); ++n) {
            if (!m_index.nodes()[n].isConstant)
                addOp(n);
        }
        for (std::size_t n = 0; n < m_ops.size(); ++n) {
            if (!m_index.nodes()[n].isConstant)
                addInputs(n);
        }
        noteRest();
        return std::move(m_builder).build(m_diagnostics);
    }

private:
    /// Type and shape from whatever the file says of the value.
    Tensor tensorOf(const OnnxValue& value) {
        Tensor tensor;
        const auto type = m_types.find(value.name);
        if (value.initializer != nullptr)
            tensor = opscape::tensorOf(*value.initializer);
        else if (value.sparse != nullptr)
            tensor = opscape::tensorOf(*value.sparse);
        else if (type != m_types.end())
            tensor = opscape::tensorOf(*type->second);
        else if (value.producer != kNone)
            tensor = tensorOfConstant(m_graph.node(value.producer));
        tensor.name = toUtf8(value.name);
        return tensor;
    }

    static bool isSized(const Tensor& tensor) { return tensor.shapeKnown && elementCount(tensor.shape).has_value(); }

    void noteShape(const Tensor& tensor) {
        if (!isSized(tensor))
            m_diagnostics.add(
                Severity::Warning, "unknown-shape",
                "Tensors with a dimension that the file leaves open, or without a shape",
                fmt::format("{}: {}", tensor.name, tensor.shapeKnown ? toString(tensor.shape) : "no shape"));
    }

    void addResident(int v, TensorKind kind) {
        Tensor tensor = tensorOf(m_index.value(v));
        tensor.kind = kind == TensorKind::Constant ? kindOfConstant(tensor) : kind;
        noteShape(tensor);
        m_tensors[static_cast<std::size_t>(v)] = m_builder.addResident(std::move(tensor));
    }

    void addOp(std::size_t n) {
        const OnnxNode& node = m_index.nodes()[n];
        Op op;
        op.name = nameOf(*node.proto);
        op.type = toUtf8(node.proto->op_type());
        op.attributes = attributesOf(*node.proto, m_diagnostics);
        annotate(op, *node.proto, m_configurations);
        if (hasSubgraph(*node.proto))
            m_diagnostics.add(Severity::Warning, "subgraph", "Ops that hold graphs of their own, shown as one op each",
                              describe(*node.proto));
        m_ops[n] = m_builder.addOp(std::move(op));
        for (const int output : node.outputs) {
            const OnnxValue& value = m_index.value(output);
            Tensor tensor = tensorOf(value);
            if (!isSized(tensor) && value.readers.empty() && !value.isOutput)
                continue; // an optional output that nobody asked for, e.g. the mask of Dropout
            noteShape(tensor);
            m_tensors[static_cast<std::size_t>(output)] = m_builder.addOutput(m_ops[n], std::move(tensor));
        }
    }

    void addInputs(std::size_t n) {
        const OnnxNode& node = m_index.nodes()[n];
        for (const int input : node.inputs) {
            if (input == kNone) {
                m_builder.addInput(m_ops[n], TensorId());
                continue;
            }
            const TensorId& tensor = m_tensors[static_cast<std::size_t>(input)];
            if (!tensor.valid()) {
                const OnnxValue& value = m_index.value(input);
                addResident(input, value.isConstant ? TensorKind::Constant : TensorKind::Input);
                if (!value.isConstant)
                    m_diagnostics.add(Severity::Warning, "dangling-input",
                                      "Tensors that ops read but nothing in the file produces, taken as inputs",
                                      fmt::format("\"{}\", read by {}", toUtf8(value.name), describe(*node.proto)));
            }
            m_builder.addInput(m_ops[n], tensor);
        }
    }

    /// What of the file is not in the graph.
    void noteRest() {
        for (const OnnxValue& value : m_index.values()) {
            if (value.isInitializer() && value.readers.empty() && !value.isOutput)
                m_diagnostics.add(Severity::Info, "unused-weight", "Initializers that no node reads, left out",
                                  toUtf8(value.name));
            if (value.initializer != nullptr && value.initializer->data_location() == onnx::TensorProto::EXTERNAL)
                m_diagnostics.add(Severity::Info, "external-data",
                                  "Weights kept in other files, which are not needed and not read", toUtf8(value.name));
            if (value.isOutput && value.producer == kNone && !value.isInput && !value.isInitializer())
                m_diagnostics.add(Severity::Warning, "dangling-output", "Outputs of the graph that nothing produces",
                                  toUtf8(value.name));
        }
        for (const auto& function : m_model.functions())
            m_diagnostics.add(Severity::Info, "local-function", "Functions in the model, each call of which is one op",
                              toUtf8(function.domain() + "." + function.name()));
        for (const auto& training : m_model.training_info())
            m_diagnostics.add(Severity::Info, "training-info", "Training graphs beside the model's own, not read",
                              toUtf8(training.algorithm().name()));
    }

    const onnx::ModelProto& m_model;
    const onnx::GraphProto& m_graph;
    const OnnxIndex& m_index;
    Diagnostics& m_diagnostics;
    std::unordered_map<std::string_view, const onnx::TypeProto*> m_types;
    std::vector<TensorId> m_tensors; ///< by value; invalid while there is none
    std::vector<OpId> m_ops;         ///< by node; invalid for constant ones
    const std::vector<OnnxDeviceConfiguration> m_configurations = deviceConfigurationsOf(m_model);
    GraphBuilder m_builder;
};

} // namespace

Result<> convertOnnx(const onnx::ModelProto& model, const std::string& origin, GraphFile& file) {
    const auto index = OnnxIndex::make(model.graph(), origin);
    if (!index)
        return fail(index.error());
    file.fileNodes = index->nodes().size();
    file.fileEdges = index->edges();
    file.folded = index->constantNodes();
    auto graph = Converter(model, origin, *index, file.diagnostics).convert();
    if (!graph)
        return fail("{}: {}", origin, graph.error().message);
    file.graph = std::move(*graph);
    return {};
}

} // namespace opscape
