// SPDX-License-Identifier: MIT
#include <opscape/rl/hdp/hdp_layers.h>

namespace opscape::rl {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr const char* kStop = "stop";

void keep(AutogradContext* context, const MayStop* mayStop) {
    context->saved_data[kStop] = reinterpret_cast<std::int64_t>(mayStop); // NOLINT: a place for a pointer
}

const MayStop& kept(AutogradContext* context) {
    return *reinterpret_cast<const MayStop*>(context->saved_data[kStop].toInt()); // NOLINT
}

/// Gates of one step, activated, in place; the next cell and hidden state.
void step(Tensor gates, const Tensor& before, Tensor& cell, Tensor& hidden) {
    const std::int64_t width = before.size(-1);
    gates.narrow(-1, 0, 3 * width).sigmoid_();
    gates.narrow(-1, 3 * width, width).tanh_();
    const auto part = gates.chunk(4, -1);
    cell = part[1] * before + part[0] * part[3];
    hidden = part[2] * torch::tanh(cell);
}

class Lstm : public torch::autograd::Function<Lstm> {
public:
    static Tensor forward(AutogradContext* context, const Tensor& inputs, const Tensor& weight, const Tensor& first,
                          const Tensor& firstCell, const MayStop* mayStop) {
        const std::int64_t steps = inputs.size(0);
        const std::vector<std::int64_t> shape{steps + 1, first.size(0), first.size(1)};
        Tensor gates = torch::empty(inputs.sizes(), inputs.options().requires_grad(false));
        Tensor cells = torch::empty(shape, gates.options()), hiddens = torch::empty(shape, gates.options());
        cells[0].copy_(firstCell);
        hiddens[0].copy_(first);
        for (std::int64_t t = 0; t < steps; ++t) {
            (*mayStop)();
            Tensor cell, hidden, now = gates[t];
            now.copy_(inputs[t] + product(hiddens[t], weight));
            step(now, cells[t], cell, hidden);
            cells[t + 1].copy_(cell);
            hiddens[t + 1].copy_(hidden);
        }
        context->save_for_backward({gates, cells, hiddens, weight});
        keep(context, mayStop);
        return torch::cat({hiddens.narrow(0, 1, steps), cells.narrow(0, steps, 1)});
    }

    static tensor_list backward(AutogradContext* context, tensor_list gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &gates = saved[0], &cells = saved[1], &hiddens = saved[2];
        const Tensor back = saved[3].t();
        const MayStop& mayStop = kept(context);
        const Tensor gradient = gradients[0].contiguous();
        const std::int64_t steps = gates.size(0), width = cells.size(2);
        Tensor ofGates = torch::empty_like(gates), ofHidden = torch::zeros_like(cells[0]),
               ofCell = gradient[steps].clone();
        for (std::int64_t t = steps - 1; t >= 0; --t) {
            mayStop();
            const auto gate = gates[t].chunk(4, -1);
            const Tensor out = torch::tanh(cells[t + 1]);
            ofHidden = ofHidden + gradient[t];
            ofCell = ofCell + ofHidden * gate[2] * (1 - out * out);
            Tensor now = ofGates[t];
            now.copy_(torch::cat({ofCell * gate[3], ofCell * cells[t], ofHidden * out, ofCell * gate[0]}, -1));
            const Tensor three = gates[t].narrow(-1, 0, 3 * width);
            now.narrow(-1, 0, 3 * width).mul_(three * (1 - three));
            now.narrow(-1, 3 * width, width).mul_(1 - gate[3] * gate[3]);
            ofHidden = product(now, back);
            ofCell = ofCell * gate[1];
        }
        mayStop();
        const Tensor before = hiddens.narrow(0, 0, steps).reshape({-1, width});
        const Tensor ofWeight = torch::mm(before.t(), ofGates.view({-1, 4 * width}));
        return {ofGates, ofWeight, ofHidden, ofCell, Tensor()};
    }
};

class AdditiveScores : public torch::autograd::Function<AdditiveScores> {
public:
    static Tensor forward(AutogradContext* context, const Tensor& queries, const Tensor& memory, const Tensor& v,
                          const MayStop* mayStop) {
        std::vector<Tensor> scores;
        for (std::int64_t t = 0; t < queries.size(0); ++t) {
            (*mayStop)();
            scores.push_back(torch::matmul(torch::tanh(queries[t].unsqueeze(1) + memory), v));
        }
        context->save_for_backward({queries, memory, v});
        keep(context, mayStop);
        return torch::stack(scores);
    }

    static tensor_list backward(AutogradContext* context, tensor_list gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &queries = saved[0], &memory = saved[1], &v = saved[2];
        const MayStop& mayStop = kept(context);
        Tensor ofQueries = torch::empty_like(queries), ofMemory = torch::zeros_like(memory), ofV = torch::zeros_like(v);
        for (std::int64_t t = 0; t < queries.size(0); ++t) {
            mayStop();
            const Tensor gradient = gradients[0][t].contiguous();
            Tensor inside = torch::tanh(queries[t].unsqueeze(1) + memory);
            ofV += torch::mv(inside.view({-1, v.size(0)}).t(), gradient.view(-1));
            inside.mul_(inside).neg_().add_(1).mul_(gradient.unsqueeze(-1)); // times v once, at the end
            ofMemory += inside;
            ofQueries[t].copy_(inside.sum(1));
        }
        return {ofQueries * v, ofMemory * v, ofV, Tensor()};
    }
};

} // namespace

Tensor product(const Tensor& x, const Tensor& weight) {
    if (x.numel() != x.size(-1))
        return torch::matmul(x, weight);
    std::vector<std::int64_t> shape(x.sizes().begin(), x.sizes().end());
    shape.back() = weight.size(1);
    return torch::mv(weight.t(), x.reshape(-1)).view(shape);
}

void lstmStep(const Tensor& input, const Tensor& weight, Tensor& hidden, Tensor& cell) {
    const Tensor before = cell;
    step(input + product(hidden, weight), before, cell, hidden);
}

Tensor lstmRun(const Tensor& inputs, const Tensor& weight, const Tensor& hidden, const Tensor& cell,
               const MayStop& mayStop) {
    return Lstm::apply(inputs, weight, hidden, cell, &mayStop);
}

Tensor additiveScores(const Tensor& queries, const Tensor& memory, const Tensor& v, const MayStop& mayStop) {
    return AdditiveScores::apply(queries, memory, v, &mayStop);
}

} // namespace opscape::rl
