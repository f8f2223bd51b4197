// SPDX-License-Identifier: MIT
// The workloads on which learned placement was published (Zhou et al. 2020, table 1), and what a combination of
// parameters that cannot be is told.
#include "support/sentence.h"

#include <opscape/zoo/zoo.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(Workloads, AreThePublishedOnesOnThePublishedNumbersOfDevices) {
    std::vector<std::pair<std::string, int>> workloads;
    for (const ZooModel& model : zooModels()) {
        if (model.devices > 1)
            workloads.emplace_back(model.id, model.devices);
    }
    EXPECT_THAT(workloads,
                UnorderedElementsAre(Pair("rnnlm2", 2), Pair("rnnlm4", 4), Pair("rnnlm8", 8), Pair("gnmt2", 2),
                                     Pair("gnmt4", 4), Pair("gnmt8", 8), Pair("txl2", 2), Pair("txl4", 4),
                                     Pair("txl8", 8), Pair("inception32", 2), Pair("inception64", 2),
                                     Pair("amoebanet", 4), Pair("wavenet2", 2), Pair("wavenet4", 4)));
}

TEST(Workloads, GnmtWithEightLayersHasTheEightyThousandOpsOfThePublication) {
    const auto graph = buildZooModel("gnmt8", "paper");
    ASSERT_TRUE(graph) << graph.error().message;
    EXPECT_GE(graph->opCount(), 80'000u);
    EXPECT_LE(graph->opCount(), 90'000u);
}

TEST(Workloads, ALayerMoreOrAStepMoreAddsTheSameNumberOfOpsEachTime) {
    const auto ops = [](std::string_view id, const char* parameter, const char* value) {
        const auto graph = buildZooModel(id, "small", {{parameter, value}});
        EXPECT_TRUE(graph) << (graph ? "" : graph.error().message);
        return graph ? static_cast<int>(graph->opCount()) : 0;
    };
    const std::pair<const char*, const char*> kScaled[] = {
        {"gnmt4", "layers"}, {"txl2", "layers"}, {"bert", "layers"}, {"gpt2", "layers"}, {"inception32", "modules-17"}};
    for (const auto& [id, parameter] : kScaled) {
        const int three = ops(id, parameter, "3"), four = ops(id, parameter, "4"), five = ops(id, parameter, "5");
        EXPECT_GT(four, three) << id;
        EXPECT_EQ(five - four, four - three) << id;
    }
}

TEST(Workloads, CombinationsThatCannotBeAreRefusedInASentence) {
    const auto refusal = [](std::string_view id, const std::map<std::string, std::string>& settings) {
        const auto graph = buildZooModel(id, "small", settings);
        EXPECT_FALSE(graph.has_value()) << id;
        const std::string message = graph ? "" : graph.error().message;
        EXPECT_THAT(message, test::IsOneSentence());
        return message;
    };
    EXPECT_THAT(refusal("bert", {{"heads", "7"}}), HasSubstr("768 cannot be shared out equally among 7 heads"));
    EXPECT_THAT(refusal("gpt2", {{"heads", "5"}}), HasSubstr("768 cannot be shared out equally among 5 heads"));
    EXPECT_THAT(refusal("txl2", {{"heads", "3"}}), HasSubstr("1024 cannot be shared out equally among 3 heads"));
    EXPECT_THAT(refusal("bert", {{"sequence", "16"}}), HasSubstr("20 masked words do not fit into a sequence of 16"));
    EXPECT_THAT(refusal("wavenet2", {{"layers", "17"}}), HasSubstr("17 layers"));
    EXPECT_THAT(refusal("wavenet2", {{"samples", "1000"}}), HasSubstr("3 equal chunks"));
    EXPECT_THAT(refusal("wavenet4", {{"samples", "255"}}), HasSubstr("the widest dilation, 256"));
}

TEST(Workloads, TheSmallestAndOddestParametersStillGiveAGraph) {
    const std::pair<const char*, std::map<std::string, std::string>> kOdd[] = {
        {"gnmt2", {{"source-steps", "1"}, {"target-steps", "1"}, {"batch", "1"}, {"hidden", "1"}, {"vocabulary", "2"}}},
        {"txl2", {{"layers", "1"}, {"segments", "1"}, {"segment", "1"}, {"memory", "3"}, {"batch", "1"}}},
        {"txl2", {{"segment", "5"}, {"memory", "2"}}},
        {"inception32", {{"modules-35", "1"}, {"modules-17", "1"}, {"modules-8", "1"}, {"image", "300"}}},
        {"amoebanet", {{"cells", "1"}, {"filters", "8"}, {"image", "64"}, {"batch", "1"}}},
        {"amoebanet", {{"cells", "2"}, {"filters", "37"}, {"image", "101"}}},
        {"wavenet2", {{"layers", "2"}, {"samples", "3"}, {"batch", "1"}, {"residual", "1"}, {"skip", "1"}}},
        {"resnet50", {{"image", "32"}, {"classes", "2"}}},
        {"vgg19", {{"image", "32"}}},
        {"alexnet", {{"image", "63"}}},
        {"bert", {{"layers", "1"}, {"sequence", "1"}, {"predictions", "1"}, {"batch", "1"}}},
        {"gpt2", {{"layers", "1"}, {"sequence", "1"}, {"batch", "1"}}}};
    for (const auto& [id, settings] : kOdd) {
        const auto graph = buildZooModel(id, "small", settings);
        EXPECT_TRUE(graph) << graph.error().message;
    }
}

} // namespace
} // namespace opscape
