// SPDX-License-Identifier: MIT
// ONNX graph -> Graph. Nodes that depend on constants alone are no work and fall away; the others become ops in the
// order of the file, and the constants they read become tensors without a producer. The branches of If and the bodies
// of Loop and Scan are converted in the same way, each into a scope of the node's name: what they read from outside,
// they read there, and the node itself becomes an op without work that hands on what they give. A Scan reads slices of
// its sequences, for each of which there is an op. Each round of a loop begins with what the round before gave; that
// edge, which would close a cycle, is left out.
#include <opscape/graph/graph_builder.h>
#include <opscape/io/onnx_annotations.h>
#include <opscape/io/onnx_index.h>
#include <opscape/io/onnx_model.h>
#include <opscape/io/onnx_regions.h>
#include <opscape/io/text.h>
#include <opscape/io/wire.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>

namespace opscape {
namespace {

constexpr std::size_t kMostScopeBytes = std::size_t{1} << 28; ///< of names of scopes, in the names of ops and tensors

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

/// What the graphs of a model share.
struct Conversion {
    const onnx::ModelProto& model;
    GraphFile& file;
    GraphBuilder builder;
    const std::vector<OnnxDeviceConfiguration> configurations = deviceConfigurationsOf(model);
    std::vector<OnnxRegion> regions{};
    int choices = 0;
    std::size_t scopeBytes = 0;

    void note(Severity severity, std::string_view code, std::string_view summary, std::string example) {
        file.diagnostics.add(severity, code, summary, std::move(example));
    }
};

/// The number in a constant of one whole number.
std::optional<std::int64_t> wholeNumberOf(const onnx::TensorProto& tensor) {
    if (tensor.data_type() != onnx::TensorProto::INT64)
        return std::nullopt;
    if (tensor.int64_data_size() == 1)
        return tensor.int64_data(0);
    const std::string& raw = tensor.raw_data();
    if (raw.size() != sizeof(std::int64_t))
        return std::nullopt;
    return static_cast<std::int64_t>(littleEndian(raw));
}

class Converter {
public:
    /// Of a model's graph where `outer` is null, else of a subgraph. Index and graph outlive it.
    Converter(Conversion& all, const onnx::GraphProto& graph, OnnxIndex index, Converter* outer, std::string prefix)
        : m_all(all),
          m_graph(graph),
          m_index(std::move(index)),
          m_outer(outer),
          m_prefix(std::move(prefix)),
          m_tensors(m_index.values().size()),
          m_ops(m_index.nodes().size()) {
        // Later lists are better informed: inference completes inputs and outputs where they stand.
        for (const auto* list : {&m_graph.value_info(), &m_graph.input(), &m_graph.output()}) {
            for (const auto& info : *list) {
                if (info.has_type())
                    m_types.insert_or_assign(info.name(), &info.type());
            }
        }
    }

    void addOps() {
        m_all.file.fileNodes += m_index.nodes().size();
        m_all.file.fileEdges += m_index.edges();
        m_all.file.folded += m_index.constantNodes();
        for (std::size_t v = 0; m_outer == nullptr && v < m_index.values().size(); ++v) {
            if (m_index.values()[v].isInput)
                addResident(static_cast<int>(v), TensorKind::Input);
        }
        for (std::size_t n = 0; n < m_ops.size(); ++n) {
            if (!m_index.nodes()[n].isConstant)
                addOp(n);
        }
    }

    void addInputs() {
        for (std::size_t n = 0; n < m_ops.size(); ++n) {
            if (!m_index.nodes()[n].isConstant)
                addInputs(n);
        }
        noteRest();
    }

private:
    struct Slice { ///< what reads a sequence for a Scan
        OpId op;
        std::string_view sequence;
    };

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
        tensor.name = m_prefix + toUtf8(value.name);
        return tensor;
    }

    static bool isSized(const Tensor& tensor) { return tensor.shapeKnown && elementCount(tensor.shape).has_value(); }

    void noteShape(const Tensor& tensor) {
        if (!isSized(tensor))
            m_all.note(Severity::Warning, "unknown-shape",
                       "Tensors with a dimension that the file leaves open, or without a shape",
                       fmt::format("{}: {}", tensor.name, tensor.shapeKnown ? toString(tensor.shape) : "no shape"));
    }

    TensorId addResident(int v, TensorKind kind) {
        Tensor tensor = tensorOf(m_index.value(v));
        tensor.kind = kind == TensorKind::Constant ? kindOfConstant(tensor) : kind;
        noteShape(tensor);
        return m_tensors[static_cast<std::size_t>(v)] = m_all.builder.addResident(std::move(tensor));
    }

