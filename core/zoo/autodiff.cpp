// SPDX-License-Identifier: MIT
// Reverse accumulation (Linnainmaa 1976; Griewank and Walther, Evaluating Derivatives). The ops of a program are in an
// order in which producers come before consumers, so two sweeps do: forwards, which values depend on those asked for;
// backwards from the loss, the gradient of every such value that the loss depends on. When the backward sweep comes to
// an op, all that read its outputs have been passed, so the gradients of each output are complete and are summed.
#include <opscape/zoo/autodiff.h>
#include <opscape/zoo/gradient_rules.h>

#include <algorithm>

namespace opscape {
namespace {

/// So many terms of a sum are summed as soon as they are there: a weight that all steps of a recurrent layer share has
/// one per step, each as large as the weight, and one sum over all of them would have to wait for the last. The sums
/// are independent of one another, since the backward pass need not run in the order in which it is built.
constexpr std::size_t kTermsAtOnce = 8;

bool endsGradient(std::string_view opType) { return opType == "StopGradient" || opType == "ReadVariable"; }

class Backward {
public:
    Backward(TensorProgram& program, std::span<const Value> values)
        : m_program(program),
          m_depends(program.valueCount()),
          m_terms(program.valueCount()),
          m_sums(program.valueCount()) {
        for (const Value value : values)
            m_depends[value.index()] = true;
        for (std::size_t i = 0; i < program.opCount(); ++i) {
            const OpId op(i);
            const auto depends = [this](Value input) { return input.valid() && m_depends[input.index()]; };
            if (endsGradient(program.op(op).type) || std::ranges::none_of(program.inputs(op), depends))
                continue;
            for (const Value output : program.outputs(op))
                m_depends[output.index()] = true;
        }
    }

    void sweep(Value loss) {
        if (!m_depends[loss.index()])
            return;
        m_terms[loss.index()].push_back(m_program.scalar(1));
        if (!m_program.producer(loss).valid())
            return;
        for (std::size_t i = m_program.producer(loss).index() + 1; i-- > 0;)
            passBack(OpId(i));
    }

    /// The sum of what has come back to a value.
    Value gradientOf(Value value) {
        std::vector<Value>& terms = m_terms[value.index()];
        std::vector<Value>& sums = m_sums[value.index()];
        terms.insert(terms.begin(), sums.begin(), sums.end());
        sums.clear();
        if (terms.size() > 1)
            terms = {sumOf(value, terms)};
        return terms.empty() ? Value() : terms[0];
    }

private:
    [[nodiscard]] std::string scopeOf(OpId forward) const {
        return fmt::format("gradients/{}_grad", m_program.op(forward).name);
    }

    [[nodiscard]] bool hasGradient(Value value) const {
        return !m_terms[value.index()].empty() || !m_sums[value.index()].empty();
    }

    void add(Value value, Value term) {
        std::vector<Value>& terms = m_terms[value.index()];
        terms.push_back(term);
        if (terms.size() < kTermsAtOnce)
            return;
        m_sums[value.index()].push_back(sumOf(value, terms));
        terms.clear();
    }

    Value sumOf(Value value, std::span<const Value> terms) {
        const OpId producer = m_program.producer(value);
        const auto scope = m_program.scopeAt(producer.valid() ? scopeOf(producer) : "gradients", Phase::Backward);
        return m_program.addN(terms);
    }

    void passBack(OpId id) {
        const auto outputs = m_program.outputs(id);
        if (std::ranges::none_of(outputs, [this](Value output) { return hasGradient(output); }) ||
            endsGradient(m_program.op(id).type))
            return;
        BackwardOp op{m_program, m_program.op(id).attributes, {}, {outputs.begin(), outputs.end()}, {}, {}, {}};
        for (const Value input : m_program.inputs(id)) {
            op.inputs.push_back(input);
            op.isNeeded.push_back(input.valid() && m_depends[input.index()]);
        }
        for (const Value output : op.outputs)
            op.gradients.push_back(gradientOf(output));
        op.inputGradients.resize(op.inputs.size());
        const GradientRule rule = gradientRule(m_program.op(id).type);
        // Beside split, what is differentiable of an op is its first output.
        if (rule == nullptr || (!op.gradients[0].valid() && m_program.op(id).type != "Split"))
            throw std::logic_error(
                fmt::format("there is no gradient for the {} {}", m_program.op(id).type, m_program.op(id).name));
        {
            const auto scope = m_program.scopeAt(scopeOf(id), Phase::Backward);
            rule(op);
        }
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (op.isNeeded[i])
                add(op.inputs[i], op.inputGradients[i]);
        }
    }

    TensorProgram& m_program;
    std::vector<bool> m_depends;             ///< per value there was before: on one of those asked for
    std::vector<std::vector<Value>> m_terms; ///< per value: what its readers pass back
    std::vector<std::vector<Value>> m_sums;  ///< per value: sums of such terms
};

} // namespace

std::vector<Value> gradients(TensorProgram& program, Value loss, std::span<const Value> values) {
    if (!program.shape(loss).empty())
        throw std::logic_error(fmt::format("a loss of shape {} is not a scalar", toString(program.shape(loss))));
    Backward backward(program, values);
    backward.sweep(loss);
    std::vector<Value> results;
    for (const Value value : values)
        results.push_back(backward.gradientOf(value));
    return results;
}

} // namespace opscape
