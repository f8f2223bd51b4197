// SPDX-License-Identifier: MIT
#include <opscape/io/onnx_annotations.h>
#include <opscape/io/onnx_index.h>
#include <opscape/io/onnx_model.h>
#include <opscape/io/text.h>

#include <algorithm>

namespace opscape {
namespace {

/// By number: files newer than libonnx use numbers that its enum does not name.
DType dtypeOf(int elementType) {
    constexpr DType kTypes[] = {DType::Unknown, DType::F32, DType::U8,     DType::I8,      DType::U16,  DType::I16,
                                DType::I32,     DType::I64, DType::String, DType::Bool,    DType::F16,  DType::F64,
                                DType::U32,     DType::U64, DType::C64,    DType::C128,    DType::BF16, DType::F8,
                                DType::F8,      DType::F8,  DType::F8,     DType::Unknown, DType::I4};
    const auto index = static_cast<std::size_t>(elementType);
    return index < std::size(kTypes) ? kTypes[index] : DType::Unknown;
}

template <class Dims>
Shape shapeOf(const Dims& dims) {
    Shape shape;
    for (const std::int64_t dim : dims)
        shape.push_back(std::max(dim, kUnknownDim));
    return shape;
}

template <class TensorType>
void setType(Tensor& tensor, const TensorType& type) {
    tensor.dtype = dtypeOf(type.elem_type());
    tensor.shapeKnown = type.has_shape();
    for (const auto& dim : type.shape().dim())
        tensor.shape.push_back(dim.has_dim_value() ? std::max(dim.dim_value(), kUnknownDim) : kUnknownDim);
}

onnx::AttributeProto::AttributeType typeOf(const onnx::AttributeProto& attribute) {
    using A = onnx::AttributeProto;
    if (attribute.type() != A::UNDEFINED)
        return attribute.type();
    // Files of the first version do not say it.
    return attribute.has_f()             ? A::FLOAT
           : attribute.has_i()           ? A::INT
           : attribute.has_s()           ? A::STRING
           : attribute.floats_size() > 0 ? A::FLOATS
           : attribute.ints_size() > 0   ? A::INTS
           : attribute.has_g()           ? A::GRAPH
                                         : A::UNDEFINED;
}

std::optional<AttributeValue> valueOf(const onnx::AttributeProto& attribute) {
    using A = onnx::AttributeProto;
    switch (typeOf(attribute)) {
    case A::FLOAT:
        return widened(attribute.f());
    case A::INT:
        return attribute.i();
    case A::STRING:
        if (isUtf8(attribute.s()))
            return attribute.s();
        return std::nullopt;
    case A::FLOATS: {
        std::vector<double> values;
        std::ranges::transform(attribute.floats(), std::back_inserter(values), widened);
        return values;
    }
    case A::INTS:
        return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
    case A::STRINGS: {
        const std::string joined = fmt::format("{}", fmt::join(attribute.strings(), ", "));
        if (isUtf8(joined))
            return joined;
        return std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

} // namespace

Tensor tensorOf(const onnx::TypeProto& type) {
    Tensor tensor;
    if (type.has_tensor_type())
        setType(tensor, type.tensor_type());
    else if (type.has_sparse_tensor_type())
        setType(tensor, type.sparse_tensor_type());
    return tensor;
}

Tensor tensorOf(const onnx::TensorProto& value) {
    Tensor tensor;
    tensor.dtype = dtypeOf(value.data_type());
    tensor.shapeKnown = true;
    tensor.shape = shapeOf(value.dims());
    if (tensor.dtype == DType::String) {
        tensor.bytes = 0;
        for (const std::string& text : value.string_data())
            tensor.bytes += static_cast<std::int64_t>(text.size());
    }
    return tensor;
}

Tensor tensorOf(const onnx::SparseTensorProto& value) {
    Tensor tensor = tensorOf(value.values());
    const Tensor indices = tensorOf(value.indices());
    tensor.bytes =
        byteSize(tensor.dtype, tensor.shape).value_or(0) + byteSize(indices.dtype, indices.shape).value_or(0);
    tensor.shape = shapeOf(value.dims());
    return tensor;
}

Tensor tensorOfConstant(const onnx::NodeProto& node) {
    const auto made = [](DType dtype, Shape shape) {
        Tensor tensor;
        tensor.dtype = dtype;
        tensor.shapeKnown = true;
        tensor.shape = std::move(shape);
        return tensor;
    };
    if (node.op_type() != "Constant")
        return {};
    for (const auto& attribute : node.attribute()) {
        if (attribute.name() == "value")
            return tensorOf(attribute.t());
        if (attribute.name() == "sparse_value")
            return tensorOf(attribute.sparse_tensor());
        if (attribute.name() == "value_float")
            return made(DType::F32, {});
        if (attribute.name() == "value_floats")
            return made(DType::F32, {attribute.floats_size()});
        if (attribute.name() == "value_int")
            return made(DType::I64, {});
        if (attribute.name() == "value_ints")
            return made(DType::I64, {attribute.ints_size()});
    }
    return {};
}

std::vector<Attribute> attributesOf(const onnx::NodeProto& node, bool isOpened, Diagnostics& diagnostics) {
    std::vector<Attribute> attributes;
    for (const auto& attribute : node.attribute()) {
        if (auto value = valueOf(attribute))
            attributes.push_back({toUtf8(attribute.name()), std::move(*value)});
        else if (!isOpened || !attribute.has_g())
            diagnostics.add(Severity::Info, "attribute-not-kept",
                            "Attributes that are tensors, graphs or bytes, not kept",
                            fmt::format("{} of {}", toUtf8(attribute.name()), describe(node)));
    }
    // The standard's own ops need no domain; one of another domain might only share its name with one of them.
    if (!node.domain().empty() && node.domain() != kOwnOnnxDomain)
        attributes.push_back({"domain", toUtf8(node.domain())});
    return attributes;
}

} // namespace opscape
