// SPDX-License-Identifier: MIT
#include "gui/sample_graph.h"

#include <opscape/graph/graph_builder.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace opscape::test {
namespace {

Tensor matrix(std::string name, TensorKind kind) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.kind = kind;
    tensor.dtype = DType::F32;
    tensor.shapeKnown = true;
    tensor.shape = {512, 512};
    return tensor;
}

} // namespace

Graph sampleGraph(int opsEach) {
    GraphBuilder builder("sample");
    TensorId flow = builder.addResident(matrix("input", TensorKind::Input));
    for (int stage = 0; stage < 3; ++stage) {
        std::vector<TensorId> ends;
        for (const char* side : {"left", "right"}) {
            TensorId at = flow;
            for (int i = 0; i < opsEach; ++i) {
                Op op;
                op.name = fmt::format("stage_{}/{}/matmul_{}", stage, side, i);
                op.type = "MatMul";
                const OpId id = builder.addOp(op);
                builder.addInput(id, at);
                builder.addInput(id, builder.addResident(matrix(op.name + ".weight", TensorKind::Weight)));
                at = builder.addOutput(id, matrix(op.name + ":0", TensorKind::Activation));
            }
            ends.push_back(at);
        }
        Op join;
        join.name = fmt::format("stage_{}/join", stage);
        join.type = "Add";
        const OpId id = builder.addOp(join);
        for (const TensorId end : ends)
            builder.addInput(id, end);
        flow = builder.addOutput(id, matrix(join.name + ":0", TensorKind::Activation));
    }
    Diagnostics diagnostics;
    auto graph = std::move(builder).build(diagnostics);
    EXPECT_TRUE(graph.has_value());
    return std::move(*graph);
}

std::shared_ptr<const OpenedGraph> sampleOpened(int opsEach) {
    auto opened = std::make_shared<OpenedGraph>();
    opened->graph = std::make_shared<const Graph>(sampleGraph(opsEach));
    opened->scopes = std::make_shared<const ScopeTree>(*opened->graph);
    opened->format = "opscape-json";
    return opened;
}

ShownRunPtr sampleRun(const std::shared_ptr<const OpenedGraph>& opened, bool split) {
    const auto cluster = Cluster::load("p100x2");
    EXPECT_TRUE(cluster.has_value());
    Plan plan = Plan::allOn(DeviceId(0), opened->graph->opCount());
    for (std::size_t i = 0; split && i < plan.device.size(); ++i) {
        if (opened->graph->op(OpId(i)).name.find("right") != std::string::npos)
            plan.device[i] = DeviceId(1);
    }
    const Workbench workbench("/nonexistent/unused.sqlite");
    auto outcome = workbench.simulatePlan(opened, std::make_shared<const Cluster>(*cluster), plan, false);
    EXPECT_TRUE(outcome.has_value());
    return std::make_shared<const ShownRun>(std::make_shared<const Outcome>(std::move(*outcome)));
}

} // namespace opscape::test
