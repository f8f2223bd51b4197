// SPDX-License-Identifier: MIT
#include <opscape/sim/resident_view.h>

namespace opscape {

bool isResidentView(const Problem& problem, OpId op) {
    const Graph& graph = *problem.graph;
    if (!graph.dataInputs(op).empty() || problem.cost->cost(op).bytesMoved > 0)
        return false;
    std::int64_t viewed = 0;
    for (const TensorId input : graph.inputs(op))
        viewed += input.valid() ? graph.tensorBytes(input) : 0;
    for (const TensorId output : graph.outputs(op))
        viewed -= graph.tensorBytes(output);
    return viewed >= 0;
}

std::int64_t homeBytes(const Problem& problem, TensorId tensor) {
    const OpId producer = problem.graph->producer(tensor);
    return producer.valid() && isResidentView(problem, producer) ? 0 : problem.graph->tensorBytes(tensor);
}

} // namespace opscape
