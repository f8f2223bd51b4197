// SPDX-License-Identifier: MIT
#include "search/training_graph.h"
#include "sim/textbook.h"

#include <opscape/io/format.h>
#include <opscape/search/groups.h>
#include <opscape/sim/ranks.h>

#include <map>
#include <set>

namespace opscape {
namespace {

using test::makeTestProblem;

OpGroups grouped(const Problem& problem, std::span<const std::uint32_t> fusionGroup = {}) {
    auto groups = groupOps(problem, ScopeTree(*problem.graph), upwardRanks(problem), fusionGroup);
    EXPECT_TRUE(groups.has_value()) << (groups ? "" : groups.error().message);
    return *groups;
}

void expectSound(const Problem& problem, const OpGroups& groups, const GroupLevel& level) {
    const auto ranks = upwardRanks(problem);
    const std::size_t ops = problem.graph->opCount();
    SCOPED_TRACE(level.name);
    ASSERT_EQ(level.groupOf.size(), ops);
    ASSERT_EQ(level.members.size(), ops);
    std::vector<int> seen(ops);
    double before = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < level.groupCount(); ++i) {
        const std::uint32_t group = level.order[i];
        EXPECT_EQ(level.place[group], i);
        ASSERT_FALSE(level.ops(group).empty());
        EXPECT_TRUE(std::ranges::is_sorted(level.ops(group)));
        double sum = 0;
        for (const OpId op : level.ops(group)) {
            ++seen[op.index()];
            EXPECT_EQ(level.groupOf[op.index()], group);
            sum += static_cast<double>(ranks[op.index()]);
        }
        const double mean = sum / static_cast<double>(level.ops(group).size());
        if (&level != &groups.layers) {
            EXPECT_LE(mean, before);
        }
        before = mean;
        EXPECT_LT(level.layer[group], groups.layers.groupCount());
    }
    EXPECT_TRUE(std::ranges::all_of(seen, [](int count) { return count == 1; }));
    for (std::size_t unit = 0; unit < groups.units.count(); ++unit) {
        for (const OpId op : groups.units.ops(unit))
            EXPECT_EQ(level.groupOf[op.index()], level.groupOf[groups.units.ops(unit)[0].index()]);
    }
}

void expectSound(const Problem& problem, const OpGroups& groups) {
    for (const GroupLevel& level : groups.levels)
        expectSound(problem, groups, level);
    expectSound(problem, groups, groups.layers);
    EXPECT_LE(groups.layers.groupCount(), OpGroups::kMostLayers);
    for (std::size_t i = 0; i < OpGroups::kSizes.size(); ++i) {
        EXPECT_LE(groups.levels[i].groupCount(), OpGroups::kSizes[i]);
        EXPECT_EQ(groups.levels[i].groupCount(),
                  std::min<std::size_t>(OpGroups::kSizes[i], groups.levels[OpGroups::kOps].groupCount()));
        if (i == 0)
            continue;
        std::map<std::uint32_t, std::uint32_t> coarser;
        for (std::size_t op = 0; op < problem.graph->opCount(); ++op) {
            const auto at = coarser.try_emplace(groups.levels[i].groupOf[op], groups.levels[i - 1].groupOf[op]).first;
            EXPECT_EQ(at->second, groups.levels[i - 1].groupOf[op]) << "finer groups lie inside coarser ones";
        }
    }
    EXPECT_EQ(groups.levels[OpGroups::kOps].groupCount(), groups.units.count());
}

TEST(OpGroups, CoverEveryOpOnceAtEveryLevelOnRandomGraphs) {
    Random random(31);
    for (int round = 0; round < 25; ++round) {
        const Problem problem =
            makeTestProblem(test::randomGraph(random, 1 + random.below(600)), test::randomShape(random));
        expectSound(problem, grouped(problem));
    }
}

TEST(OpGroups, WorkOnAGraphOfOneOp) {
    test::TinyGraph g;
    g.op("only", 10);
    const Problem problem = makeTestProblem(g.build(), test::ClusterShape());
    expectSound(problem, grouped(problem));
}

TEST(OpGroups, KeepColocatedAndFusedOpsTogether) {
    test::TinyGraph g;
    std::vector<OpId> ops;
    for (int i = 0; i < 200; ++i)
        ops.push_back(
            g.op(fmt::format("scope{}/op{}", i / 10, i), 10, i == 0 ? std::vector<OpId>{} : std::vector{ops.back()}));
    for (const std::size_t i : {3u, 77u, 150u})
        g.edit(ops[i]).colocation = "together";
    const Problem problem = makeTestProblem(g.build(), test::ClusterShape());
    std::vector<std::uint32_t> fusion(200, Plan::kNotFused);
    fusion[77] = fusion[78] = fusion[79] = 5;
    const OpGroups groups = grouped(problem, fusion);
    expectSound(problem, groups);
    EXPECT_EQ(groups.units.unitOf[3], groups.units.unitOf[79]) << "through op 77, which is in both";
    EXPECT_EQ(groups.units.count(), 200 - 4);
}

TEST(OpGroups, RefusePinsThatContradictColocation) {
    test::TinyGraph g;
    const OpId a = g.op("a", 10), b = g.op("b", 10);
    g.edit(a).colocation = g.edit(b).colocation = "pair";
    Problem problem = makeTestProblem(g.build(), test::ClusterShape());
    problem.pins = {DeviceId(0), DeviceId(1)};
    const auto groups = groupOps(problem, ScopeTree(*problem.graph), upwardRanks(problem));
    ASSERT_FALSE(groups.has_value());
    EXPECT_EQ(groups.error().message,
              "a and b must share a device but are pinned to d0 and d1: remove one of the pins.");
    problem.pins = {DeviceId(), DeviceId(1)};
    EXPECT_EQ(grouped(problem).units.pinOf(OpId(0)), DeviceId(1)) << "a follows the pin of b";
}

TEST(OpGroups, NeverMixForwardBackwardAndUpdate) {
    const Problem problem = makeTestProblem(test::lstmTrainingGraph(3, 8), test::acceleratorShape(4));
    const OpGroups groups = grouped(problem);
    expectSound(problem, groups);
    for (const GroupLevel& level : groups.levels) {
        for (std::uint32_t group = 0; group < level.groupCount(); ++group) {
            const Phase phase = problem.graph->op(level.ops(group)[0]).phase;
            for (const OpId op : level.ops(group))
                EXPECT_EQ(problem.graph->op(op).phase, phase);
        }
    }
}

TEST(OpGroups, AChunkOfSeveralStepsLiesInOneLayer) {
    const Problem problem = makeTestProblem(test::lstmTrainingGraph(3, 8), test::acceleratorShape(4));
    const OpGroups groups = grouped(problem);
    const auto layerName = [&](OpId op) {
        std::string name = problem.graph->op(op).name;
        if (name.starts_with("gradients/"))
            name = name.substr(name.find('/') + 1);
        return name.substr(0, name.find('/'));
    };
    const GroupLevel& level = groups.levels[1];
    std::set<std::string> large;
    for (std::uint32_t group = 0; group < level.groupCount(); ++group) {
        std::set<std::string> names;
        for (const OpId op : level.ops(group))
            names.insert(layerName(op));
        if (level.ops(group).size() > 20) {
            EXPECT_EQ(names.size(), 1u);
        }
        if (names.size() == 1 && level.ops(group).size() > 30)
            large.insert(*names.begin());
    }
    EXPECT_TRUE(large.contains("layer_0") && large.contains("layer_1") && large.contains("layer_2"));
}

TEST(OpGroups, KnowLayersWhetherStepsAreInsideOrOutside) {
    const Problem inside = makeTestProblem(test::lstmTrainingGraph(3, 8), test::acceleratorShape(4));
    const Problem outside = makeTestProblem(test::lstmTrainingGraph(3, 8, 2048, true), test::acceleratorShape(4));
    const OpGroups a = grouped(inside), b = grouped(outside);
    EXPECT_EQ(a.layers.groupCount(), 6u) << "embedding, three layers, softmax, loss";
    EXPECT_EQ(a.layers.groupOf, b.layers.groupOf);
    for (std::size_t level = 0; level < OpGroups::kLevels; ++level)
        EXPECT_EQ(a.levels[level].groupOf, b.levels[level].groupOf) << a.levels[level].name;
    std::vector<std::string> order;
    for (const std::uint32_t layer : a.layers.order)
        order.push_back(inside.graph->op(a.layers.ops(layer)[0]).name.substr(0, 7));
    EXPECT_EQ(order, (std::vector<std::string>{"embeddi", "layer_0", "layer_1", "layer_2", "softmax", "loss/Su"}));
}

TEST(OpGroups, KnowLayersUnderScopesThatNameThePhaseAndWeightsThatAreReadByAnOp) {
    const auto file = readGraph(std::filesystem::path(OPSCAPE_SOURCE_DIR) / "data" / "graphs" / "rnnlm4_small.json");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    const Problem problem = makeTestProblem(std::make_shared<const Graph>(file->graph), test::acceleratorShape(4));
    const OpGroups groups = grouped(problem);
    const auto layerOf = [&](std::string_view name) {
        const OpId op = problem.graph->findOp(name);
        EXPECT_TRUE(op.valid()) << name;
        return groups.layers.groupOf[op.index()];
    };
    const std::uint32_t second = layerOf("forward/layer_1/step_0/matmul");
    EXPECT_EQ(layerOf("forward/layer_1/step_5/hidden"), second);
    EXPECT_EQ(layerOf("forward/layer_1/weights/read"), second);
    EXPECT_EQ(layerOf("update/layer_1/bias/momentum"), second);
    for (std::size_t op = 0; op < problem.graph->opCount(); ++op) {
        const std::string& name = problem.graph->op(OpId(op)).name;
        EXPECT_EQ(groups.layers.groupOf[op] == second, name.find("/layer_1/") != std::string::npos) << name;
    }
    EXPECT_LE(groups.layers.groupCount(), 8u);
}

TEST(OpGroups, FollowStructureWhereNamesHaveNoScopes) {
    test::TinyGraph g;
    std::vector<OpId> ops;
    for (int i = 0; i < 500; ++i)
        ops.push_back(g.op(fmt::format("op{}", i), 10, i == 0 ? std::vector<OpId>{} : std::vector{ops.back()}));
    const Problem problem = makeTestProblem(g.build(), test::ClusterShape());
    const OpGroups groups = grouped(problem);
    expectSound(problem, groups);
    const GroupLevel& level = groups.levels[0];
    for (std::uint32_t group = 0; group < level.groupCount(); ++group) {
        const auto members = level.ops(group);
        EXPECT_EQ(members.back().value - members.front().value + 1, members.size()) << "a run of the chain";
        EXPECT_LE(members.size(), 50u);
    }
}

} // namespace
} // namespace opscape
