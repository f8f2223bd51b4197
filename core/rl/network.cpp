// SPDX-License-Identifier: MIT
// The network of GO (Zhou et al., "Transferable Graph Optimizers for ML Compilers", NeurIPS 2020): GraphSAGE with a
// maximum over sigmoids (Hamilton, Ying, Leskovec 2017), layers scaled by the pooled embedding of the graph, attention
// over segments that also reads the hidden states of the segment before, through which no gradient flows (Dai et al.
// 2019), and one such layer per task that reads what the task before decided. There is no positional encoding: the
// graph embedding carries the place.
//
// Where the paper is silent: layers are residual and read normalised inputs; what a layer adds begins small, and the
// modulation at one, so that an untrained network is close to its first layer.
#include <opscape/rl/network.h>
#include <opscape/rl/segment_max.h>

#include <cmath>

namespace opscape::rl {
namespace {

using torch::Tensor;

constexpr double kBeginSmall = .3;
constexpr double kHeadScale = .17; ///< standard deviation about 0.1
constexpr double kIllegal = -1e9;

/// segmentMax() as a function that torch can differentiate.
class SegmentMax : public torch::autograd::Function<SegmentMax> {
public:
    static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& values,
                          const Adjacency* neighbours) {
        const Tensor dense = values.contiguous();
        Tensor out = torch::empty_like(dense);
        Tensor from = torch::empty(dense.sizes(), torch::kInt32);
        const auto columns = static_cast<std::size_t>(dense.size(1)), size = static_cast<std::size_t>(dense.numel());
        const std::span<std::int32_t> sources(from.data_ptr<std::int32_t>(), size);
        if (dense.scalar_type() == torch::kFloat64)
            segmentMax<double>(*neighbours, {dense.data_ptr<double>(), size}, columns, {out.data_ptr<double>(), size},
                               sources);
        else
            segmentMax<float>(*neighbours, {dense.data_ptr<float>(), size}, columns, {out.data_ptr<float>(), size},
                              sources);
        context->save_for_backward({from});
        return out;
    }

    static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::tensor_list gradients) {
        const Tensor from = context->get_saved_variables()[0];
        const Tensor gradient = gradients[0].contiguous();
        Tensor result = torch::zeros_like(gradient);
        const auto columns = static_cast<std::size_t>(from.size(1)), size = static_cast<std::size_t>(from.numel());
        const std::span<const std::int32_t> sources(from.data_ptr<std::int32_t>(), size);
        if (gradient.scalar_type() == torch::kFloat64)
            segmentMaxBackward<double>({gradient.data_ptr<double>(), size}, sources, columns,
                                       {result.data_ptr<double>(), size});
        else
            segmentMaxBackward<float>({gradient.data_ptr<float>(), size}, sources, columns,
                                      {result.data_ptr<float>(), size});
        return {result, Tensor()};
    }
};

} // namespace

Network::Network(const NetworkOptions& options, std::vector<TaskShape> tasks, std::uint64_t seed)
    : m_options(options),
      m_tasks(std::move(tasks)) {
    if (options.hidden % std::max(1, options.heads) != 0)
        m_options.heads = 1;
    Random random(seed);
    const std::int64_t hidden = options.hidden;
    m_input = addLinear(DecisionGraph::featureCount(), hidden, random);
    for (int i = 0; options.sage && i < options.sageLayers; ++i) {
        Sage sage;
        sage.ofProducers = addLinear(hidden, hidden, random);
        sage.ofConsumers = addLinear(hidden, hidden, random);
        sage.join = addLinear(3 * hidden, hidden, random);
        m_sage.push_back(sage);
    }
    m_trunk = addAttention(random);
    m_ofTasks = addAttention(random);
    for (const TaskShape& task : m_tasks)
        addHead(task, random);
}

std::size_t Network::add(const std::vector<std::int64_t>& shape, double scale, Random& random) {
    m_parameters.push_back(randomParameter(shape, scale, random, type()));
    return m_parameters.size() - 1;
}

