// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/cost/op_cost.h>
#include <opscape/io/tensorflow/tensorflow_values.h>
#include <opscape/io/text.h>
#include <opscape/io/wire.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

namespace tf = tensorflow;

constexpr std::string_view kOutputShapes = "_output_shapes", kClass = "_class";

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// Leads from a placeholder of a function's body to the value that the call gives it.
std::optional<tf::AttrValue> valueOf(const TfAttributes& attributes, std::string_view name,
                                     const TfAttributes* arguments) {
    const auto value = findAttribute(attributes, name);
    if (value && value->value_case() == tf::AttrValue::kPlaceholder)
        return arguments != nullptr ? findAttribute(*arguments, value->placeholder()) : std::nullopt;
    return value;
}

void setShape(Tensor& tensor, const tf::TensorShapeProto& shape) {
    tensor.shapeKnown = !shape.unknown_rank();
    tensor.shape.clear();
    for (const auto& dim : shape.dim())
        tensor.shape.push_back(std::max(dim.size(), kUnknownDim));
}

/// The attribute that gives the type of an output where no definition of the op says which; those that name the
/// output stand before those that name an input.
DType guessedType(const tf::NodeDef& node, std::size_t port, const TfAttributes* arguments) {
    constexpr std::array<std::string_view, 9> kTruths{
        "Equal", "Greater", "GreaterEqual", "Less", "LessEqual", "LogicalAnd", "LogicalNot", "LogicalOr", "NotEqual"};
    constexpr std::array<std::string_view, 5> kLists{"Tout", "output_types", "component_types", "dtypes",
                                                     "Toutput_types"};
    constexpr std::array<std::string_view, 7> kSingle{"DstT", "out_type", "output_type", "dtype", "Tout", "T", "type"};
    if (isOneOf(kTruths, node.op()))
        return DType::Bool;
    for (const std::string_view name : kLists) {
        const auto value = valueOf(node.attr(), name, arguments);
        if (value && static_cast<int>(port) < value->list().type_size())
            return dtypeOf(static_cast<tf::DataType>(value->list().type(static_cast<int>(port))));
    }
    for (const std::string_view name : kSingle) {
        const auto value = valueOf(node.attr(), name, arguments);
        if (value && value->value_case() == tf::AttrValue::kType)
            return dtypeOf(value->type());
    }
    constexpr std::array<std::string_view, 3> kCounts{"Rank", "Shape", "Size"};
    return isOneOf(kCounts, node.op()) ? DType::I32 : DType::Unknown;
}

/// The type of the output that the definition tells; none where an output stands for several, or nothing tells.
std::optional<DType> definedType(const tf::NodeDef& node, std::size_t port, const TfAttributes* arguments,
                                 const tf::OpDef& definition) {
    const auto isList = [](const auto& arg) { return !arg.number_attr().empty() || !arg.type_list_attr().empty(); };
    const auto& outputs = definition.output_arg();
    if (port >= static_cast<std::size_t>(outputs.size()) || std::ranges::any_of(outputs, isList))
        return std::nullopt;
    const auto& output = outputs[static_cast<int>(port)];
    if (output.type() != tf::DT_INVALID)
        return dtypeOf(output.type());
    const auto value = valueOf(node.attr(), output.type_attr(), arguments);
    return value ? std::optional(dtypeOf(value->type())) : std::nullopt;
}

std::string nameOf(tf::DataType type) {
    const DType known = dtypeOf(type);
    return known != DType::Unknown ? std::string(toString(known)) : toUtf8(tf::DataType_Name(type));
}

std::optional<AttributeValue> listOf(const tf::AttrValue::ListValue& list) {
    if (!list.i().empty())
        return std::vector<std::int64_t>(list.i().begin(), list.i().end());
    if (!list.b().empty())
        return std::vector<std::int64_t>(list.b().begin(), list.b().end());
    if (!list.f().empty()) {
        std::vector<double> values;
        std::ranges::transform(list.f(), std::back_inserter(values), widened);
        return values;
    }
    std::vector<std::string> texts;
    for (const std::string& text : list.s())
        texts.push_back(toUtf8(text));
    for (const int type : list.type())
        texts.push_back(nameOf(static_cast<tf::DataType>(type)));
    for (const auto& function : list.func())
        texts.push_back(toUtf8(function.name()));
    if (!list.shape().empty() || !list.tensor().empty())
        return std::nullopt;
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::optional<AttributeValue> attributeOf(const tf::AttrValue& value) {
    switch (value.value_case()) {
    case tf::AttrValue::kS:
        if (isUtf8(value.s()))
            return value.s();
        return std::nullopt;
    case tf::AttrValue::kI:
        return value.i();
    case tf::AttrValue::kF:
        return widened(value.f());
    case tf::AttrValue::kB:
        return std::int64_t{value.b()};
    case tf::AttrValue::kType:
        return nameOf(value.type());
    case tf::AttrValue::kShape: {
        Tensor tensor;
        setShape(tensor, value.shape());
        return tensor.shapeKnown ? toString(tensor.shape) : std::string("?");
    }
    case tf::AttrValue::kList:
        return listOf(value.list());
    case tf::AttrValue::kPlaceholder:
        return "$" + toUtf8(value.placeholder());
    case tf::AttrValue::kFunc:
        return toUtf8(value.func().name());
    default:
        return std::nullopt;
    }
}

} // namespace

