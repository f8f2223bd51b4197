// SPDX-License-Identifier: MIT
// One training step of a recurrent language model (Zaremba, Sutskever, Vinyals 2014: embedding, stacked LSTM layers,
// softmax), unrolled over its steps, with the backward pass written out and a momentum update. Every variable lives on
// one device: an op that hands out its value and the op that updates it share a colocation group.
#pragma once

#include <opscape/graph/graph_builder.h>

namespace opscape {

class RecurrentModel {
public:
    struct Size {
        std::int64_t layers = 4, steps = 6, batch = 128, hidden = 1024, vocabulary = 10000;
    };

    explicit RecurrentModel(Size size) : m_size(size) {}
    /// Use an object once.
    [[nodiscard]] Graph trainingStep(std::string name);

private:
    struct Variable {
        std::string name;
        TensorId weight, momentum, value;
        std::vector<TensorId> gradients; ///< one per step
    };
    /// What the backward pass needs of one LSTM cell.
    struct Cell {
        TensorId input, inputGate, forgetGate, outputGate, candidate, previousState, state, squashed, hidden;
    };

    /// An op in the current scope and phase; its outputs have the given shapes.
    std::vector<TensorId> op(const std::string& name, const std::string& type, const std::vector<TensorId>& inputs,
                             const std::vector<Shape>& outputs, std::vector<Attribute> attributes = {});
    /// The same with one output.
    TensorId one(const std::string& name, const std::string& type, const std::vector<TensorId>& inputs, Shape output,
                 std::vector<Attribute> attributes = {});
    TensorId resident(const std::string& name, TensorKind kind, DType dtype, Shape shape);
    Variable variable(const std::string& name, const Shape& shape);
    TensorId add(const std::string& name, TensorId a, TensorId b, const Shape& shape);

    Cell forwardCell(const Variable& weights, const Variable& bias, TensorId input, TensorId hidden, TensorId state);
    /// Returns the gradients of the cell's input, hidden and state from below.
    std::array<TensorId, 3> backwardCell(const Cell& cell, Variable& weights, Variable& bias, TensorId dHidden,
                                         TensorId dState);
    void update(Variable& variable);

    Size m_size;
    GraphBuilder m_builder{""};
    std::string m_scope;
    Phase m_phase = Phase::Forward;
    std::vector<OpId> m_updates;
};

} // namespace opscape
