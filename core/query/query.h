// SPDX-License-Identifier: MIT
// The search language: a sentence such as "type:MatMul device:1 time>2ms (critical or not fused) /conv_\d+/" and which
// ops of a graph it fits. Words and /expressions/ are looked for in names; fields are listed in fields.h. What stands
// side by side must hold together; and, or, not and brackets combine. Case does not matter anywhere, in the scripts
// that lowerCase() in core/base/text.h knows. What is equal is so to the precision that was written: time=322us fits
// 321.6 us. More and less are exact.
#pragma once

#include <opscape/plan/problem.h>
#include <opscape/query/regex.h>
#include <opscape/query/tokens.h>
#include <opscape/query/values.h>
#include <opscape/query/words.h>
#include <opscape/sim/schedule.h>

#include <memory>
#include <stop_token>

namespace opscape {

/// What is known of the ops; pointers are borrowed for the call. Graph, scopes and words are always there. Without a
/// plan, times are those on the first device of the cluster.
struct QueryFacts {
    const Graph* graph = nullptr;
    const ScopeTree* scopes = nullptr;
    const GraphWords* words = nullptr;
    const Cluster* cluster = nullptr;
    const CostModel* cost = nullptr;
    const Plan* plan = nullptr;
    const Schedule* schedule = nullptr;
    const std::vector<std::uint8_t>* critical = nullptr; ///< per op
};

class Query {
public:
    /// An empty text is a query that fits every op. An error is one sentence that begins with the column.
    [[nodiscard]] static Result<Query> parse(std::string_view text);

    [[nodiscard]] bool empty() const;
    /// True when another plan may give another answer.
    [[nodiscard]] bool asksPlan() const;
    /// The ops that fit, ascending. Fails where something is asked of a plan and there is none, or of a device that
    /// the cluster does not have, and soon after a stop.
    [[nodiscard]] Result<std::vector<OpId>> match(const QueryFacts& facts, const std::stop_token& stop = {}) const;

    struct Node;

private:
    std::string m_text;
    std::shared_ptr<const Node> m_root; ///< null: fits every op
};

/// One thing that must hold, or how others are combined.
struct Query::Node {
    enum class Kind : std::uint8_t { All, Any, Not, Term };
    Kind kind = Kind::Term;
    std::vector<Node> nodes;
    QueryToken term;
    std::string lower; ///< the term's text in lower case
    Quantity number;   ///< the term's value where it is one
    std::shared_ptr<const Regex> regex;
};

} // namespace opscape