tf::AttrEntry parseAttribute(const std::string& attribute) {
    tf::AttrEntry entry;
    entry.ParseFromString(attribute); // it can be read: checkAttributes()
    return entry;
}

std::string_view keyOf(const std::string& attribute) {
    constexpr std::uint64_t kKey = 1;
    std::string_view key;
    WireReader reader(attribute);
    for (WireField field; reader.next(field);) {
        if (field.number == kKey && field.type == WireField::Length)
            key = field.bytes;
    }
    return key;
}

bool checkAttributes(const tf::NodeDef& node) {
    tf::AttrEntry entry;
    return std::ranges::all_of(node.attr(),
                               [&entry](const std::string& attribute) { return entry.ParseFromString(attribute); });
}

std::optional<tf::AttrValue> findAttribute(const TfAttributes& attributes, std::string_view name) {
    const auto found =
        std::ranges::find_if(attributes, [name](const std::string& attribute) { return keyOf(attribute) == name; });
    if (found == attributes.end())
        return std::nullopt;
    tf::AttrEntry entry = parseAttribute(*found);
    return std::move(*entry.mutable_value());
}

TfRole roleOf(const tf::NodeDef& node) {
    constexpr std::array<std::string_view, 2> kConstants{"Const", "HostConst"};
    constexpr std::array<std::string_view, 4> kVariables{"VarHandleOp", "Variable", "VariableV2", "_VarHandlesOp"};
    constexpr std::array<std::string_view, 4> kInputs{"Placeholder", "PlaceholderV2", "_Arg", "_DeviceArg"};
    return isOneOf(kConstants, node.op())   ? TfRole::Constant
           : isOneOf(kVariables, node.op()) ? TfRole::Variable
           : isOneOf(kInputs, node.op())    ? TfRole::Input
                                            : TfRole::Op;
}

bool isPure(const tf::NodeDef& node) {
    constexpr std::array<std::string_view, 2> kNotPure{"Bernoulli", "Dropout"};
    constexpr std::array<std::string_view, 7> kActing{"Assert",        "Enter", "Exit",  "Merge",
                                                      "NextIteration", "NoOp",  "Switch"};
    const std::string& type = node.op();
    return hasOpRule(type) && !isOneOf(kNotPure, type) && !isOneOf(kActing, type) &&
           type.find("Random") == std::string::npos && type.find("Normal") == std::string::npos &&
           type.find("Assign") == std::string::npos && !type.starts_with("Ref") && type.front() != '_';
}

std::size_t optimizerStates(std::string_view type) {
    if (type.starts_with("Resource"))
        type.remove_prefix(8);
    if (type.starts_with("Sparse"))
        type.remove_prefix(6);
    if (!type.starts_with("Apply"))
        return 0;
    type.remove_prefix(5);
    constexpr std::array<std::string_view, 6> kTwo{"Adadelta", "Adam", "AdamWithAmsgrad", "Ftrl", "FtrlV2", "RMSProp"};
    constexpr std::array<std::string_view, 6> kOne{"AdaMax",   "Adagrad",       "AdagradV2",
                                                   "Momentum", "KerasMomentum", "ProximalAdagrad"};
    return isOneOf(kTwo, type) || type == "CenteredRMSProp" ? 2 : isOneOf(kOne, type) ? 1 : 0;
}

