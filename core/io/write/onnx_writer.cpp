// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/io/onnx_annotations.h>
#include <opscape/io/write/onnx_writer.h>
#include <opscape/io/write/unique_names.h>

#include <onnx/defs/schema.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace opscape {
namespace {

constexpr int kOpset = 17, kIrVersion = 8;
constexpr std::string_view kPlacement = "placement"; ///< the name of the configuration

constexpr GraphParts kKept{GraphPart::Phase,      GraphPart::Colocation, GraphPart::Device,      GraphPart::Flops,
                           GraphPart::BytesMoved, GraphPart::Workspace,  GraphPart::Time,        GraphPart::Attributes,
                           GraphPart::Residents,  GraphPart::Order,      GraphPart::Omitted,     GraphPart::Unread,
                           GraphPart::TensorName, GraphPart::TensorType, GraphPart::TensorShape, GraphPart::Control};

/// ONNX's number of a type.
int elementType(DType type) {
    using T = onnx::TensorProto;
    switch (type) {
    case DType::F16:
        return T::FLOAT16;
    case DType::BF16:
        return T::BFLOAT16;
    case DType::F32:
        return T::FLOAT;
    case DType::F64:
        return T::DOUBLE;
    case DType::F8:
        return 17; // FLOAT8E4M3FN, newer than libonnx
    case DType::I4:
        return 22; // INT4, the same
    case DType::I8:
        return T::INT8;
    case DType::I16:
        return T::INT16;
    case DType::I32:
        return T::INT32;
    case DType::I64:
        return T::INT64;
    case DType::U8:
        return T::UINT8;
    case DType::U16:
        return T::UINT16;
    case DType::U32:
        return T::UINT32;
    case DType::U64:
        return T::UINT64;
    case DType::Bool:
        return T::BOOL;
    case DType::C64:
        return T::COMPLEX64;
    case DType::C128:
        return T::COMPLEX128;
    case DType::String:
        return T::STRING;
    case DType::Unknown:
        break;
    }
    return T::UNDEFINED;
}

class OnnxWriter {
public:
    explicit OnnxWriter(const GraphToWrite& what) : m_what(what), m_graph(what.graph), m_names(m_graph.tensorCount()) {}

    Result<WrittenGraph> write() {
        m_model.set_producer_name("opscape");
        m_model.set_ir_version(kIrVersion);
        m_model.add_opset_import()->set_version(kOpset);
        m_model.mutable_graph()->set_name(toUtf8(m_graph.name()));
        nameTensors();
        for (std::size_t i = 0; i < m_graph.tensorCount(); ++i)
            tensor(TensorId(i));
        for (const OpId id : m_graph.topologicalOrder())
            node(id);
        for (const std::string& domain : m_domains) {
            auto& opset = *m_model.add_opset_import();
            opset.set_domain(domain);
            opset.set_version(1);
        }
        if (!m_devices.devices.empty()) {
            addDeviceConfiguration(m_model, m_devices);
            m_model.set_ir_version(kIrVersionOfDevices);
        }
        countLosses(m_graph, kKept, m_written.lost);
        if (!m_model.SerializeToString(&m_written.bytes))
            return fail("the graph is larger than the 2 GiB that an ONNX model can have; write it in another format.");
        return std::move(m_written);
    }

private:
    onnx::GraphProto& out() { return *m_model.mutable_graph(); }
    void lose(Severity severity, std::string_view code, std::string_view summary, std::string_view example) {
        m_written.lost.add(severity, code, summary, std::string(example));
    }

    void nameTensors() {
        UniqueNames names;
        for (std::size_t i = 0; i < m_graph.tensorCount(); ++i) {
            const TensorId id(i);
            const std::string name = toUtf8(m_graph.tensor(id).name);
            const OpId producer = m_graph.producer(id);
            m_names[i] = names.add(name, producer.valid() ? m_graph.op(producer).name + ":out" : "in");
            if (m_names[i] != name)
                lose(Severity::Info, "tensor-name-changed",
                     "Tensors that got a name, or another one because it was taken", m_names[i]);
        }
    }

