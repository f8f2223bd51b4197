// SPDX-License-Identifier: MIT
#include <opscape/cost/op_cost.h>
#include <opscape/zoo/counts.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

constexpr std::array<std::string_view, 7> kProducts{"Conv", "ConvGradFilter", "ConvGradInput", "ConvTranspose",
                                                    "Gemm", "MatMul",         "Einsum"};

double multiplyAdds(const Graph& graph, OpId id) {
    const std::string& type = graph.op(id).type;
    if (std::ranges::find(kProducts, type) == kProducts.end())
        return 0;
    double flops = opCost(graph, id).flops;
    const bool mayHaveBias = type == "Conv" || type == "ConvTranspose" || type == "Gemm";
    if (mayHaveBias && graph.inputs(id).size() > 2 && graph.inputs(id)[2].valid()) // one addition per result
        flops -= static_cast<double>(elementCount(graph.tensor(graph.outputs(id)[0]).shape).value_or(0));
    return flops / 2;
}

} // namespace

GraphCounts countGraph(const Graph& graph) {
    GraphCounts counts;
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
        const Tensor& tensor = graph.tensor(TensorId(t));
        if (tensor.kind == TensorKind::Weight && tensor.shapeKnown)
            counts.parameters += elementCount(tensor.shape).value_or(0);
    }
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const Phase phase = graph.op(OpId(i)).phase;
        if (phase != Phase::Update)
            (phase == Phase::Forward ? counts.forwardMultiplyAdds : counts.backwardMultiplyAdds) +=
                multiplyAdds(graph, OpId(i));
    }
    return counts;
}

} // namespace opscape
