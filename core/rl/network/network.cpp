// SPDX-License-Identifier: MIT
// The network of GO (Zhou et al., "Transferable Graph Optimizers for ML Compilers", NeurIPS 2020): GraphSAGE with a
// maximum over sigmoids (Hamilton, Ying, Leskovec 2017), layers scaled by the pooled embedding of the graph, attention
// over segments that also reads the hidden states of the segment before, through which no gradient flows (Dai et al.
// 2019), and one such layer per task that reads what the task before decided. There is no positional encoding: the
// graph embedding carries the place.
//
// Where the paper is silent: layers are residual and read normalised inputs; what a layer adds begins small, and the
// modulation at one, so that an untrained network is close to its first layer.
#include <opscape/rl/network/functions.h>
#include <opscape/rl/network/network.h>

#include <cmath>

namespace opscape::rl {
namespace {

using torch::Tensor;

constexpr double kBeginSmall = .3;
constexpr double kHeadScale = .17; ///< standard deviation about 0.1
constexpr double kIllegal = -1e9;

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

Tensor Network::apply(const Linear& layer, const Tensor& x) const { return apply(at(layer.weight), at(layer.bias), x); }

Tensor Network::apply(const Tensor& weight, const Tensor& bias, const Tensor& x) const {
    mayStop();
    std::vector<std::int64_t> sizes = x.sizes().vec();
    sizes.back() = weight.size(1);
    return torch::addmm(bias, x.reshape({-1, x.size(-1)}), weight).view(sizes);
}

Tensor Network::normalized(const Tensor& x) const { return torch::layer_norm(x, {m_options.hidden}); }

/// Scales what the weight reads: on the weight, which has fewer rows than there are units.
Tensor Network::modulated(const Linear& by, const Tensor& weight, const Tensor& pooled) const {
    if (!m_options.modulation)
        return weight;
    return weight * (2 * torch::sigmoid(torch::matmul(pooled, at(by.weight)) + at(by.bias))).unsqueeze(1);
}

Network::Embedding Network::embed(const Tensor& features, const Adjacency& producers,
                                  const Adjacency& consumers) const {
    Tensor x = torch::relu(apply(m_input, features));
    for (const Sage& sage : m_sage) {
        const Tensor before = neighbourMax(torch::sigmoid(apply(sage.ofProducers, x)), producers);
        const Tensor after = neighbourMax(torch::sigmoid(apply(sage.ofConsumers, x)), consumers);
        x = x + normalized(torch::relu(apply(sage.join, torch::cat({x, before, after}, 1))));
    }
    return {x, normalized(x.mean(0))};
}

Tensor Network::trunkLayer(const Tensor& units, const Tensor& pooled, Tensor& memory) const {
    return attentionLayer(m_trunk, units, pooled, memory);
}

Tensor Network::taskLayer(const Tensor& below, const Tensor& pooled, Tensor& memory) const {
    return attentionLayer(m_ofTasks, below, pooled, memory);
}

Tensor Network::attentionLayer(const Attention& layer, const Tensor& x, const Tensor& pooled, Tensor& memory) const {
    const Tensor y = m_options.attention ? x + attend(layer, x, pooled, memory) : x;
    const Tensor up = apply(modulated(layer.modulateUp, at(layer.up.weight), pooled), at(layer.up.bias), normalized(y));
    return y + apply(layer.down, torch::relu(up));
}

Tensor Network::attend(const Attention& layer, const Tensor& x, const Tensor& pooled, Tensor& memory) const {
    const std::int64_t hidden = m_options.hidden, segment = m_options.segment, units = x.size(1);
    const Tensor weight = torch::cat({at(layer.query.weight), at(layer.key.weight), at(layer.value.weight)}, 1);
    const Tensor bias = torch::cat({at(layer.query.bias), at(layer.key.bias), at(layer.value.bias)});
    const Tensor projected = apply(modulated(layer.modulateAttention, weight, pooled), bias, normalized(x));
    const Tensor before = memory;
    if (units >= segment) // else nothing follows
        memory = projected.detach().narrow(1, units - segment, segment).narrow(2, hidden, 2 * hidden).clone();
    return apply(layer.out, segmentAttention(projected, before, segment, m_options.heads));
}

Tensor Network::residual(std::size_t task, const Tensor& features) const {
    return apply(m_heads[task].residual, features);
}

Tensor Network::residual(std::size_t task, std::span<const std::int32_t> actions) const {
    return pickRows(at(m_heads[task].embedding), actions);
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
