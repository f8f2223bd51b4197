// SPDX-License-Identifier: MIT
// A problem as the policy sees it: decision units in the order in which they are decided, the graph between them, and
// for each a row of features that mean the same on a graph of 500 and of 80,000 ops: ratios, shares and logarithms of
// ratios, never seconds, bytes or names.
#pragma once

#include <opscape/base/result.h>
#include <opscape/plan/problem.h>
#include <opscape/rl/train/train_options.h>
#include <opscape/search/groups.h>
#include <opscape/task/decision_units.h>

namespace opscape::rl {

/// Neighbours as flat rows: those of unit u are items[first[u] .. first[u + 1]), ascending.
struct Adjacency {
    std::vector<std::int32_t> first;
    std::vector<std::int32_t> items;
};

struct DecisionGraph {
    DecisionUnits units;
    Adjacency producers, consumers; ///< distinct, without itself
    std::vector<float> features;    ///< [unit][featureCount()]

    /// Raised when a feature changes its meaning: weights that were learned before mean nothing then.
    static constexpr int kFeatureRevision = 1;
    [[nodiscard]] static int featureCount();
    /// Names of the features, for documentation and tests.
    [[nodiscard]] static std::span<const std::string_view> featureNames();
};

/// Groups of one level, by falling mean upward rank. `groups` as made for the problem.
[[nodiscard]] DecisionGraph groupedGraph(const Problem& problem, const OpGroups& groups, std::size_t level);
/// Every placement unit by itself, in topological order of its first op.
[[nodiscard]] DecisionGraph opGraph(const Problem& problem, const OpGroups& groups);

} // namespace opscape::rl
