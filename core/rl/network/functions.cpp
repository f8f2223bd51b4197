// SPDX-License-Identifier: MIT
#include <opscape/rl/network/functions.h>
#include <opscape/rl/network/segment_max.h>

#include <algorithm>
#include <cmath>

namespace opscape::rl {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::tensor_list;

/// The numbers of a contiguous tensor.
template <class T>
std::span<T> spanOf(const Tensor& tensor) {
    return {tensor.data_ptr<T>(), static_cast<std::size_t>(tensor.numel())};
}

/// Calls work(a number of the tensor's type).
void withType(const Tensor& tensor, const auto& work) {
    if (tensor.scalar_type() == torch::kFloat64)
        work(double{});
    else
        work(float{});
}

class NeighbourMax : public Function<NeighbourMax> {
public:
    static Tensor forward(AutogradContext* context, const Tensor& values, const Adjacency* neighbours) {
        const Tensor dense = values.contiguous();
        Tensor out = torch::empty_like(dense);
        const Tensor from = torch::empty(dense.sizes(), torch::kInt32);
        withType(dense, [&](auto type) {
            using Real = decltype(type);
            segmentMax<Real>(*neighbours, spanOf<Real>(dense), static_cast<std::size_t>(dense.size(1)),
                             spanOf<Real>(out), spanOf<std::int32_t>(from));
        });
        context->save_for_backward({from});
        return out;
    }

    static tensor_list backward(AutogradContext* context, tensor_list gradients) {
        const Tensor from = context->get_saved_variables()[0];
        const Tensor gradient = gradients[0].contiguous();
        Tensor result = torch::zeros_like(gradient);
        withType(gradient, [&](auto type) {
            using Real = decltype(type);
            segmentMaxBackward<Real>(spanOf<Real>(gradient), spanOf<std::int32_t>(from),
                                     static_cast<std::size_t>(from.size(1)), spanOf<Real>(result));
        });
        return {result, Tensor()};
    }
};

class PickRows : public Function<PickRows> {
public:
    static Tensor forward(AutogradContext* context, const Tensor& table, const Tensor& rows) {
        const Tensor dense = table.contiguous();
        Tensor out = torch::empty({rows.size(0), dense.size(1)}, dense.options());
        withType(dense, [&](auto type) {
            using Real = decltype(type);
            const auto width = dense.size(1);
            Real* to = out.data_ptr<Real>();
            for (const std::int32_t row : spanOf<std::int32_t>(rows))
                to = std::copy_n(dense.data_ptr<Real>() + row * width, width, to);
        });
        context->save_for_backward({rows});
        context->saved_data["rows"] = dense.size(0);
        return out;
    }

    static tensor_list backward(AutogradContext* context, tensor_list gradients) {
        const Tensor rows = context->get_saved_variables()[0];
        const Tensor gradient = gradients[0].contiguous();
        const std::int64_t width = gradient.size(1);
        Tensor result = torch::zeros({context->saved_data["rows"].toInt(), width}, gradient.options());
        withType(gradient, [&](auto type) {
            using Real = decltype(type);
            const Real* from = gradient.data_ptr<Real>();
            for (const std::int32_t row : spanOf<std::int32_t>(rows)) {
                Real* to = result.data_ptr<Real>() + row * width;
                for (std::int64_t c = 0; c < width; ++c)
                    to[c] += from[c];
                from += width;
            }
        });
        return {result, Tensor()};
    }
};

/// Where the parts of a segment lie. All results are views but for the window of the first segment.
struct Segments {
    Tensor projected, before;
    std::int64_t length, heads;
    std::int64_t units = projected.size(1), hidden = projected.size(2) / 3, width = hidden / heads;

