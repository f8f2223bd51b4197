// SPDX-License-Identifier: MIT
#include <opscape/zoo/attention.h>

#include <cmath>

namespace opscape {

Value splitHeads(TensorProgram& p, Value x, std::int64_t batch, std::int64_t heads) {
    return p.transpose(p.reshape(x, {batch, -1, heads, p.dim(x, 1) / heads}), {0, 2, 1, 3});
}

Value mergeHeads(TensorProgram& p, Value x) {
    return p.reshape(p.transpose(x, {0, 2, 1, 3}), {p.dim(x, 0) * p.dim(x, 2), -1});
}

Value weighValues(TensorProgram& p, Value scores, Value mask, Value values, double dropout) {
    const double scale = 1 / std::sqrt(static_cast<double>(p.dim(values, -1)));
    const Value shares = p.softmax(p.add(p.mul(scores, p.scalar(scale), "scaled"), mask, "masked"));
    return mergeHeads(p, p.matMul(p.dropout(shares, dropout).result, values, false, false, "context"));
}

Value selfAttention(TensorProgram& p, Value x, const SelfAttention& attention) {
    const auto project = [&](std::string_view name) {
        const auto scope = p.scope(name);
        return splitHeads(p, dense(p, x, p.dim(x, 1)), attention.batch, attention.heads);
    };
    const Value query = project("query"), key = project("key"), value = project("value");
    const Value scores = p.matMul(query, key, false, true, "scores");
    const Value context = weighValues(p, scores, attention.mask, value, attention.dropout);
    const auto scope = p.scope("output");
    return dense(p, context, p.dim(x, 1));
}

Value feedForward(TensorProgram& p, Value x, std::int64_t inner, Activation activation) {
    Value h;
    {
        const auto scope = p.scope("inner");
        h = dense(p, x, inner);
        h = activation == Activation::Relu ? p.relu(h) : p.gelu(h);
    }
    const auto scope = p.scope("output");
    return dense(p, h, p.dim(x, -1));
}

} // namespace opscape
