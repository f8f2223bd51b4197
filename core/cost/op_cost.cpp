// SPDX-License-Identifier: MIT
#include <opscape/cost/op_cost.h>

namespace opscape {

std::span<const OpRule> opRules() { return {}; }
bool hasOpRule(std::string_view) { return false; }

OpCost opCost(const Graph& graph, OpId id) {
    OpCost cost;
    cost.known = false;
    for (const TensorId tensor : graph.inputs(id))
        cost.bytesMoved += tensor.valid() ? static_cast<double>(graph.tensorBytes(tensor)) : 0;
    for (const TensorId tensor : graph.outputs(id))
        cost.bytesMoved += static_cast<double>(graph.tensorBytes(tensor));
    return cost;
}

} // namespace opscape