    void addOp(std::size_t n) {
        const OnnxNode& node = m_index.nodes()[n];
        const bool isOpened = hasSubgraph(*node.proto) && open(n);
        Op op;
        op.name = m_prefix + nameOf(*node.proto);
        op.type = toUtf8(node.proto->op_type());
        op.attributes = attributesOf(*node.proto, isOpened, m_all.file.diagnostics);
        if (isOpened)
            op.flops = op.bytesMoved = 0; // that of the ops inside
        annotate(op, *node.proto, m_all.configurations);
        if (!isOpened && hasSubgraph(*node.proto))
            m_all.note(Severity::Warning, "subgraph",
                       "Ops that hold graphs of their own which cannot be opened, shown as one op each",
                       describe(*node.proto));
        m_ops[n] = m_all.builder.addOp(std::move(op));
        for (const int output : node.outputs) {
            const OnnxValue& value = m_index.value(output);
            Tensor tensor = tensorOf(value);
            if (!isSized(tensor) && value.readers.empty() && !value.isOutput)
                continue; // an optional output that nobody asked for, e.g. the mask of Dropout
            noteShape(tensor);
            m_tensors[static_cast<std::size_t>(output)] = m_all.builder.addOutput(m_ops[n], std::move(tensor));
        }
    }

    /// The ops inside a node; false where it is shown as one op, because it is not one of the standard's or not sound.
    bool open(std::size_t n) {
        const onnx::NodeProto& node = *m_index.nodes()[n].proto;
        const bool isIf = node.op_type() == "If", isLoop = node.op_type() == "Loop", isScan = node.op_type() == "Scan";
        std::vector<const onnx::AttributeProto*> graphs{attributeOf(node, isIf ? "then_branch" : "body")};
        if (isIf)
            graphs.push_back(attributeOf(node, "else_branch"));
        const auto isThere = [](const onnx::AttributeProto* graph) { return graph != nullptr && graph->has_g(); };
        if (!node.domain().empty() || !(isIf || isLoop || isScan) || !std::ranges::all_of(graphs, isThere))
            return false;
        const onnx::AttributeProto* sequences = attributeOf(node, "num_scan_inputs");
        const int states =
            isLoop ? node.input_size() - 2
            : isScan && sequences != nullptr
                ? node.input_size() - static_cast<int>(std::clamp<std::int64_t>(sequences->i(), 0, node.input_size()))
                : 0;
        const int given = isLoop ? states + 2 : isScan ? node.input_size() : 0;
        if (states < 0 || (!isIf && graphs.front()->g().input_size() != given) ||
            (isScan && (sequences == nullptr || isOfSetEight())))
            return false;

        std::vector<std::unique_ptr<Converter>> inside;
        for (const onnx::AttributeProto* attribute : graphs) {
            std::string prefix = fmt::format("{}{}/{}/", m_prefix, nameOf(node), toUtf8(attribute->name()));
            m_all.scopeBytes += prefix.size() * (2 + 2 * static_cast<std::size_t>(attribute->g().node_size()));
            auto index = OnnxIndex::make(attribute->g(), {});
            if (!index || m_all.scopeBytes > kMostScopeBytes)
                return false;
            inside.push_back(
                std::make_unique<Converter>(m_all, attribute->g(), std::move(*index), this, std::move(prefix)));
        }
        const int choice = isIf ? m_all.choices++ : -1;
        std::vector<OnnxRegion> regions;
        for (const auto& one : inside) {
            OnnxRegion& region = regions.emplace_back();
            region.first = m_all.builder.opCount();
            region.choice = choice;
            if (!isIf)
                region.rounds = bind(*one, node, states);
            one->addOps();
            region.last = m_all.builder.opCount();
        }
        m_all.regions.insert(m_all.regions.end(), regions.begin(), regions.end());
        m_inside.emplace(n, std::move(inside));
        return true;
    }

    [[nodiscard]] bool isOfSetEight() const { // where Scan had another signature
        return std::ranges::any_of(m_all.model.opset_import(),
                                   [](const auto& opset) { return opset.domain().empty() && opset.version() < 9; });
    }

