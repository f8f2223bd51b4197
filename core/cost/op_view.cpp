// SPDX-License-Identifier: MIT
#include <opscape/cost/op_rules.h>

#include <algorithm>

namespace opscape {
namespace {

const Shape kUnknownShape;

} // namespace

TensorId OpView::input(std::size_t slot) const { return slot < inputCount() ? m_graph.inputs(m_id)[slot] : TensorId(); }

const Shape& OpView::inputShape(std::size_t slot) const {
    const TensorId id = input(slot);
    return id.valid() ? m_graph.tensor(id).shape : kUnknownShape;
}

const Shape& OpView::outputShape() const {
    return hasOutputs() ? m_graph.tensor(m_graph.outputs(m_id)[0]).shape : kUnknownShape;
}

double OpView::elements(TensorId id) const {
    if (!id.valid() || !m_graph.tensor(id).shapeKnown)
        return 0;
    return static_cast<double>(elementCount(m_graph.tensor(id).shape).value_or(0));
}

double OpView::inputElements(std::size_t slot) const { return elements(input(slot)); }

double OpView::outputElements() const { return hasOutputs() ? elements(m_graph.outputs(m_id)[0]) : 0; }

double OpView::inputBytes(std::size_t slot) const {
    const TensorId id = input(slot);
    return id.valid() ? static_cast<double>(m_graph.tensorBytes(id)) : 0;
}

double OpView::inputBytes() const {
    const auto inputs = m_graph.inputs(m_id);
    double sum = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool seen = std::find(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(i), inputs[i]) !=
                          inputs.begin() + static_cast<std::ptrdiff_t>(i);
        sum += seen ? 0 : inputBytes(i);
    }
    return sum;
}

double OpView::outputBytes() const {
    double sum = 0;
    for (const TensorId id : m_graph.outputs(m_id))
        sum += static_cast<double>(m_graph.tensorBytes(id));
    return sum;
}

template <class T>
const T* OpView::attribute(std::string_view name) const {
    const auto& attributes = m_graph.op(m_id).attributes;
    const auto it = std::ranges::find(attributes, name, &Attribute::name);
    return it == attributes.end() ? nullptr : std::get_if<T>(&it->value);
}

std::int64_t OpView::integer(std::string_view name, std::int64_t otherwise) const {
    const auto* value = attribute<std::int64_t>(name);
    return value != nullptr ? *value : otherwise;
}

std::span<const std::int64_t> OpView::integers(std::string_view name) const {
    const auto* values = attribute<std::vector<std::int64_t>>(name);
    return values != nullptr ? std::span<const std::int64_t>(*values) : std::span<const std::int64_t>();
}

std::string_view OpView::text(std::string_view name, std::string_view otherwise) const {
    const auto* value = attribute<std::string>(name);
    return value != nullptr ? std::string_view(*value) : otherwise;
}

double OpView::product(std::string_view name) const {
    double product = 1;
    if (const auto* values = attribute<std::vector<std::int64_t>>(name)) {
        for (const std::int64_t value : *values)
            product *= static_cast<double>(std::max<std::int64_t>(value, 0));
    }
    return product;
}

DType OpView::floatType() const {
    for (const TensorId id : m_graph.inputs(m_id)) {
        if (id.valid() && isFloat(m_graph.tensor(id).dtype))
            return m_graph.tensor(id).dtype;
    }
    return DType::F32;
}

double elementsFrom(const Shape& shape, std::size_t first) {
    if (shape.size() <= first)
        return 0;
    double product = 1;
    for (std::size_t i = first; i < shape.size(); ++i)
        product *= static_cast<double>(std::max<std::int64_t>(shape[i], 0));
    return product;
}

double everything(const OpView& op) { return op.inputBytes() + op.outputBytes(); }
double nothing(const OpView&) { return 0; }
double writtenOnly(const OpView& op) { return op.outputBytes(); }
double selected(const OpView& op) { return op.inputBytes() - op.inputBytes(0) + 2 * op.outputBytes(); }
double noFlops(const OpView&) { return 0; }

} // namespace opscape