Network::Linear Network::addLinear(std::int64_t in, std::int64_t out, Random& random, double scale) {
    Linear layer;
    layer.weight = add({in, out}, scale / std::sqrt(static_cast<double>(in)), random);
    layer.bias = add({out}, 0, random);
    return layer;
}

Network::Attention Network::addAttention(Random& random) {
    const std::int64_t hidden = m_options.hidden;
    Attention layer;
    if (m_options.attention) {
        layer.query = addLinear(hidden, hidden, random);
        layer.key = addLinear(hidden, hidden, random);
        layer.value = addLinear(hidden, hidden, random);
        layer.out = addLinear(hidden, hidden, random, kBeginSmall);
    }
    layer.up = addLinear(hidden, 2 * hidden, random);
    layer.down = addLinear(2 * hidden, hidden, random, kBeginSmall);
    if (m_options.modulation) {
        if (m_options.attention)
            layer.modulateAttention = addLinear(hidden, hidden, random, 0);
        layer.modulateUp = addLinear(hidden, hidden, random, 0);
    }
    return layer;
}

void Network::addHead(const TaskShape& task, Random& random) {
    const std::int64_t hidden = m_options.hidden, inner = m_options.headHidden;
    TaskHead head;
    if (task.features == 0) {
        head.unit = addLinear(hidden, task.actionCount, random, kHeadScale);
        head.embedding = add({task.actionCount, hidden}, kBeginSmall, random);
    } else {
        const double scale = 1 / std::sqrt(static_cast<double>(inner));
        head.unit = addLinear(hidden, inner, random);
        head.features = add({task.features, inner}, 1 / std::sqrt(static_cast<double>(task.features)), random);
        head.own = add({inner, inner}, scale, random);
        head.mean = add({inner, inner}, scale, random);
        head.bias = add({inner}, 0, random);
        head.out = add({inner}, kHeadScale, random);
        head.residual = addLinear(task.features, hidden, random, kBeginSmall);
    }
    m_heads.push_back(head);
}

Tensor Network::apply(const Linear& layer, const Tensor& x) const {
    mayStop();
    return torch::matmul(x, at(layer.weight)) + at(layer.bias);
}

Tensor Network::normalized(const Tensor& x) const { return torch::layer_norm(x, {m_options.hidden}); }

Tensor Network::modulated(const Linear& layer, const Tensor& x, const Tensor& pooled) const {
    return m_options.modulation ? x * (2 * torch::sigmoid(apply(layer, pooled))) : x;
}

Network::Trunk Network::trunk(const Tensor& features, const Adjacency& producers, const Adjacency& consumers) const {
    Tensor x = torch::relu(apply(m_input, features));
    for (const Sage& sage : m_sage) {
        const Tensor before = SegmentMax::apply(torch::sigmoid(apply(sage.ofProducers, x)), &producers);
        const Tensor after = SegmentMax::apply(torch::sigmoid(apply(sage.ofConsumers, x)), &consumers);
        x = x + normalized(torch::relu(apply(sage.join, torch::cat({x, before, after}, 1))));
    }
    const Tensor pooled = normalized(x.mean(0));
    return {attentionLayer(m_trunk, x.unsqueeze(0), pooled), pooled};
}

Tensor Network::taskLayer(std::size_t, const Tensor& below, const Tensor& pooled) const {
    return attentionLayer(m_ofTasks, below, pooled);
}

Tensor Network::attentionLayer(const Attention& layer, const Tensor& x, const Tensor& pooled) const {
    Tensor y = x;
    if (m_options.attention)
        y = y + attend(layer, modulated(layer.modulateAttention, normalized(y), pooled));
    return y + apply(layer.down, torch::relu(apply(layer.up, modulated(layer.modulateUp, normalized(y), pooled))));
}

/// softmax(query key' / sqrt(size)) value, with -1e9 where `hidden`; all [.., unit, size].
Tensor Network::mix(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& hidden) const {
    mayStop();
    Tensor scores = torch::matmul(query / std::sqrt(static_cast<double>(query.size(-1))), key.transpose(-2, -1));
    if (hidden.defined())
        scores = scores + hidden;
    return torch::matmul(torch::softmax(scores, -1), value);
}

