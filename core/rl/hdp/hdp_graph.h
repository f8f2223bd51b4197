// SPDX-License-Identifier: MIT
// A problem as HDP sees it: features of every op for the grouper, and, once the ops are in groups, features of the
// groups for the placer. An "op" is what a placement may move: ops that share a device by colocation are one.
#pragma once

#include <opscape/rl/features/decision_graph.h>

#include <span>

namespace opscape::rl {

class HdpGraph {
public:
    HdpGraph(const Problem& problem, const OpGroups& groups, int groupCount);

    [[nodiscard]] const DecisionUnits& units() const { return m_graph.units; }
    [[nodiscard]] int groupCount() const { return m_groupCount; }

    /// [unit][opFeatureCount()]: those of GO, then the sizes of the outputs and where the neighbours are.
    [[nodiscard]] const std::vector<float>& opFeatures() const { return m_opFeatures; }
    [[nodiscard]] int opFeatureCount() const { return m_opFeatureCount; }

    /// Rows of groupFeatureCount() numbers: edges to and from every group, ops of every type, summed output shapes;
    /// each of the three divided by its largest number in the row. `groupOf`: per unit.
    void groupFeatures(std::span<const int> groupOf, std::span<float> rows) const;
    [[nodiscard]] int groupFeatureCount() const;

private:
    void addOpFeatures(const Problem& problem);

    DecisionGraph m_graph;
    int m_groupCount, m_opFeatureCount = 0;
    std::vector<float> m_opFeatures;
    int m_typeCount = 0;
    std::vector<int> m_typeOf;  ///< per op
    std::vector<float> m_shape; ///< per op, kShape numbers
};

} // namespace opscape::rl
