// SPDX-License-Identifier: MIT
// Graphs whose ops have types and shapes, so that fusers find something to do: one written down in a few lines, and
// random ones.
#pragma once

#include "sim/test_problem.h"

#include <opscape/fusion/fusion_groups.h>

namespace opscape::test {

/// Ops of one f32 output each.
class TypedGraph {
public:
    static constexpr std::int64_t kRows = 256; ///< an output is kRows x `columns`

    OpId op(const std::string& name, const std::string& type, std::vector<OpId> reads = {},
            std::int64_t columns = 256) {
        Op op;
        op.name = name;
        op.type = type;
        const OpId id = m_builder.addOp(op);
        for (const OpId producer : reads)
            m_builder.addInput(id, m_outputs[producer.index()]);
        m_outputs.push_back(
            m_builder.addOutput(id, {name + ":0", TensorKind::Activation, DType::F32, true, {kRows, columns}, -1}));
        return id;
    }
    void weight(OpId reader, std::int64_t columns = 256) {
        m_builder.addInput(reader,
                           m_builder.addResident({"", TensorKind::Weight, DType::F32, true, {kRows, columns}, -1}));
    }
    void control(OpId before, OpId after) { m_builder.addControl(before, after); }
    Op& edit(OpId id) { return m_builder.op(id); }

    std::shared_ptr<const Graph> build() {
        Diagnostics diagnostics;
        auto graph = std::move(m_builder).build(diagnostics);
        EXPECT_TRUE(graph.has_value()) << (graph ? "" : graph.error().message);
        return std::make_shared<const Graph>(std::move(*graph));
    }

private:
    GraphBuilder m_builder{"typed"};
    std::vector<TensorId> m_outputs;
};

/// `easy`: elementwise ops of one size only, so that nothing but cycles keeps groups apart.
inline std::shared_ptr<const Graph> randomTypedGraph(Random& random, std::uint32_t ops, bool easy) {
    static constexpr std::array<const char*, 10> kTypes{"Add",     "Mul",    "Relu",    "Expand",    "Transpose",
                                                        "Reshape", "MatMul", "Softmax", "ReduceSum", "TopK"};
    TypedGraph g;
    for (std::uint32_t i = 0; i < ops; ++i) {
        std::vector<OpId> reads;
        for (std::uint32_t k = i == 0 ? 0 : 1 + random.below(3); k > 0; --k)
            reads.emplace_back(i - 1 - random.below(std::min(i, 1 + random.below(12))));
        std::ranges::sort(reads);
        reads.erase(std::ranges::unique(reads).begin(), reads.end());
        const OpId op = g.op(fmt::format("op{}", i), easy ? "Add" : kTypes[random.below(kTypes.size())], reads,
                             easy ? 256 : std::int64_t{64} << random.below(4));
        if (random.below(4) == 0)
            g.weight(op);
        if (i > 0 && random.below(6) == 0)
            g.control(OpId(random.below(i)), op);
        if (easy)
            continue;
        if (random.below(5) == 0)
            g.edit(op).colocation = fmt::format("group{}", random.below(1 + ops / 8));
        if (random.below(5) == 0)
            g.edit(op).timeNs["K"] = 1 + random.below(200'000);
        if (random.below(5) == 0)
            g.edit(op).workspaceBytes = std::int64_t{random.below(30)} << 20;
    }
    return g.build();
}

inline std::vector<DeviceId> allOnFirst(const Problem& problem) {
    return std::vector<DeviceId>(problem.graph->opCount(), DeviceId(0));
}

/// Groups of a Plan as sets of names, each sorted: "a+b c+d+e".
inline std::string groupText(const Graph& graph, const std::vector<std::uint32_t>& groups) {
    std::map<std::uint32_t, std::string> texts;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i] == Plan::kNotFused)
            continue;
        std::string& text = texts[groups[i]];
        text += (text.empty() ? "" : "+") + graph.op(OpId(i)).name;
    }
    std::string all;
    for (const auto& [group, text] : texts)
        all += (all.empty() ? "" : " ") + text;
    return all;
}

} // namespace opscape::test
