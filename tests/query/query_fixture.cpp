// SPDX-License-Identifier: MIT
#include "query_fixture.h"

#include <opscape/graph/graph_builder.h>

namespace opscape::test {

QueryTest::QueryTest() {
    GraphBuilder builder("step");
    const auto add = [&](const char* name, const char* type, Phase phase, std::int64_t us, std::int64_t kib,
                         std::vector<TensorId> inputs) {
        Op op;
        op.name = name;
        op.type = type;
        op.phase = phase;
        op.flops = us * 1000;
        op.timeNs["gpu"] = us * 1000;
        const OpId id = builder.addOp(op);
        for (const TensorId input : inputs)
            builder.addInput(id, input);
        Tensor tensor;
        tensor.name = op.name + ":0";
        tensor.bytes = kib * 1024;
        return builder.addOutput(id, tensor);
    };
    const TensorId a = add("encoder/layer_0/matmul", "MatMul", Phase::Forward, 3000, 2048, {});
    const TensorId b = add("encoder/layer_0/relu", "Relu", Phase::Forward, 100, 2048, {a});
    const TensorId c = add("encoder/layer_1/MatMul", "MatMul", Phase::Forward, 2000, 512, {b});
    const TensorId d = add("/model/conv_12", "Conv", Phase::Forward, 10, 1, {a});
    const TensorId e = add("loss", "Sum", Phase::Forward, 5, 1, {c, d});
    add("grad step", "MatMulGrad", Phase::Backward, 4000, 2048, {e});
    Diagnostics diagnostics;
    auto graph = std::move(builder).build(diagnostics);
    EXPECT_TRUE(graph.has_value());
    auto cluster = Cluster::load("p100x2");
    EXPECT_TRUE(cluster.has_value());
    m_problem = makeProblem(std::make_shared<const Graph>(std::move(*graph)),
                            std::make_shared<const Cluster>(std::move(*cluster)), diagnostics);
    m_scopes = std::make_unique<const ScopeTree>(*m_problem.graph);
    m_words = std::make_unique<const GraphWords>(*m_problem.graph, *m_scopes);
    m_plan = Plan::allOn(DeviceId(1), m_problem.graph->opCount());
    m_plan.device[0] = m_plan.device[1] = DeviceId(0);
    m_plan.policy = QueuePolicy::Priority;
    m_plan.priority = {50, 40, 30, 20, 10, -5};
    m_plan.fusionGroup = {0, 0, Plan::kNotFused, Plan::kNotFused, Plan::kNotFused, Plan::kNotFused};
    m_critical = {1, 1, 1, 0, 1, 1};
    for (int i = 0; i < 6; ++i)
        m_schedule.ops.push_back({i * 1'000'000, i * 1'000'000 + (i == 4 ? 500'000 : 0), (i + 1) * 1'000'000});
    m_facts = {m_problem.graph.get(), m_scopes.get(), m_words.get(), m_problem.cluster.get(),
               m_problem.cost.get(),  &m_plan,        &m_schedule,   &m_critical};
}

std::string QueryTest::find(std::string_view text) const {
    const auto query = Query::parse(text);
    if (!query)
        return query.error().message;
    const auto ops = query->match(m_facts);
    if (!ops)
        return ops.error().message;
    std::string names;
    for (const OpId id : *ops)
        names += (names.empty() ? "" : ", ") + m_problem.graph->op(id).name;
    return names;
}

} // namespace opscape::test