    static void describe(onnx::ValueInfoProto& info, const std::string& name, const Tensor& tensor) {
        info.set_name(name);
        auto& type = *info.mutable_type()->mutable_tensor_type();
        type.set_elem_type(elementType(tensor.dtype));
        if (!tensor.shapeKnown)
            return;
        auto& shape = *type.mutable_shape();
        for (const std::int64_t dim : tensor.shape) {
            auto& made = *shape.add_dim();
            if (dim != kUnknownDim)
                made.set_dim_value(dim);
        }
    }

    void tensor(TensorId id) {
        const Tensor& tensor = m_graph.tensor(id);
        const std::string& name = m_names[id.index()];
        if (m_graph.producer(id).valid()) {
            describe(m_graph.consumers(id).empty() ? *out().add_output() : *out().add_value_info(), name, tensor);
            return;
        }
        const bool hasDims = tensor.shapeKnown && std::ranges::count(tensor.shape, kUnknownDim) == 0;
        if (tensor.kind == TensorKind::Input || !hasDims || tensor.dtype == DType::Unknown) {
            describe(*out().add_input(), name, tensor);
            if (tensor.kind != TensorKind::Input)
                loseKind(tensor);
            return;
        }
        auto& made = *out().add_initializer();
        made.set_name(name);
        made.set_data_type(elementType(tensor.dtype));
        made.mutable_dims()->Add(tensor.shape.begin(), tensor.shape.end());
        made.set_data_location(onnx::TensorProto::EXTERNAL);
        auto& location = *made.add_external_data();
        location.set_key("location");
        location.set_value("values-are-not-in-the-graph");
        lose(Severity::Info, "values-not-written", "Weights and constants of which a graph knows no values", name);
        if (tensor.kind != kindAsRead(tensor))
            loseKind(tensor);
    }

    void loseKind(const Tensor& tensor) {
        lose(Severity::Info, "kind-not-written",
             "Weights, constants and optimizer state of which ONNX cannot say what they are", tensor.name);
    }

    /// A tensor of real numbers is a weight to readers, any other a constant.
    static TensorKind kindAsRead(const Tensor& tensor) {
        constexpr DType kReal[] = {DType::F16, DType::BF16, DType::F32, DType::F64, DType::F8};
        const bool isReal = std::ranges::count(kReal, tensor.dtype) != 0;
        return isReal && !tensor.shape.empty() ? TensorKind::Weight : TensorKind::Constant;
    }

    void node(OpId id) {
        const Op& op = m_graph.op(id);
        auto& made = *out().add_node();
        made.set_name(toUtf8(op.name));
        made.set_op_type(toUtf8(op.type));
        for (const TensorId input : m_graph.inputs(id))
            made.add_input(input.valid() ? m_names[input.index()] : std::string());
        for (const TensorId output : m_graph.outputs(id))
            made.add_output(m_names[output.index()]);
        for (const Attribute& attribute : op.attributes) {
            const auto* text = std::get_if<std::string>(&attribute.value);
            if (attribute.name == "domain" && text != nullptr)
                made.set_domain(toUtf8(*text));
            else
                addAttribute(made, attribute);
        }
        if (made.domain().empty() && !isStandard(id))
            made.set_domain(std::string(kOwnOnnxDomain));
        if (!made.domain().empty())
            m_domains.insert(made.domain());
        metadata(made, id);
        for (const OpId before : m_graph.controlPredecessors(id))
            lose(Severity::Warning, "control-dropped", "Control edges, which ONNX does not have",
                 m_graph.op(before).name + " -> " + op.name);
    }

