// SPDX-License-Identifier: MIT
// The rules behind opCost(), grouped by kind of op in op_rules_*.cpp; internal to core/cost. A rule reads an op through
// an OpView, which answers 0 for whatever is not known, so that an unknown shape adds no work rather than invented
// work.
#pragma once

#include <opscape/cost/op_cost.h>

#include <optional>

namespace opscape {

class OpView {
public:
    OpView(const Graph& graph, OpId id) : m_graph(graph), m_id(id) {}

    [[nodiscard]] std::size_t inputCount() const { return m_graph.inputs(m_id).size(); }
    [[nodiscard]] bool hasInput(std::size_t slot) const { return input(slot).valid(); }
    [[nodiscard]] bool hasOutputs() const { return !m_graph.outputs(m_id).empty(); }
    /// Empty where it is unknown or there is no such tensor.
    [[nodiscard]] const Shape& inputShape(std::size_t slot) const;
    [[nodiscard]] const Shape& outputShape() const;
    [[nodiscard]] double inputElements(std::size_t slot) const;
    /// Of the first output.
    [[nodiscard]] double outputElements() const;
    [[nodiscard]] double inputBytes(std::size_t slot) const;
    /// Distinct inputs together; all outputs together.
    [[nodiscard]] double inputBytes() const;
    [[nodiscard]] double outputBytes() const;

    [[nodiscard]] std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
    /// A list of integers; none where it is not given.
    [[nodiscard]] std::span<const std::int64_t> integers(std::string_view attribute) const;
    [[nodiscard]] std::string_view text(std::string_view attribute, std::string_view otherwise) const;
    /// Product of a list of integers; 1 where it is not given.
    [[nodiscard]] double product(std::string_view attribute) const;

    /// Of the first floating-point input; f32 where there is none.
    [[nodiscard]] DType floatType() const;

private:
    [[nodiscard]] TensorId input(std::size_t slot) const;
    [[nodiscard]] double elements(TensorId id) const;
    template <class T>
    [[nodiscard]] const T* attribute(std::string_view name) const;

    const Graph& m_graph;
    OpId m_id;
};

/// Product of the dimensions from `first` on; 0 where one is unknown or there is none.
[[nodiscard]] double elementsFrom(const Shape& shape, std::size_t first);

using Amount = double (*)(const OpView&);

/// Memory traffic, bytes.
double everything(const OpView& op);  ///< each input and output once
double nothing(const OpView& op);     ///< a view: no byte is moved
double writtenOnly(const OpView& op); ///< outputs; inputs are at most shapes
double selected(const OpView& op);    ///< reads of its first input as much as it writes: slices and gathers

/// Floating-point operations.
double noFlops(const OpView& op);
template <int Factor>
double perOutput(const OpView& op) {
    return Factor * op.outputElements();
}
template <int Factor>
double perInput(const OpView& op) {
    return Factor * op.inputElements(0);
}

struct RuleRow {
    std::string_view type;
    std::string_view formula;
    Amount flops;
    Amount traffic = everything;
    DType computeType = DType::Unknown;            ///< where it is not that of the first floating-point input
    std::optional<OpClass> opClass = std::nullopt; ///< where it is not that of the group (see op_cost.cpp)
    Amount workspace = nothing;                    ///< scratch memory, bytes
};

[[nodiscard]] std::span<const RuleRow> matrixRules();
[[nodiscard]] std::span<const RuleRow> elementwiseRules();
[[nodiscard]] std::span<const RuleRow> reductionRules();
[[nodiscard]] std::span<const RuleRow> movementRules();
[[nodiscard]] std::span<const RuleRow> trainingRules();
[[nodiscard]] std::span<const RuleRow> compilerRules();

} // namespace opscape
