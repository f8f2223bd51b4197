// SPDX-License-Identifier: MIT
#include <opscape/cost/op_cost.h>
#include <opscape/cost/op_rules.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace opscape {
namespace {

struct Table {
    std::vector<OpRule> rules; ///< sorted by type
    std::unordered_map<std::string_view, const RuleRow*> rows;
};

const Table& table() {
    static const Table kTable = [] {
        Table made;
        for (const auto& group :
             {matrixRules(), elementwiseRules(), reductionRules(), movementRules(), trainingRules()}) {
            for (const RuleRow& row : group) {
                made.rules.push_back({row.type, row.formula});
                made.rows.emplace(row.type, &row);
            }
        }
        std::ranges::sort(made.rules, {}, &OpRule::type);
        return made;
    }();
    return kTable;
}

} // namespace

std::span<const OpRule> opRules() { return table().rules; }

bool hasOpRule(std::string_view type) { return table().rows.contains(type); }

OpCost opCost(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    const OpView view(graph, id);
    OpCost cost;
    cost.computeType = view.floatType();
    const auto found = table().rows.find(op.type);
    if (found == table().rows.end()) {
        cost.known = op.flops >= 0;
        cost.bytesMoved = everything(view);
    } else {
        const RuleRow& rule = *found->second;
        cost.flops = rule.flops(view);
        cost.bytesMoved = rule.traffic(view);
        if (rule.computeType != DType::Unknown)
            cost.computeType = rule.computeType;
    }
    if (op.flops >= 0)
        cost.flops = static_cast<double>(op.flops);
    if (op.bytesMoved >= 0)
        cost.bytesMoved = static_cast<double>(op.bytesMoved);
    return cost;
}

} // namespace opscape