    /// Readers fold what depends on constants alone, and the standard's types have its numbers of inputs and outputs.
    [[nodiscard]] bool isStandard(OpId id) const {
        const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(m_graph.op(id).type, kOpset, "");
        const auto inputs = static_cast<int>(m_graph.inputs(id).size());
        const auto outputs = static_cast<int>(m_graph.outputs(id).size());
        const auto isConstant = [&](TensorId tensor) {
            return !tensor.valid() ||
                   (!m_graph.producer(tensor).valid() && m_graph.tensor(tensor).kind != TensorKind::Input);
        };
        const bool isComputed =
            inputs == 0 ? m_graph.op(id).type != "Constant" : !std::ranges::all_of(m_graph.inputs(id), isConstant);
        return schema != nullptr && isComputed && inputs >= schema->min_input() && inputs <= schema->max_input() &&
               outputs >= schema->min_output() && outputs <= schema->max_output();
    }

    void addAttribute(onnx::NodeProto& node, const Attribute& attribute) {
        using A = onnx::AttributeProto;
        A& made = *node.add_attribute();
        made.set_name(toUtf8(attribute.name));
        const auto narrowed = [&](double value) {
            const bool isTooLarge = std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max();
            const float narrow = isTooLarge ? std::copysign(HUGE_VALF, static_cast<float>(value > 0 ? 1 : -1))
                                            : static_cast<float>(value);
            if (fmt::format("{}", narrow) != fmt::format("{}", value))
                lose(Severity::Info, "attribute-rounded", "Attributes that are rounded to single precision",
                     attribute.name + " of " + node.name());
            return narrow;
        };
        struct Set {
            A& made;
            const decltype(narrowed)& narrow;
            void operator()(std::int64_t value) const {
                made.set_type(A::INT);
                made.set_i(value);
            }
            void operator()(double value) const {
                made.set_type(A::FLOAT);
                made.set_f(narrow(value));
            }
            void operator()(const std::string& value) const {
                made.set_type(A::STRING);
                made.set_s(toUtf8(value));
            }
            void operator()(const std::vector<std::int64_t>& values) const {
                made.set_type(A::INTS);
                made.mutable_ints()->Add(values.begin(), values.end());
            }
            void operator()(const std::vector<double>& values) const {
                made.set_type(A::FLOATS);
                for (const double value : values)
                    made.add_floats(narrow(value));
            }
        };
        std::visit(Set{made, narrowed}, attribute.value);
    }

    void metadata(onnx::NodeProto& node, OpId id) {
        const Op& op = m_graph.op(id);
        const auto add = [&](std::string_view key, std::string_view value) {
            addMetadata(node, fmt::format("{}{}", kOnnxMetadata, key), value);
            m_model.set_ir_version(std::max<std::int64_t>(m_model.ir_version(), kIrVersionOfMetadata));
        };
        if (const std::string_view device = m_what.device(id); !device.empty()) {
            setDevice(node, kPlacement, deviceIndex(device));
            add("device", device);
        }
        if (op.phase != Phase::Forward)
            add("phase", toString(op.phase));
        if (!op.colocation.empty())
            add("colocation", op.colocation);
        if (op.flops >= 0)
            add("flops", std::to_string(op.flops));
        if (op.bytesMoved >= 0)
            add("bytes_moved", std::to_string(op.bytesMoved));
        if (op.workspaceBytes != 0)
            add("workspace_bytes", std::to_string(op.workspaceBytes));
        for (const auto& [kind, ns] : op.timeNs)
            add("time_ns." + kind, std::to_string(ns));
    }

    /// In the order of first use.
    std::size_t deviceIndex(std::string_view device) {
        m_devices.name = kPlacement;
        const auto [it, isNew] = m_deviceIndex.try_emplace(std::string(device), m_devices.devices.size());
        if (isNew)
            m_devices.devices.push_back(toUtf8(device));
        return it->second;
    }

    const GraphToWrite& m_what;
    const Graph& m_graph;
    std::vector<std::string> m_names; ///< per tensor
    onnx::ModelProto m_model;
    OnnxDeviceConfiguration m_devices;
    std::map<std::string, std::size_t> m_deviceIndex;
    std::set<std::string> m_domains; ///< beside that of the standard
    WrittenGraph m_written;
};

} // namespace

Result<WrittenGraph> writeOnnx(const GraphToWrite& what) { return OnnxWriter(what).write(); }

} // namespace opscape
