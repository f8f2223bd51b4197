// SPDX-License-Identifier: MIT
#include <opscape/cost/op_aliases.h>
#include <opscape/cost/op_cost.h>
#include <opscape/cost/op_rules.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace opscape {
namespace {

struct Table {
    std::vector<OpRule> rules; ///< sorted by type
    std::unordered_map<std::string_view, std::pair<const RuleRow*, OpClass>> rows;
};

const Table& table() {
    static const Table kTable = [] {
        Table made;
        for (const auto& [group, groupClass] :
             {std::pair{matrixRules(), OpClass::Matrix}, std::pair{elementwiseRules(), OpClass::Elementwise},
              std::pair{reductionRules(), OpClass::Reduction}, std::pair{movementRules(), OpClass::Movement},
              std::pair{trainingRules(), OpClass::Elementwise}, std::pair{compilerRules(), OpClass::Matrix}}) {
            for (const RuleRow& row : group) {
                const OpClass opClass = row.opClass.value_or(groupClass);
                made.rules.push_back({row.type, row.formula, opClass});
                made.rows.emplace(row.type, std::pair{&row, opClass});
            }
        }
        std::ranges::sort(made.rules, {}, &OpRule::type);
        return made;
    }();
    return kTable;
}

} // namespace

std::span<const OpRule> opRules() { return table().rules; }

bool hasOpRule(std::string_view type) { return table().rows.contains(ruleTypeOf(type)); }

OpCost opCost(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    const OpView view(graph, id);
    OpCost cost;
    cost.computeType = view.floatType();
    bool isNothing = false; // a view that hands nothing on
    const auto found = table().rows.find(ruleTypeOf(op));
    if (found == table().rows.end()) {
        cost.known = op.flops >= 0;
        cost.bytesMoved = everything(view);
    } else {
        const RuleRow& rule = *found->second.first;
        cost.opClass = found->second.second;
        if (cost.opClass == OpClass::Convolution && view.integer("group", 1) >= kManyGroups)
            cost.opClass = OpClass::GroupedConvolution;
        cost.flops = rule.flops(view);
        cost.workspaceBytes = static_cast<std::int64_t>(rule.workspace(view));
        cost.bytesMoved = rule.traffic(view);
        isNothing = rule.traffic == nothing && !view.hasOutputs();
        if (rule.computeType != DType::Unknown)
            cost.computeType = rule.computeType;
    }
    if (op.flops >= 0)
        cost.flops = static_cast<double>(op.flops);
    if (op.bytesMoved >= 0)
        cost.bytesMoved = static_cast<double>(op.bytesMoved);
    // Where shapes are not known, nothing to do says nothing.
    cost.launches = !cost.known || cost.flops > 0 || cost.bytesMoved > 0 || (view.outputBytes() <= 0 && !isNothing);
    if (op.workspaceBytes > 0)
        cost.workspaceBytes = op.workspaceBytes;
    return cost;
}

} // namespace opscape