    /// What a body calls its inputs; how often it runs.
    double bind(Converter& body, const onnx::NodeProto& node, int states) {
        const bool isLoop = node.op_type() == "Loop";
        const int first = isLoop ? 2 : 0; // the number of the round and whether to go on are before the states
        for (int i = isLoop ? 1 : 0; i < first + states; ++i)
            body.m_bound[body.m_graph.input(i).name()] = node.input(i);
        std::optional<double> rounds;
        if (isLoop) {
            rounds = roundsOf(node.input(0));
        } else {
            const onnx::AttributeProto* axes = attributeOf(node, "scan_input_axes");
            for (int i = states; i < node.input_size(); ++i) {
                const int at = i - states;
                const Tensor sequence = typeOf(node.input(i));
                std::int64_t axis = axes != nullptr && at < axes->ints_size() ? axes->ints(at) : 0;
                axis += axis < 0 ? static_cast<std::int64_t>(sequence.shape.size()) : 0;
                if (axis >= 0 && axis < static_cast<std::int64_t>(sequence.shape.size()) &&
                    sequence.shape[static_cast<std::size_t>(axis)] >= 0)
                    rounds = static_cast<double>(sequence.shape[static_cast<std::size_t>(axis)]);
                body.addSlice(body.m_graph.input(i).name(), node.input(i));
            }
        }
        if (!rounds)
            m_all.note(Severity::Warning, "rounds-unknown",
                       "Loops whose number of rounds the file does not tell, costed as one", describe(node));
        return rounds.value_or(1);
    }

    void addSlice(std::string_view input, std::string_view sequence) {
        const int v = m_index.find(input);
        Op op;
        op.name = m_prefix + toUtf8(input);
        op.type = "Slice";
        Slice& slice = m_slices.emplace_back(Slice{m_all.builder.addOp(std::move(op)), sequence});
        Tensor tensor = tensorOf(m_index.value(v));
        noteShape(tensor);
        m_tensors[static_cast<std::size_t>(v)] = m_all.builder.addOutput(slice.op, std::move(tensor));
    }

    /// Of a value here or around.
    Tensor typeOf(std::string_view name) {
        const int v = m_index.find(name);
        if (v == kNone)
            return {};
        const auto bound = m_bound.find(name);
        const bool isFromOutside = m_index.value(v).producer == kNone && !m_index.value(v).isInitializer();
        if (m_outer != nullptr && isFromOutside && !m_types.contains(name))
            return m_outer->typeOf(bound == m_bound.end() ? name : bound->second);
        return tensorOf(m_index.value(v));
    }

    std::optional<double> roundsOf(std::string_view name) {
        const int v = m_index.find(name);
        if (v == kNone)
            return std::nullopt;
        const OnnxValue& value = m_index.value(v);
        std::optional<std::int64_t> rounds;
        if (value.initializer != nullptr) {
            rounds = wholeNumberOf(*value.initializer);
        } else if (value.producer != kNone) {
            const onnx::NodeProto& node = m_graph.node(value.producer);
            const onnx::AttributeProto* tensor = attributeOf(node, "value");
            const onnx::AttributeProto* number = attributeOf(node, "value_int");
            if (node.op_type() == "Constant" && tensor != nullptr)
                rounds = wholeNumberOf(tensor->t());
            else if (node.op_type() == "Constant" && number != nullptr)
                rounds = number->i();
        } else if (m_outer != nullptr) {
            return m_outer->roundsOf(name);
        }
        return rounds && *rounds >= 0 ? std::optional(static_cast<double>(*rounds)) : std::nullopt;
    }

    void addInputs(std::size_t n) {
        const OnnxNode& node = m_index.nodes()[n];
        const auto inside = m_inside.find(n);
        if (inside == m_inside.end()) {
            for (const int input : node.inputs)
                m_all.builder.addInput(m_ops[n], input == kNone ? TensorId() : tensor(input, *node.proto));
            return;
        }
        // What bodies read of the node's own inputs they read themselves.
        const int own = node.proto->op_type() == "If" ? 1 : node.proto->op_type() == "Loop" ? 2 : 0;
        for (int i = 0; i < own && i < node.proto->input_size(); ++i) {
            const int input = node.inputs[static_cast<std::size_t>(i)];
            m_all.builder.addInput(m_ops[n], input == kNone ? TensorId() : tensor(input, *node.proto));
        }
        for (const auto& one : inside->second) {
            for (const Slice& slice : one->m_slices)
                m_all.builder.addInput(
                    slice.op, slice.sequence.empty() ? TensorId() : tensor(m_index.find(slice.sequence), *node.proto));
            one->addInputs();
            for (const auto& output : one->m_graph.output()) {
                const int v = one->m_index.find(output.name());
                m_all.builder.addInput(m_ops[n], one->tensor(v, *node.proto));
            }
            if (node.proto->op_type() == "If" && node.proto->input_size() > 0)
                one->waitFor(producerOf(node.proto->input(0)));
        }
    }