Tensor Network::attend(const Attention& layer, const Tensor& x) const {
    if (x.size(1) > m_options.segment)
        return attendSegments(layer, x);
    const std::int64_t samples = x.size(0), units = x.size(1), heads = m_options.heads;
    const auto split = [&](const Tensor& all) {
        return all.view({samples, units, heads, m_options.hidden / heads}).transpose(1, 2);
    };
    const Tensor mixed =
        mix(split(apply(layer.query, x)), split(apply(layer.key, x)), split(apply(layer.value, x)), {});
    return apply(layer.out, mixed.transpose(1, 2).reshape(x.sizes()));
}

Tensor Network::attendSegments(const Attention& layer, const Tensor& x) const {
    const std::int64_t samples = x.size(0), units = x.size(1), segment = m_options.segment, heads = m_options.heads;
    const std::int64_t hidden = m_options.hidden, segments = (units + segment - 1) / segment;
    const std::int64_t missing = segments * segment - units;
    const auto split = [&](const Linear& projection) {
        return torch::constant_pad_nd(apply(projection, x), {0, 0, 0, missing})
            .view({samples, segments, segment, heads, hidden / heads})
            .transpose(2, 3);
    };
    // What the segment before has cached: a constant.
    const auto withBefore = [&](const Tensor& own) {
        const Tensor before = torch::constant_pad_nd(own.detach(), {0, 0, 0, 0, 0, 0, 1, 0}).narrow(1, 0, segments);
        return torch::cat({before, own}, 3);
    };
    Tensor unseen = torch::zeros({segments, 1, 1, 2 * segment}, x.options().requires_grad(false));
    unseen[0].narrow(-1, 0, segment).fill_(kIllegal);
    unseen[segments - 1].narrow(-1, 2 * segment - missing, missing).fill_(kIllegal);
    const Tensor mixed = mix(split(layer.query), withBefore(split(layer.key)), withBefore(split(layer.value)), unseen);
    const Tensor joined = mixed.transpose(2, 3).reshape({samples, segments * segment, hidden});
    return apply(layer.out, joined.narrow(1, 0, units));
}

Tensor Network::residual(std::size_t task, const Tensor& chosen) const {
    const TaskHead& head = m_heads[task];
    return m_tasks[task].features > 0 ? apply(head.residual, chosen) : torch::embedding(at(head.embedding), chosen);
}

Tensor Network::unitRows(std::size_t task, const Tensor& hidden) const { return apply(m_heads[task].unit, hidden); }

Tensor Network::logProbabilities(std::size_t task, const Tensor& rows, const Tensor& seen, const Tensor& mask) const {
    const TaskHead& head = m_heads[task];
    Tensor logits = rows;
    if (m_tasks[task].features > 0) {
        const Tensor legal = mask.to(type()).unsqueeze(-1);
        const Tensor z = torch::relu(rows.unsqueeze(-2) + torch::matmul(seen, at(head.features)));
        const Tensor mean = (z * legal).sum(-2) / legal.sum(-2);
        const Tensor shared = torch::matmul(mean, at(head.mean)) + at(head.bias);
        logits = torch::matmul(torch::relu(torch::matmul(z, at(head.own)) + shared.unsqueeze(-2)), at(head.out));
    }
    return torch::log_softmax(logits.masked_fill(mask.logical_not(), kIllegal), -1);
}

HeadWeights Network::headWeights(std::size_t task) const {
    const TaskHead& head = m_heads[task];
    HeadWeights weights;
    weights.features = m_tasks[task].features;
    weights.hidden = weights.features > 0 ? m_options.headHidden : 0;
    if (weights.features > 0) {
        weights.w2 = numbersOf(at(head.features));
        weights.a = numbersOf(at(head.own));
        weights.b = numbersOf(at(head.mean));
        weights.c = numbersOf(at(head.bias));
        weights.w = numbersOf(at(head.out));
    }
    return weights;
}

} // namespace opscape::rl
