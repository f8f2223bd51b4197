// SPDX-License-Identifier: MIT
#include "recurrent_model.h"

#include <array>

namespace opscape {

std::vector<TensorId> RecurrentModel::op(const std::string& name, const std::string& type,
                                         const std::vector<TensorId>& inputs, const std::vector<Shape>& outputs,
                                         std::vector<Attribute> attributes) {
    Op made;
    made.name = m_scope + "/" + name;
    made.type = type;
    made.phase = m_phase;
    made.attributes = std::move(attributes);
    const std::string opName = made.name;
    const OpId id = m_builder.addOp(std::move(made));
    for (const TensorId input : inputs)
        m_builder.addInput(id, input);
    std::vector<TensorId> written;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        written.push_back(m_builder.addOutput(
            id, {fmt::format("{}:{}", opName, i), TensorKind::Activation, DType::F32, true, outputs[i], -1}));
    return written;
}

TensorId RecurrentModel::one(const std::string& name, const std::string& type, const std::vector<TensorId>& inputs,
                             Shape output, std::vector<Attribute> attributes) {
    return op(name, type, inputs, {std::move(output)}, std::move(attributes))[0];
}

TensorId RecurrentModel::resident(const std::string& name, TensorKind kind, DType dtype, Shape shape) {
    return m_builder.addResident({name, kind, dtype, true, std::move(shape), -1});
}

RecurrentModel::Variable RecurrentModel::variable(const std::string& name, const Shape& shape) {
    Variable made;
    made.name = name;
    made.weight = resident(name, TensorKind::Weight, DType::F32, shape);
    made.momentum = resident(name + "/momentum", TensorKind::OptimizerState, DType::F32, shape);
    m_scope = "forward/" + name;
    made.value = one("read", "Identity", {made.weight}, shape);
    m_builder.op(OpId(m_builder.opCount() - 1)).colocation = name;
    return made;
}

TensorId RecurrentModel::add(const std::string& name, TensorId a, TensorId b, const Shape& shape) {
    if (!a.valid() || !b.valid())
        return a.valid() ? a : b;
    return one(name, "Add", {a, b}, shape);
}

RecurrentModel::Cell RecurrentModel::forwardCell(const Variable& weights, const Variable& bias, TensorId input,
                                                 TensorId hidden, TensorId state) {
    const Shape row{m_size.batch, m_size.hidden}, wide{m_size.batch, 4 * m_size.hidden};
    Cell cell;
    cell.previousState = state;
    cell.input =
        one("concat", "Concat", {input, hidden}, {m_size.batch, 2 * m_size.hidden}, {{"axis", std::int64_t{1}}});
    const TensorId product = one("matmul", "MatMul", {cell.input, weights.value}, wide);
    const TensorId sums = one("bias", "Add", {product, bias.value}, wide);
    const auto gates = op("split", "Split", {sums}, {row, row, row, row}, {{"axis", std::int64_t{1}}});
    cell.inputGate = one("input_gate", "Sigmoid", {gates[0]}, row);
    cell.forgetGate = one("forget_gate", "Sigmoid", {gates[1]}, row);
    cell.outputGate = one("output_gate", "Sigmoid", {gates[2]}, row);
    cell.candidate = one("candidate", "Tanh", {gates[3]}, row);
    const TensorId kept = one("keep", "Mul", {cell.forgetGate, state}, row);
    const TensorId added = one("write", "Mul", {cell.inputGate, cell.candidate}, row);
    cell.state = one("state", "Add", {kept, added}, row);
    cell.squashed = one("squash", "Tanh", {cell.state}, row);
    cell.hidden = one("hidden", "Mul", {cell.outputGate, cell.squashed}, row);
    return cell;
}

std::array<TensorId, 3> RecurrentModel::backwardCell(const Cell& cell, Variable& weights, Variable& bias,
                                                     TensorId dHidden, TensorId dState) {
    const Shape row{m_size.batch, m_size.hidden}, wide{m_size.batch, 4 * m_size.hidden};
    const TensorId dOutput = one("d_output", "Mul", {dHidden, cell.squashed}, row);
    const TensorId dSquashed = one("d_squash", "Mul", {dHidden, cell.outputGate}, row);
    const TensorId dFromHidden = one("d_state_out", "TanhGrad", {cell.squashed, dSquashed}, row);
    const TensorId dc = add("d_state", dFromHidden, dState, row);
    const TensorId dForget = one("d_forget", "Mul", {dc, cell.previousState}, row);
    const TensorId dInput = one("d_input", "Mul", {dc, cell.candidate}, row);
    const TensorId dCandidate = one("d_candidate", "Mul", {dc, cell.inputGate}, row);
    TensorId dPrevious; // of no use where the state before is the first one, which is given
    if (m_builder.tensor(cell.previousState).kind == TensorKind::Activation)
        dPrevious = one("d_previous", "Mul", {dc, cell.forgetGate}, row);
    const TensorId dGates = one("d_gates", "Concat",
                                {one("d_input_gate", "SigmoidGrad", {cell.inputGate, dInput}, row),
                                 one("d_forget_gate", "SigmoidGrad", {cell.forgetGate, dForget}, row),
                                 one("d_output_gate", "SigmoidGrad", {cell.outputGate, dOutput}, row),
                                 one("d_candidate_in", "TanhGrad", {cell.candidate, dCandidate}, row)},
                                wide, {{"axis", std::int64_t{1}}});
    weights.gradients.push_back(one("d_weights", "Gemm", {cell.input, dGates}, {2 * m_size.hidden, 4 * m_size.hidden},
                                    {{"transA", std::int64_t{1}}}));
    bias.gradients.push_back(one("d_bias", "ReduceSum", {dGates}, {4 * m_size.hidden}));
    const TensorId dBoth = one("d_concat", "Gemm", {dGates, weights.value}, {m_size.batch, 2 * m_size.hidden},
                               {{"transB", std::int64_t{1}}});
    const auto parts = op("d_split", "Split", {dBoth}, {row, row}, {{"axis", std::int64_t{1}}});
    return {parts[0], parts[1], dPrevious};
}

void RecurrentModel::update(Variable& v) {
    m_scope = "update/" + v.name;
    const Shape shape = m_builder.tensor(v.weight).shape;
    const TensorId gradient = v.gradients.size() == 1 ? v.gradients[0] : one("sum", "Sum", v.gradients, shape);
    op("momentum", "Momentum", {v.weight, gradient, v.momentum}, {}, {{"alpha", 0.9}, {"rate", 0.01}});
    m_updates.emplace_back(m_builder.opCount() - 1);
    m_builder.op(m_updates.back()).colocation = v.name;
}

Graph RecurrentModel::trainingStep(std::string name) {
    m_builder = GraphBuilder(std::move(name));
    const auto layers = static_cast<std::size_t>(m_size.layers), steps = static_cast<std::size_t>(m_size.steps);
    const Shape row{m_size.batch, m_size.hidden}, scores{m_size.batch, m_size.vocabulary};

    std::vector<TensorId> words, labels;
    for (std::size_t t = 0; t < steps; ++t) {
        words.push_back(resident(fmt::format("words_{}", t), TensorKind::Input, DType::I64, {m_size.batch}));
        labels.push_back(resident(fmt::format("labels_{}", t), TensorKind::Input, DType::I64, {m_size.batch}));
    }
    Variable table = variable("embedding/table", {m_size.vocabulary, m_size.hidden});
    std::vector<Variable> weights, biases;
    for (std::size_t l = 0; l < layers; ++l) {
        weights.push_back(variable(fmt::format("layer_{}/weights", l), {2 * m_size.hidden, 4 * m_size.hidden}));
        biases.push_back(variable(fmt::format("layer_{}/bias", l), {4 * m_size.hidden}));
    }
    Variable projection = variable("softmax/weights", {m_size.hidden, m_size.vocabulary});
    Variable offset = variable("softmax/bias", {m_size.vocabulary});

    std::vector<std::vector<Cell>> cells(layers, std::vector<Cell>(steps));
    std::vector<TensorId> hidden, state, top, probabilities, losses;
    for (std::size_t l = 0; l < layers; ++l) {
        hidden.push_back(resident(fmt::format("layer_{}/first_hidden", l), TensorKind::Input, DType::F32, row));
        state.push_back(resident(fmt::format("layer_{}/first_state", l), TensorKind::Input, DType::F32, row));
    }
    for (std::size_t t = 0; t < steps; ++t) {
        m_scope = fmt::format("forward/embedding/step_{}", t);
        TensorId x = one("lookup", "Gather", {table.value, words[t]}, row);
        for (std::size_t l = 0; l < layers; ++l) {
            m_scope = fmt::format("forward/layer_{}/step_{}", l, t);
            cells[l][t] = forwardCell(weights[l], biases[l], x, hidden[l], state[l]);
            x = hidden[l] = cells[l][t].hidden;
            state[l] = cells[l][t].state;
        }
        top.push_back(x);
        m_scope = fmt::format("forward/softmax/step_{}", t);
        const TensorId product = one("matmul", "MatMul", {x, projection.value}, scores);
        const TensorId logits = one("bias", "Add", {product, offset.value}, scores);
        const auto loss = op("loss", "SoftmaxCrossEntropyLoss", {logits, labels[t]}, {{}, scores});
        losses.push_back(loss[0]);
        probabilities.push_back(loss[1]);
    }
    m_scope = "forward/softmax";
    one("total_loss", "Sum", losses, {});

    m_phase = Phase::Backward;
    std::vector<TensorId> dHidden(layers), dState(layers); // from the step after
    for (std::size_t t = steps; t-- > 0;) {
        m_scope = fmt::format("backward/softmax/step_{}", t);
        const TensorId dLogits = one("d_loss", "SoftmaxCrossEntropyGrad", {probabilities[t], labels[t]}, scores);
        projection.gradients.push_back(one("d_weights", "Gemm", {top[t], dLogits}, {m_size.hidden, m_size.vocabulary},
                                           {{"transA", std::int64_t{1}}}));
        offset.gradients.push_back(one("d_bias", "ReduceSum", {dLogits}, {m_size.vocabulary}));
        TensorId dx = one("d_input", "Gemm", {dLogits, projection.value}, row, {{"transB", std::int64_t{1}}});
        for (std::size_t l = layers; l-- > 0;) {
            m_scope = fmt::format("backward/layer_{}/step_{}", l, t);
            const TensorId dAll = add("d_hidden", dx, dHidden[l], row);
            const auto [dInput, dBefore, dStateBefore] =
                backwardCell(cells[l][t], weights[l], biases[l], dAll, dState[l]);
            dx = dInput;
            dHidden[l] = dBefore;
            dState[l] = dStateBefore;
        }
        m_scope = fmt::format("backward/embedding/step_{}", t);
        table.gradients.push_back(one("d_table", "GatherGrad", {dx, words[t]}, {m_size.vocabulary, m_size.hidden}));
    }

    m_phase = Phase::Update;
    update(table);
    for (std::size_t l = 0; l < layers; ++l) {
        update(weights[l]);
        update(biases[l]);
    }
    update(projection);
    update(offset);
    m_scope = "update";
    op("done", "NoOp", {}, {});
    const OpId done(m_builder.opCount() - 1);
    m_builder.op(done).flops = 0;
    m_builder.op(done).bytesMoved = 0;
    for (const OpId id : m_updates)
        m_builder.addControl(id, done);

    Diagnostics diagnostics;
    return std::move(m_builder).build(diagnostics).value();
}

} // namespace opscape