    /// The tensor of a value, which is made here or around where there is none yet.
    TensorId tensor(int v, const onnx::NodeProto& reader) {
        TensorId& known = m_tensors[static_cast<std::size_t>(v)];
        if (known.valid())
            return known;
        const OnnxValue& value = m_index.value(v);
        if (value.isConstant)
            return addResident(v, TensorKind::Constant);
        const bool isMadeHere = value.producer != kNone;
        if (m_outer != nullptr && !isMadeHere) {
            const auto bound = m_bound.find(value.name);
            if (value.isInput && bound == m_bound.end())
                return addResident(v, TensorKind::Constant); // the number of the round
            const std::string_view name = value.isInput ? bound->second : value.name;
            if (const int outside = m_outer->m_index.find(name); outside != kNone)
                return known = m_outer->tensor(outside, reader);
        }
        const TensorId made = addResident(v, TensorKind::Input);
        if (!isMadeHere && !value.isInput)
            m_all.note(Severity::Warning, "dangling-input",
                       "Tensors that ops read but nothing in the file produces, taken as inputs",
                       fmt::format("\"{}\", read by {}", toUtf8(value.name), describe(reader)));
        return made;
    }

    /// The op that makes a value, here or around; invalid where none does.
    OpId producerOf(std::string_view name) {
        const int v = m_index.find(name);
        if (v != kNone && m_index.value(v).producer != kNone)
            return m_ops[static_cast<std::size_t>(m_index.value(v).producer)];
        if (v == kNone || m_outer == nullptr)
            return {};
        const auto bound = m_bound.find(name);
        return m_outer->producerOf(bound == m_bound.end() ? name : bound->second);
    }

    /// The ops that wait for none in here wait for that one.
    void waitFor(OpId condition) {
        if (!condition.valid())
            return;
        for (std::size_t n = 0; n < m_ops.size(); ++n) {
            const auto isMadeHere = [this](int input) {
                return input != kNone && m_index.value(input).producer != kNone && !m_index.value(input).isConstant;
            };
            if (m_ops[n].valid() && std::ranges::none_of(m_index.nodes()[n].inputs, isMadeHere))
                m_all.builder.addControl(condition, m_ops[n]);
        }
    }

    /// What of the file is not in the graph.
    void noteRest() {
        for (const OnnxValue& value : m_index.values()) {
            if (value.isInitializer() && value.readers.empty() && !value.isOutput)
                m_all.note(Severity::Info, "unused-weight", "Initializers that no node reads, left out",
                           m_prefix + toUtf8(value.name));
            if (value.initializer != nullptr && value.initializer->data_location() == onnx::TensorProto::EXTERNAL)
                m_all.note(Severity::Info, "external-data",
                           "Weights kept in other files, which are not needed and not read",
                           m_prefix + toUtf8(value.name));
            if (m_outer == nullptr && value.isOutput && value.producer == kNone && !value.isInput &&
                !value.isInitializer())
                m_all.note(Severity::Warning, "dangling-output", "Outputs of the graph that nothing produces",
                           toUtf8(value.name));
        }
    }

    Conversion& m_all;
    const onnx::GraphProto& m_graph;
    const OnnxIndex m_index;
    Converter* m_outer; ///< of the graph around this one; null for the model's
    const std::string m_prefix;
    std::unordered_map<std::string_view, const onnx::TypeProto*> m_types;
    std::unordered_map<std::string_view, std::string_view> m_bound; ///< by input of a body: what it is around it
    std::vector<TensorId> m_tensors;                                ///< by value; invalid while there is none
    std::vector<OpId> m_ops;                                        ///< by node; invalid for constant ones
    std::unordered_map<std::size_t, std::vector<std::unique_ptr<Converter>>> m_inside; ///< by node
    std::vector<Slice> m_slices;
};

} // namespace

Result<> convertOnnx(const onnx::ModelProto& model, const std::string& origin, GraphFile& file) {
    auto index = OnnxIndex::make(model.graph(), origin);
    if (!index)
        return fail(index.error());
    const std::string& name = model.graph().name();
    Conversion all{model, file, GraphBuilder(name.empty() ? stemOf(origin) : toUtf8(name))};
    Converter converter(all, model.graph(), std::move(*index), nullptr, {});
    converter.addOps();
    converter.addInputs();
    for (const auto& training : model.training_info())
        all.note(Severity::Info, "training-info", "Training graphs beside the model's own, not read",
                 toUtf8(training.algorithm().name()));
    weighRegions(all.builder, all.regions);
    auto graph = std::move(all.builder).build(file.diagnostics);
    if (!graph)
        return fail("{}: {}", origin, graph.error().message);
    file.graph = std::move(*graph);
    return {};
}

} // namespace opscape