    [[nodiscard]] std::int64_t countOf(std::int64_t begin) const { return std::min(length, units - begin); }
    /// Key and value of what the segment can see: the one before and itself.
    [[nodiscard]] Tensor window(std::int64_t begin) const {
        const Tensor all = projected.narrow(2, hidden, 2 * hidden);
        if (begin > 0)
            return all.narrow(1, begin - length, length + countOf(begin));
        return torch::cat({before, all.narrow(1, 0, countOf(0))}, 1);
    }
    [[nodiscard]] Tensor ofHead(const Tensor& tensor, std::int64_t head, std::int64_t part) const {
        return tensor.narrow(2, part * hidden + head * width, width);
    }
    [[nodiscard]] double scale() const { return 1 / std::sqrt(static_cast<double>(width)); }
};

class SegmentAttention : public Function<SegmentAttention> {
public:
    static Tensor forward(AutogradContext* context, const Tensor& projected, const Tensor& before, std::int64_t length,
                          std::int64_t heads) {
        const Segments s{projected, before, length, heads};
        Tensor out = torch::empty({projected.size(0), s.units, s.hidden}, projected.options());
        tensor_list saved{projected, before};
        for (std::int64_t begin = 0; begin < s.units; begin += length) {
            const std::int64_t count = s.countOf(begin);
            const Tensor own = projected.narrow(1, begin, count), window = s.window(begin);
            const Tensor to = out.narrow(1, begin, count);
            for (std::int64_t head = 0; head < heads; ++head) {
                const Tensor query = s.ofHead(own, head, 0) * s.scale();
                const Tensor weights = torch::softmax(torch::bmm(query, s.ofHead(window, head, 0).transpose(1, 2)), -1);
                s.ofHead(to, head, 0).copy_(torch::bmm(weights, s.ofHead(window, head, 1)));
                saved.push_back(weights);
            }
        }
        context->save_for_backward(saved);
        context->saved_data["length"] = length;
        context->saved_data["heads"] = heads;
        return out;
    }

    static tensor_list backward(AutogradContext* context, tensor_list gradients) {
        const tensor_list saved = context->get_saved_variables();
        const std::int64_t length = context->saved_data["length"].toInt(), heads = context->saved_data["heads"].toInt();
        const Segments s{saved[0], saved[1], length, heads};
        const Tensor result = torch::empty_like(s.projected);
        std::size_t at = 2;
        for (std::int64_t begin = 0; begin < s.units; begin += length) {
            const std::int64_t count = s.countOf(begin);
            const Tensor own = s.projected.narrow(1, begin, count), window = s.window(begin);
            const Tensor from = gradients[0].narrow(1, begin, count), to = result.narrow(1, begin, count);
            const std::int64_t ahead = window.size(1) - count;
            for (std::int64_t head = 0; head < heads; ++head) {
                const Tensor& weights = saved[at++];
                const Tensor gradient = s.ofHead(from, head, 0);
                const Tensor ofWeights = torch::bmm(gradient, s.ofHead(window, head, 1).transpose(1, 2));
                const Tensor ofScores =
                    at::_softmax_backward_data(ofWeights, weights, -1, weights.scalar_type()) * s.scale();
                s.ofHead(to, head, 0).copy_(torch::bmm(ofScores, s.ofHead(window, head, 0)));
                s.ofHead(to, head, 1)
                    .copy_(torch::bmm(ofScores.narrow(2, ahead, count).transpose(1, 2), s.ofHead(own, head, 0)));
                s.ofHead(to, head, 2).copy_(torch::bmm(weights.narrow(2, ahead, count).transpose(1, 2), gradient));
            }
        }
        return {result, Tensor(), Tensor(), Tensor()};
    }
};

} // namespace

Tensor neighbourMax(const Tensor& values, const Adjacency& neighbours) {
    return NeighbourMax::apply(values, &neighbours);
}

Tensor pickRows(const Tensor& table, std::span<const std::int32_t> rows) {
    const Tensor copy = torch::empty({static_cast<std::int64_t>(rows.size())}, torch::kInt32);
    std::ranges::copy(rows, copy.data_ptr<std::int32_t>());
    return PickRows::apply(table, copy);
}

Tensor segmentAttention(const Tensor& projected, const Tensor& before, std::int64_t segment, std::int64_t heads) {
    const Tensor nothing = torch::empty({projected.size(0), 0, projected.size(2) / 3 * 2}, projected.options());
    return SegmentAttention::apply(projected, before.defined() ? before : nothing, segment, heads);
}

} // namespace opscape::rl
