// SPDX-License-Identifier: MIT
// Fused groups and orders as no sound file has them, brought to what a plan can hold.
#include <opscape/graph/graph_builder.h>
#include <opscape/io/read/file_plan.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t kAlone = Plan::kNotFused;

/// Ops 0, 1, ... and the edges between them.
GraphFile fileOf(int ops, std::initializer_list<std::pair<int, int>> edges, std::vector<std::uint32_t> groups) {
    GraphBuilder builder("g");
    for (int i = 0; i < ops; ++i) {
        Op op;
        op.name = fmt::format("op{}", i);
        op.type = "Relu";
        builder.addOp(std::move(op));
    }
    for (const auto& [from, to] : edges)
        builder.addControl(OpId(static_cast<std::size_t>(from)), OpId(static_cast<std::size_t>(to)));
    GraphFile file;
    Diagnostics none;
    file.graph = *std::move(builder).build(none);
    file.fusionGroup = std::move(groups);
    return file;
}

TEST(FilePlan, AGroupThatAPathLeavesAndComesBackToIsDissolved) {
    GraphFile file = fileOf(5, {{0, 1}, {1, 2}, {3, 4}}, {7, kAlone, 7, 2, 2});
    keepSoundPlan(file);
    EXPECT_THAT(file.fusionGroup, ElementsAre(kAlone, kAlone, kAlone, 2u, 2u));
    ASSERT_EQ(file.diagnostics.count("fusion-dissolved"), 1u);
    EXPECT_THAT(file.diagnostics.entries().front().examples, ElementsAre("the group of op0"));
}

TEST(FilePlan, GroupsThatWaitForOneAnotherAreDissolvedTogether) {
    GraphFile file = fileOf(6, {{0, 1}, {2, 3}, {4, 5}}, {0, 1, 1, 0, 2, 2});
    keepSoundPlan(file);
    EXPECT_THAT(file.fusionGroup, ElementsAre(kAlone, kAlone, kAlone, kAlone, 2u, 2u));
    EXPECT_EQ(file.diagnostics.count("fusion-dissolved"), 2u);
}

TEST(FilePlan, SoundGroupsStay) {
    GraphFile file = fileOf(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, {0, 1, 1, kAlone});
    keepSoundPlan(file);
    EXPECT_THAT(file.fusionGroup, ElementsAre(0u, 1u, 1u, kAlone));
    EXPECT_THAT(file.diagnostics.entries(), IsEmpty());
}

TEST(FilePlan, OpsBeforeWhatTheyWaitForAreCountedWhereThereIsAnOrder) {
    for (const bool isScheduled : {false, true}) {
        GraphFile file = fileOf(3, {{1, 0}, {1, 2}}, {});
        file.isScheduled = isScheduled;
        keepSoundPlan(file);
        EXPECT_EQ(file.diagnostics.count("order-mended"), isScheduled ? 1u : 0u);
        EXPECT_EQ(file.isScheduled, isScheduled);
    }
}

} // namespace
} // namespace opscape