Phase phaseOf(std::string_view name, std::string_view type) {
    constexpr std::array<std::string_view, 4> kUpdates{"Apply", "ResourceApply", "ResourceSparseApply", "SparseApply"};
    if (std::ranges::any_of(kUpdates, [type](std::string_view start) { return type.starts_with(start); }))
        return Phase::Update;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        const std::string_view scope = name.substr(begin, end - begin);
        if (end < name.size() && (scope == "gradients" || scope.starts_with("gradients_") || scope == "gradient_tape"))
            return Phase::Backward;
        begin = end + 1;
    }
    return Phase::Forward;
}

DType dtypeOf(tf::DataType type) {
    constexpr int kReference = 100;
    switch (type > kReference ? type - kReference : static_cast<int>(type)) {
    case tf::DT_FLOAT:
        return DType::F32;
    case tf::DT_DOUBLE:
        return DType::F64;
    case tf::DT_HALF:
        return DType::F16;
    case tf::DT_BFLOAT16:
        return DType::BF16;
    case tf::DT_FLOAT8_E5M2:
    case tf::DT_FLOAT8_E4M3FN:
    case tf::DT_FLOAT8_E4M3FNUZ:
    case tf::DT_FLOAT8_E4M3B11FNUZ:
    case tf::DT_FLOAT8_E5M2FNUZ:
        return DType::F8;
    case tf::DT_INT4:
    case tf::DT_UINT4:
        return DType::I4;
    case tf::DT_INT8:
    case tf::DT_QINT8:
        return DType::I8;
    case tf::DT_INT16:
    case tf::DT_QINT16:
        return DType::I16;
    case tf::DT_INT32:
    case tf::DT_QINT32:
        return DType::I32;
    case tf::DT_INT64:
        return DType::I64;
    case tf::DT_UINT8:
    case tf::DT_QUINT8:
        return DType::U8;
    case tf::DT_UINT16:
    case tf::DT_QUINT16:
        return DType::U16;
    case tf::DT_UINT32:
        return DType::U32;
    case tf::DT_UINT64:
        return DType::U64;
    case tf::DT_BOOL:
        return DType::Bool;
    case tf::DT_COMPLEX64:
        return DType::C64;
    case tf::DT_COMPLEX128:
        return DType::C128;
    case tf::DT_STRING:
        return DType::String;
    default:
        return DType::Unknown;
    }
}

Tensor outputOf(const tf::NodeDef& node, std::size_t port, const TfAttributes* arguments, const tf::OpDef* definition) {
    Tensor tensor;
    if (const auto value = roleOf(node) == TfRole::Constant ? findAttribute(node.attr(), "value") : std::nullopt) {
        tensor.dtype = dtypeOf(value->tensor().dtype());
        setShape(tensor, value->tensor().tensor_shape());
        return tensor;
    }
    const auto defined = definition != nullptr ? definedType(node, port, arguments, *definition) : std::nullopt;
    tensor.dtype = defined ? *defined : guessedType(node, port, arguments);
    const auto shapes = findAttribute(node.attr(), kOutputShapes);
    const auto shape = valueOf(node.attr(), "shape", arguments);
    if (shapes && static_cast<int>(port) < shapes->list().shape_size())
        setShape(tensor, shapes->list().shape(static_cast<int>(port)));
    else if (roleOf(node) != TfRole::Op && shape && shape->value_case() == tf::AttrValue::kShape)
        setShape(tensor, shape->shape());
    if (node.op() == "VarHandleOp") { // the handle stands for what it leads to
        const auto dtype = valueOf(node.attr(), "dtype", arguments);
        tensor.dtype = dtype ? dtypeOf(dtype->type()) : DType::Unknown;
        if (shape)
            setShape(tensor, shape->shape());
    }
    return tensor;
}

std::size_t shapedOutputs(const tf::NodeDef& node) {
    const auto shapes = findAttribute(node.attr(), kOutputShapes);
    return shapes ? static_cast<std::size_t>(shapes->list().shape_size()) : 0;
}

std::vector<Attribute> attributesOf(const tf::NodeDef& node, Diagnostics& diagnostics) {
    std::vector<Attribute> attributes;
    for (const std::string& attribute : node.attr()) {
        if (const std::string_view key = keyOf(attribute); key == kOutputShapes || key == kClass)
            continue;
        const tf::AttrEntry entry = parseAttribute(attribute);
        if (auto value = attributeOf(entry.value()))
            attributes.push_back({toUtf8(entry.key()), std::move(*value)});
        else
            diagnostics.add(Severity::Info, "attribute-not-kept",
                            "Attributes that are tensors, lists of shapes or bytes, not kept",
                            fmt::format("{} of {}", toUtf8(entry.key()), toUtf8(node.name())));
    }
    return attributes;
}

} // namespace opscape
