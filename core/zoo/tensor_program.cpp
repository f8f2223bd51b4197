// SPDX-License-Identifier: MIT
// Names, residents and the making of ops; the operations themselves are in tensor_ops.cpp and tensor_moves.cpp.
#include <opscape/zoo/tensor_program.h>

#include <utility>

namespace opscape {

TensorProgram::TensorProgram(std::string name, DType dtype) : m_dtype(dtype), m_builder(std::move(name)) {}

TensorProgram::Scope::Scope(TensorProgram& program, std::string scope, Phase phase)
    : m_program(program),
      m_scope(std::exchange(program.m_scope, std::move(scope))),
      m_phase(std::exchange(program.m_phase, phase)) {}

TensorProgram::Scope::~Scope() {
    m_program.m_scope = std::move(m_scope);
    m_program.m_phase = m_phase;
}

TensorProgram::Scope TensorProgram::scope(std::string_view name) {
    return Scope(*this, fmt::format("{}{}/", m_scope, name), m_phase);
}

TensorProgram::Scope TensorProgram::scopeAt(std::string_view path, Phase phase) {
    return Scope(*this, fmt::format("{}/", path), phase);
}

TensorProgram::Scope TensorProgram::phase(Phase phase) { return Scope(*this, m_scope, phase); }

std::string TensorProgram::uniqueName(std::string_view name) {
    std::string full = m_scope;
    full += name;
    const auto [it, isNew] = m_names.try_emplace(full, 0);
    if (isNew)
        return full;
    int& number = it->second;
    for (;;) {
        std::string numbered = fmt::format("{}_{}", full, ++number);
        if (m_names.try_emplace(numbered, 0).second)
            return numbered;
    }
}

Value TensorProgram::resident(std::string_view name, TensorKind kind, DType dtype, Shape shape) {
    const Value value = m_builder.addResident({m_scope + std::string(name), kind, dtype, true, std::move(shape), -1});
    m_producer.emplace_back();
    return value;
}

Value TensorProgram::input(std::string_view name, Shape shape) { return input(name, std::move(shape), m_dtype); }

Value TensorProgram::input(std::string_view name, Shape shape, DType dtype) {
    return resident(name, TensorKind::Input, dtype, std::move(shape));
}

Value TensorProgram::constant(std::string_view name, Shape shape) { return constant(name, std::move(shape), m_dtype); }

Value TensorProgram::constant(std::string_view name, Shape shape, DType dtype) {
    return resident(name, TensorKind::Constant, dtype, std::move(shape));
}

Value TensorProgram::scalar(double number) {
    Value& value = m_scalars[number];
    if (!value.valid()) {
        const auto outermost = scopeAt("constants", m_phase);
        value = constant(fmt::format("{}", number), {});
    }
    return value;
}

Value TensorProgram::state(std::string_view name, Shape shape) {
    return resident(name, TensorKind::OptimizerState, m_dtype, std::move(shape));
}

Value TensorProgram::variable(std::string_view name, Shape shape) {
    Variable made;
    made.name = m_scope + std::string(name);
    made.weight = resident(name, TensorKind::Weight, m_dtype, shape);
    made.value = one("ReadVariable", {made.weight}, std::move(shape), name);
    made.read = producer(made.value);
    require(m_builder.op(made.read).name == made.name, "there is an op {} already", made.name);
    m_builder.op(made.read).colocation = made.name;
    m_variables.push_back(made);
    return made.value;
}

OpId TensorProgram::addOp(std::string_view type, std::span<const Value> inputs, std::vector<Attribute> attributes,
                          std::string_view name) {
    Op op;
    op.name = uniqueName(name.empty() ? type : name);
    op.type = type;
    op.phase = m_phase;
    op.attributes = std::move(attributes);
    const OpId id = m_builder.addOp(std::move(op));
    m_slots.push_back({static_cast<std::uint32_t>(m_inputs.size()), static_cast<std::uint32_t>(m_outputs.size())});
    for (const Value input : inputs) {
        m_builder.addInput(id, input);
        m_inputs.push_back(input);
    }
    return id;
}

Value TensorProgram::addOutput(OpId op, DType dtype, Shape shape) {
    const std::size_t index = m_outputs.size() - m_slots[op.index()].firstOutput;
    const Value value = m_builder.addOutput(op, {fmt::format("{}:{}", m_builder.op(op).name, index),
                                                 TensorKind::Activation, dtype, true, std::move(shape), -1});
    m_outputs.push_back(value);
    m_producer.push_back(op);
    return value;
}

Value TensorProgram::one(std::string_view type, std::initializer_list<Value> inputs, Shape shape, std::string_view name,
                         std::vector<Attribute> attributes) {
    const OpId id = addOp(type, std::span(inputs.begin(), inputs.size()), std::move(attributes), name);
    return addOutput(id, dtype(*inputs.begin()), std::move(shape));
}

std::vector<Value> TensorProgram::op(std::string_view type, std::span<const Value> inputs,
                                     std::span<const Shape> outputs, std::vector<Attribute> attributes,
                                     std::string_view name) {
    const OpId id = addOp(type, inputs, std::move(attributes), name);
    std::vector<Value> values;
    for (const Shape& shape : outputs)
        values.push_back(addOutput(id, m_dtype, shape));
    return values;
}

OpId TensorProgram::update(std::string_view type, const Variable& variable, std::span<const Value> inputs,
                           std::vector<Attribute> attributes, std::string_view name) {
    const OpId id = addOp(type, inputs, std::move(attributes), name);
    m_builder.op(id).colocation = variable.name;
    return id;
}

std::int64_t TensorProgram::dim(Value value, std::int64_t axis) const { return shape(value)[axisOf(value, axis)]; }

std::size_t TensorProgram::axisOf(Value x, std::int64_t axis) const {
    const auto rank = static_cast<std::int64_t>(shape(x).size());
    require(axis >= -rank && axis < rank, "axis {} of a tensor of shape {}", axis, toString(shape(x)));
    return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

std::span<const Value> TensorProgram::inputs(OpId id) const {
    const std::size_t next = id.index() + 1;
    const std::size_t end = next < m_slots.size() ? m_slots[next].firstInput : m_inputs.size();
    return {m_inputs.data() + m_slots[id.index()].firstInput, m_inputs.data() + end};
}

std::span<const Value> TensorProgram::outputs(OpId id) const {
    const std::size_t next = id.index() + 1;
    const std::size_t end = next < m_slots.size() ? m_slots[next].firstOutput : m_outputs.size();
    return {m_outputs.data() + m_slots[id.index()].firstOutput, m_outputs.data() + end};
}

Graph TensorProgram::build() && {
    Diagnostics diagnostics;
    Result<Graph> graph = std::move(m_builder).build(diagnostics);
    require(graph.has_value(), "{}", graph ? "" : graph.error().message);
    require(diagnostics.empty(), "{}", diagnostics.empty() ? "" : diagnostics.entries()[0].summary);
    return std::move(*graph);
}

} // namespace opscape
