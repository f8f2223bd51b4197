// SPDX-License-Identifier: MIT
// Published features are the type of an op, the shapes of its outputs and the indices of its neighbours. Types are here
// as kinds of work, among the features of GO, which also tell how long an op takes and where in the step it is.
#include <opscape/rl/hdp/hdp_graph.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace opscape::rl {
namespace {

constexpr std::size_t kOutputs = 2, kDims = 4; ///< of an op that are looked at; of more dimensions the last ones
constexpr std::size_t kShape = kOutputs * kDims;
constexpr std::uint32_t kNeighbours = 10; ///< on each side
constexpr double kLogOfLargest = 10;      ///< about what the logarithm of a large dimension is

/// Adds the op's output shapes.
void addShape(const Graph& graph, OpId op, std::span<float> sums) {
    const auto outputs = graph.outputs(op);
    for (std::size_t output = 0; output < std::min(outputs.size(), kOutputs); ++output) {
        const opscape::Shape& shape = graph.tensor(outputs[output]).shape;
        const std::size_t dims = std::min(shape.size(), kDims);
        for (std::size_t d = 0; d < dims; ++d)
            sums[output * kDims + d] += static_cast<float>(std::max<std::int64_t>(0, shape[shape.size() - dims + d]));
    }
}

/// Divides by the largest number.
void normalize(std::span<float> numbers) {
    const float most = numbers.empty() ? 0 : std::ranges::max(numbers);
    for (float& number : numbers)
        number /= most > 0 ? most : 1;
}

} // namespace

HdpGraph::HdpGraph(const Problem& problem, const OpGroups& groups, int groupCount) : m_graph(opGraph(problem, groups)) {
    const Graph& graph = *problem.graph;
    m_groupCount = std::clamp(groupCount, 1, static_cast<int>(m_graph.units.count()));
    std::map<std::string_view, int> types;
    for (std::size_t op = 0; op < graph.opCount(); ++op)
        types[graph.op(OpId(op)).type] = 0;
    for (auto& [name, index] : types)
        index = m_typeCount++;
    m_shape.resize(graph.opCount() * kShape);
    for (std::size_t op = 0; op < graph.opCount(); ++op) {
        m_typeOf.push_back(types[graph.op(OpId(op)).type]);
        addShape(graph, OpId(op), std::span(m_shape).subspan(op * kShape, kShape));
    }
    addOpFeatures(problem);
}

void HdpGraph::addOpFeatures(const Problem& problem) {
    const DecisionUnits& units = m_graph.units;
    const auto ofGo = static_cast<std::size_t>(DecisionGraph::featureCount());
    m_opFeatureCount = static_cast<int>(ofGo + kShape + 2 * kNeighbours);
    m_opFeatures.reserve(units.count() * static_cast<std::size_t>(m_opFeatureCount));
    for (std::uint32_t unit = 0; unit < units.count(); ++unit) {
        const auto row = m_graph.features.begin() + static_cast<std::ptrdiff_t>(unit * ofGo);
        m_opFeatures.insert(m_opFeatures.end(), row, row + static_cast<std::ptrdiff_t>(ofGo));
        std::array<float, kShape> shape{};
        for (const OpId op : units.ops(unit))
            addShape(*problem.graph, op, shape);
        for (const float size : shape)
            m_opFeatures.push_back(static_cast<float>(std::log1p(size) / kLogOfLargest));
        for (const Adjacency* side : {&m_graph.producers, &m_graph.consumers}) {
            const auto first = static_cast<std::uint32_t>(side->first[unit]);
            const std::uint32_t count = static_cast<std::uint32_t>(side->first[unit + 1]) - first;
            for (std::uint32_t i = 0; i < kNeighbours; ++i)
                m_opFeatures.push_back(i < count ? static_cast<float>(side->items[first + i] + 1) /
                                                       static_cast<float>(units.count())
                                                 : 0.0f);
        }
    }
}

int HdpGraph::groupFeatureCount() const { return 2 * m_groupCount + m_typeCount + static_cast<int>(kShape); }

void HdpGraph::groupFeatures(std::span<const int> groupOf, std::span<float> rows) const {
    const auto width = static_cast<std::size_t>(groupFeatureCount()), groups = static_cast<std::size_t>(m_groupCount);
    const std::size_t types = 2 * groups, shapes = types + static_cast<std::size_t>(m_typeCount);
    std::ranges::fill(rows, 0.0f);
    const auto at = [&](int group, std::size_t column) -> float& {
        return rows[static_cast<std::size_t>(group) * width + column];
    };
    for (std::uint32_t unit = 0; unit < units().count(); ++unit) {
        const int group = groupOf[unit];
        for (std::int32_t i = m_graph.consumers.first[unit]; i < m_graph.consumers.first[unit + 1]; ++i) {
            const int other = groupOf[static_cast<std::size_t>(m_graph.consumers.items[static_cast<std::size_t>(i)])];
            at(group, static_cast<std::size_t>(other)) += 1;
            at(other, groups + static_cast<std::size_t>(group)) += 1;
        }
        for (const OpId op : units().ops(unit)) {
            at(group, types + static_cast<std::size_t>(m_typeOf[op.index()])) += 1;
            for (std::size_t i = 0; i < kShape; ++i)
                at(group, shapes + i) += m_shape[op.index() * kShape + i];
        }
    }
    for (std::size_t group = 0; group < groups; ++group) {
        const auto row = rows.subspan(group * width, width);
        normalize(row.first(types));
        normalize(row.subspan(types, shapes - types));
        normalize(row.subspan(shapes));
    }
}

} // namespace opscape::rl
