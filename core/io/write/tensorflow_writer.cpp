// SPDX-License-Identifier: MIT
// TensorFlow's names are letters, digits and "_./\->"; the first is a letter, a digit or '.'. Devices of clusters
// ("gpu:0") become device strings ("/device:GPU:0"); other devices stand as they are.
#include <opscape/base/text.h>
#include <opscape/graph/colocation.h>
#include <opscape/io/write/tensorflow_writer.h>
#include <opscape/io/write/unique_names.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace opscape {
namespace {

constexpr GraphParts kKept{GraphPart::Colocation, GraphPart::Device,      GraphPart::Attributes,
                           GraphPart::Residents,  GraphPart::Order,       GraphPart::Unread,
                           GraphPart::TensorType, GraphPart::TensorShape, GraphPart::Control};

std::string_view typeName(DType type) {
    switch (type) {
    case DType::F16:
        return "DT_HALF";
    case DType::BF16:
        return "DT_BFLOAT16";
    case DType::F32:
        return "DT_FLOAT";
    case DType::F64:
        return "DT_DOUBLE";
    case DType::F8:
        return "DT_FLOAT8_E4M3FN";
    case DType::I4:
        return "DT_INT4";
    case DType::I8:
        return "DT_INT8";
    case DType::I16:
        return "DT_INT16";
    case DType::I32:
        return "DT_INT32";
    case DType::I64:
        return "DT_INT64";
    case DType::U8:
        return "DT_UINT8";
    case DType::U16:
        return "DT_UINT16";
    case DType::U32:
        return "DT_UINT32";
    case DType::U64:
        return "DT_UINT64";
    case DType::Bool:
        return "DT_BOOL";
    case DType::C64:
        return "DT_COMPLEX64";
    case DType::C128:
        return "DT_COMPLEX128";
    case DType::String:
        return "DT_STRING";
    case DType::Unknown:
        break;
    }
    return "DT_INVALID";
}

std::string soundName(std::string_view name) {
    std::string sound(name);
    for (std::size_t i = 0; i < sound.size(); ++i) {
        const char c = sound[i];
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
        if (!isPlain && (i == 0 || std::string_view("_/\\->").find(c) == std::string_view::npos))
            sound[i] = i == 0 ? '.' : '_';
    }
    return sound;
}

/// "/device:GPU:0" of "gpu:0".
std::string deviceText(std::string_view device) {
    const std::size_t colon = device.find(':');
    const std::string_view type = device.substr(0, colon);
    const bool isPlain = colon != std::string_view::npos && (type == "gpu" || type == "cpu" || type == "tpu");
    if (!isPlain)
        return std::string(device);
    std::string text = "/device:";
    std::ranges::transform(type, std::back_inserter(text), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    return text.append(device.substr(colon));
}

class TensorflowWriter {
public:
    explicit TensorflowWriter(const GraphToWrite& what)
        : m_what(what),
          m_graph(what.graph),
          m_opNames(m_graph.opCount()),
          m_references(m_graph.tensorCount()),
          m_isRead(m_graph.tensorCount()),
          m_isKept(m_graph.tensorCount()) {}

    WrittenGraph write() {
        nameAll();
        for (std::size_t i = 0; i < m_graph.opCount(); ++i)
            markRead(OpId(i));
        for (std::size_t i = 0; i < m_graph.tensorCount(); ++i) {
            if (!m_graph.producer(TensorId(i)).valid())
                resident(TensorId(i));
        }
        for (std::size_t i = 0; i < m_graph.opCount(); ++i)
            node(OpId(i));
        out() += "versions {\n  producer: 1395\n}\n";
        countLosses(m_graph, kKept, m_written.lost);
        return std::move(m_written);
    }

private:
    std::string& out() { return m_written.bytes; }
    void lose(Severity severity, std::string_view code, std::string_view summary, std::string example) {
        m_written.lost.add(severity, code, summary, std::move(example));
    }

    void nameAll() {
        UniqueNames names("_");
        for (std::size_t i = 0; i < m_graph.opCount(); ++i) {
            const std::string& name = m_graph.op(OpId(i)).name;
            m_opNames[i] = names.add(soundName(name), "op");
            if (m_opNames[i] != name)
                lose(Severity::Warning, "name-changed",
                     "Ops whose names TensorFlow would refuse, written under another",
                     fmt::format("{} as {}", name, m_opNames[i]));
            const auto outputs = m_graph.outputs(OpId(i));
            for (std::size_t port = 0; port < outputs.size(); ++port)
                m_references[outputs[port].index()] =
                    port == 0 ? m_opNames[i] : fmt::format("{}:{}", m_opNames[i], port);
        }
        for (std::size_t i = 0; i < m_graph.tensorCount(); ++i) {
            const Tensor& tensor = m_graph.tensor(TensorId(i));
            if (m_graph.producer(TensorId(i)).valid())
                continue;
            m_references[i] = names.add(soundName(tensor.name), toString(tensor.kind));
            if (m_references[i] != tensor.name)
                lose(Severity::Info, "tensor-name-changed",
                     "Inputs and weights without a name, or with one that TensorFlow would refuse",
                     fmt::format("{} as {}", tensor.name, m_references[i]));
        }
    }

    /// What an op reads of constants alone is folded by readers; such constants are written as variables.
    void markRead(OpId id) {
        const auto inputs = m_graph.inputs(id);
        const bool isFolded = std::ranges::all_of(inputs, [&](TensorId tensor) {
            return !tensor.valid() || m_graph.tensor(tensor).kind == TensorKind::Constant;
        });
        for (const TensorId tensor : inputs) {
            if (!tensor.valid())
                continue;
            m_isRead[tensor.index()] = 1;
            if (isFolded)
                m_isKept[tensor.index()] = 1;
        }
    }

    void text(std::string_view value) {
        out() += '"';
        for (const char c : toUtf8(value)) {
            if (c == '"' || c == '\\')
                out() += '\\';
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
                fmt::format_to(std::back_inserter(out()), "\\{:03o}", static_cast<unsigned>(c));
            else
                out() += c;
        }
        out() += '"';
    }
    void field(std::string_view name, std::string_view value) {
        fmt::format_to(std::back_inserter(out()), "  {}: ", name);
        text(value);
        out() += '\n';
    }
    void beginAttribute(std::string_view key) {
        out() += "  attr {\n    key: ";
        text(key);
        out() += "\n    value { ";
    }
    void endAttribute() { out() += " }\n  }\n"; }
    void shape(const Tensor& tensor) {
        out() += "shape {";
        if (!tensor.shapeKnown)
            out() += " unknown_rank: true";
        for (const std::int64_t dim : tensor.shape)
            fmt::format_to(std::back_inserter(out()), " dim {{ size: {} }}", dim);
        out() += " }";
    }

    void begin(std::string_view name, std::string_view op) {
        out() += "node {\n";
        field("name", name);
        field("op", op);
    }

    void resident(TensorId id) {
        const Tensor& tensor = m_graph.tensor(id);
        const bool isConstant = tensor.kind == TensorKind::Constant && m_isKept[id.index()] == 0;
        begin(m_references[id.index()], tensor.kind == TensorKind::Input ? "Placeholder"
                                        : isConstant                     ? "Const"
                                                                         : "VariableV2");
        beginAttribute("dtype");
        fmt::format_to(std::back_inserter(out()), "type: {}", typeName(tensor.dtype));
        endAttribute();
        if (isConstant) {
            beginAttribute("value");
            fmt::format_to(std::back_inserter(out()), "tensor {{ dtype: {} tensor_", typeName(tensor.dtype));
            shape(tensor);
            out() += " }";
        } else {
            beginAttribute("shape");
            shape(tensor);
        }
        endAttribute();
        out() += "}\n";
        if (m_isRead[id.index()] == 0 && tensor.kind != TensorKind::Input)
            lose(Severity::Info, lossCode(GraphPart::Residents),
                 "Weights and constants that no op reads, which readers leave out", tensor.name);
        if (tensor.kind != TensorKind::Input && tensor.kind != TensorKind::Weight)
            lose(Severity::Info, "kind-not-written",
                 "Constants and optimizer state of which TensorFlow does not say what they are", tensor.name);
        if (isConstant)
            lose(Severity::Info, "values-not-written", "Constants of which a graph knows no values", tensor.name);
    }

    void node(OpId id) {
        const Op& op = m_graph.op(id);
        begin(m_opNames[id.index()], op.type.empty() ? "Unknown" : op.type);
        if (op.type.empty())
            lose(Severity::Info, "type-not-written", "Ops without a type, written as Unknown", op.name);
        for (const TensorId input : m_graph.inputs(id)) {
            if (input.valid())
                field("input", m_references[input.index()]);
        }
        for (const OpId before : m_graph.controlPredecessors(id))
            field("input", "^" + m_opNames[before.index()]);
        if (const std::string_view device = m_what.device(id); !device.empty())
            field("device", deviceText(device));
        outputs(id);
        if (!op.colocation.empty()) {
            beginAttribute("_class");
            out() += "list { s: ";
            text("loc:@" + m_opNames[colocationLeader(m_graph, id).index()]);
            out() += " }";
            endAttribute();
        }
        for (const Attribute& attribute : op.attributes) {
            if (attribute.name == "_output_shapes" ||
                attribute.name == "_class") { // written above, as the graph has it
                lose(Severity::Info, lossCode(GraphPart::Attributes), "Attributes that have the name of something else",
                     fmt::format("{} of {}", attribute.name, op.name));
                continue;
            }
            beginAttribute(attribute.name);
            std::visit([&](const auto& value) { this->value(value, op, attribute.name); }, attribute.value);
            endAttribute();
        }
        out() += "}\n";
    }

    /// Types and shapes of what it makes.
    void outputs(OpId id) {
        const auto tensors = m_graph.outputs(id);
        if (tensors.empty())
            return;
        beginAttribute("_output_shapes");
        out() += "list {";
        for (const TensorId tensor : tensors) {
            out() += ' ';
            shape(m_graph.tensor(tensor));
        }
        out() += " }";
        endAttribute();
        const Op& op = m_graph.op(id);
        bool isSaid = true;
        for (std::size_t port = 0; port < tensors.size(); ++port)
            isSaid = isSaid && typeAsRead(op, port) == m_graph.tensor(tensors[port]).dtype;
        if (isSaid)
            return;
        if (typesOf(op, "Tout") || isTruth(op.type)) {
            lose(Severity::Info, lossCode(GraphPart::TensorType),
                 "Ops whose type, or an attribute, says another element type to TensorFlow", op.name);
            return;
        }
        beginAttribute("Tout");
        out() += "list {";
        for (const TensorId tensor : tensors)
            fmt::format_to(std::back_inserter(out()), " type: {}", typeName(m_graph.tensor(tensor).dtype));
        out() += " }";
        endAttribute();
    }

    static bool isTruth(std::string_view type) {
        constexpr std::string_view kTruths[] = {"Equal",      "Greater",    "GreaterEqual", "Less",    "LessEqual",
                                                "LogicalAnd", "LogicalNot", "LogicalOr",    "NotEqual"};
        return std::ranges::count(kTruths, type) != 0;
    }

    /// "f32" or "f32, i64" as types; none where the text is anything else.
    static std::optional<std::vector<DType>> parseTypes(std::string_view text) {
        std::vector<DType> types;
        for (;;) {
            const std::size_t comma = text.find(", ");
            const std::string_view name = text.substr(0, comma);
            const bool isInvalid = name == typeName(DType::Unknown);
            const auto type = isInvalid ? DType::Unknown : parseDType(name);
            if (!type || (*type == DType::Unknown && !isInvalid))
                return std::nullopt;
            types.push_back(*type);
            if (comma == std::string_view::npos)
                return types;
            text.remove_prefix(comma + 2);
        }
    }
    static std::optional<std::vector<DType>> typesOf(const Op& op, std::string_view attribute) {
        const auto it = std::ranges::find(op.attributes, attribute, &Attribute::name);
        const auto* text = it != op.attributes.end() ? std::get_if<std::string>(&it->value) : nullptr;
        return text != nullptr ? parseTypes(*text) : std::nullopt;
    }

    /// What its attributes say of an output, as readers without definitions of all ops take it.
    static DType typeAsRead(const Op& op, std::size_t port) {
        constexpr std::string_view kLists[] = {"Tout", "output_types", "component_types", "dtypes", "Toutput_types"};
        constexpr std::string_view kSingle[] = {"DstT", "out_type", "output_type", "dtype", "Tout", "T", "type"};
        if (isTruth(op.type))
            return DType::Bool;
        for (const std::string_view name : kLists) {
            if (const auto types = typesOf(op, name); types && types->size() > 1 && port < types->size())
                return (*types)[port];
        }
        for (const std::string_view name : kSingle) {
            if (const auto types = typesOf(op, name); types && types->size() == 1)
                return types->front();
        }
        return DType::Unknown;
    }

    void value(std::int64_t value, const Op&, const std::string&) {
        fmt::format_to(std::back_inserter(out()), "i: {}", value);
    }
    void value(double value, const Op& op, const std::string& name) {
        out() += "f: ";
        real(value, op, name);
    }
    /// Names of types were types before.
    void value(const std::string& value, const Op&, const std::string&) {
        if (const auto types = parseTypes(value)) {
            const bool isList = types->size() > 1;
            out() += isList ? "list {" : "";
            for (const DType type : *types)
                fmt::format_to(std::back_inserter(out()), "{}type: {}", isList ? " " : "", typeName(type));
            out() += isList ? " }" : "";
            return;
        }
        out() += "s: ";
        text(value);
    }
    void value(const std::vector<std::int64_t>& values, const Op& op, const std::string& name) {
        noteEmpty(values.empty(), op, name);
        out() += "list {";
        for (const std::int64_t value : values)
            fmt::format_to(std::back_inserter(out()), " i: {}", value);
        out() += " }";
    }
    void value(const std::vector<double>& values, const Op& op, const std::string& name) {
        noteEmpty(values.empty(), op, name);
        out() += "list {";
        for (const double value : values) {
            out() += " f: ";
            real(value, op, name);
        }
        out() += " }";
    }
    void noteEmpty(bool isEmpty, const Op& op, const std::string& name) {
        if (isEmpty)
            lose(Severity::Info, "attribute-as-text", "Empty lists, of which it is not written what they are lists of",
                 fmt::format("{} of {}", name, op.name));
    }
    void real(double value, const Op& op, const std::string& name) {
        fmt::format_to(std::back_inserter(out()), "{}", value);
        const bool fits =
            !std::isfinite(value) || (std::abs(value) <= 3.4028234e38 &&
                                      fmt::format("{}", static_cast<float>(value)) == fmt::format("{}", value));
        if (!fits)
            lose(Severity::Info, "attribute-rounded", "Attributes that are read in single precision",
                 fmt::format("{} of {}", name, op.name));
    }

    const GraphToWrite& m_what;
    const Graph& m_graph;
    std::vector<std::string> m_opNames;    ///< per op
    std::vector<std::string> m_references; ///< per tensor, as inputs name it
    std::vector<std::uint8_t> m_isRead;    ///< per tensor
    std::vector<std::uint8_t> m_isKept;    ///< per tensor: a constant that is written as variable
    WrittenGraph m_written;
};

} // namespace

Result<WrittenGraph> writeTensorflowText(const GraphToWrite& what) { return TensorflowWriter(what).write(); }

} // namespace opscape
