// SPDX-License-Identifier: MIT
#include "study/graph_families.h"
#include "study/lesson_clusters.h"
#include "study/lesson_models.h"
#include "study/lesson_set.h"
#include "support/sentence.h"

#include <opscape/zoo/random_graphs.h>
#include <opscape/zoo/zoo.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace opscape::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Quickly made.
LessonRecipe smallRecipe() {
    LessonRecipe recipe;
    recipe.lessons = 36;
    recipe.validationLessons = 4;
    recipe.mostOps = 900;
    recipe.families = {"recurrent", "transformer", "inception", "wavenet", "plain"}; // an AmoebaNet has 2,000 ops
    return recipe;
}

LessonSet made(const LessonRecipe& recipe) {
    auto set = makeLessons(recipe, {});
    EXPECT_TRUE(set) << set.error().message;
    return set ? std::move(*set) : LessonSet();
}

std::set<std::string> familiesIn(const std::vector<rl::Lesson>& lessons) {
    std::set<std::string> families;
    for (const rl::Lesson& lesson : lessons)
        families.insert(lesson.family);
    return families;
}

bool isRandom(const rl::Lesson& lesson) { return parseRandomFamily(lesson.family).has_value(); }

TEST(GraphFamilies, CoverTheZooEachOnce) {
    const auto families = graphFamilies();
    EXPECT_EQ(std::set(families.begin(), families.end()).size(), families.size());
    for (const ZooModel& model : zooModels())
        EXPECT_NE(superFamilyOf(familyOf(model.id)), nullptr) << model.id;
    EXPECT_EQ(familyOf("gpt2"), "gpt2");
    EXPECT_EQ(familyOf("inception64"), "inception");
    EXPECT_EQ(familyOf("grid-1"), "");
}

TEST(GraphFamilies, ExpandSuperFamiliesAndRefuseOthers) {
    const std::vector<std::string> names{"bert", "recurrent"}, all{"all"}, unknown{"gnmt8"};
    EXPECT_EQ(*expandFamilies(names), (std::vector<std::string>{"rnnlm", "gnmt", "bert"}));
    EXPECT_EQ(*expandFamilies(all), graphFamilies());
    const auto refused = expandFamilies(unknown);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, testing::AllOf(IsOneSentence(), HasSubstr("gnmt8"), HasSubstr("recurrent")));
}

TEST(VariedModels, CanBeDrawnOfEveryFamily) {
    for (const std::string& family : graphFamilies()) {
        std::set<std::string> names;
        Random random(1);
        std::size_t built = 0;
        for (int i = 0; i < 4; ++i) {
            const VariedModel varied = varyModel(family, random);
            names.insert(varied.name);
            EXPECT_EQ(familyOf(varied.model), family);
            const auto graph = buildZooModel(varied.model, "small", varied.settings);
            built += graph ? 1 : 0;
            EXPECT_TRUE(graph || family == "wavenet") << graph.error().message; // not every depth suits every length
        }
        EXPECT_GT(names.size(), 1u) << family;
        EXPECT_GT(built, 0u) << family;
    }
}

TEST(LessonClusters, AreMadeOfBundledKindsAndHaveTheBandwidthTheySay) {
    const ClusterShape shape{{"V100"}, 6, 12e9, true};
    const auto cluster = makeCluster(shape);
    ASSERT_TRUE(cluster) << cluster.error().message;
    EXPECT_EQ(cluster->id(), "6 x v100 in pairs, 12 GB/s");
    EXPECT_EQ(cluster->deviceCount(), 6u);
    EXPECT_EQ(cluster->kindOf(DeviceId(5)).memoryBytes, Cluster::load("v100x8")->kindOf(DeviceId(0)).memoryBytes);
    EXPECT_EQ(cluster->routeBandwidth(DeviceId(0), DeviceId(1)), 12e9);
    EXPECT_EQ(cluster->route(DeviceId(0), DeviceId(1)).size(), 2u);
    EXPECT_EQ(cluster->route(DeviceId(0), DeviceId(2)).size(), 4u) << "through both switches";
    EXPECT_EQ(makeCluster({{"P100", "A100"}, 3, 4e9})->kindCount(), 2u);
    EXPECT_FALSE(makeCluster({{"H100"}, 2, 4e9}));
}

TEST(LessonSets, AreTheSameForTheSameRecipeAndOthersForAnotherSeed) {
    LessonRecipe recipe = smallRecipe();
    const LessonSet first = made(recipe), second = made(recipe);
    ASSERT_EQ(first.training.size(), second.training.size());
    EXPECT_EQ(first.hash, second.hash);
    EXPECT_EQ(first.leftOut, second.leftOut);
    for (std::size_t i = 0; i < first.training.size(); ++i) {
        EXPECT_EQ(first.training[i].name, second.training[i].name);
        EXPECT_EQ(first.training[i].problem.graph->hash(), second.training[i].problem.graph->hash());
    }
    recipe.seed = 2;
    EXPECT_NE(made(recipe).hash, first.hash);
}

TEST(LessonSets, HaveThePromisedSizesDevicesAndRandomShare) {
    const LessonRecipe recipe = smallRecipe();
    const LessonSet set = made(recipe);
    ASSERT_EQ(set.training.size(), recipe.lessons);
    std::set<std::size_t> devices;
    std::set<std::string> clusters, randomFamilies;
    for (const auto* lessons : {&set.training, &set.validation}) {
        for (const rl::Lesson& lesson : *lessons) {
            EXPECT_GE(lesson.problem.graph->opCount(), recipe.leastOps) << lesson.name;
            EXPECT_LE(lesson.problem.graph->opCount(), recipe.mostOps) << lesson.name;
            EXPECT_GE(lesson.problem.cluster->deviceCount(), 2u) << lesson.name;
            EXPECT_LE(lesson.problem.cluster->deviceCount(), 16u) << lesson.name;
            EXPECT_THAT(lesson.name, HasSubstr(" on "));
            devices.insert(lesson.problem.cluster->deviceCount());
            clusters.insert(lesson.problem.cluster->id());
            if (isRandom(lesson))
                randomFamilies.insert(lesson.family);
        }
    }
    EXPECT_GE(3 * static_cast<std::size_t>(std::ranges::count_if(set.training, isRandom)), set.training.size());
    EXPECT_TRUE(std::ranges::none_of(set.validation, isRandom));
    EXPECT_EQ(randomFamilies.size(), kRandomFamilies.size());
    EXPECT_GE(devices.size(), 4u);
    EXPECT_GE(clusters.size(), 10u);
}

TEST(LessonSets, KeepEveryHeldOutFamilyOutOfTrainingAndValidation) {
    for (const SuperFamily& super : superFamilies()) {
        LessonRecipe recipe;
        recipe.lessons = 24;
        recipe.validationLessons = 3;
        recipe.holdOut = {std::string(super.name)};
        const LessonSet set = made(recipe);
        const std::set<std::string> training = familiesIn(set.training), validation = familiesIn(set.validation),
                                    heldOut = familiesIn(set.heldOut);
        ASSERT_EQ(validation.size(), 1u) << super.name;
        EXPECT_NE(superFamilyOf(*validation.begin()), &super) << "settings are not chosen on their kind either";
        EXPECT_FALSE(training.contains(*validation.begin()));
        for (const std::string_view family : super.families) {
            EXPECT_FALSE(training.contains(std::string(family)));
            EXPECT_TRUE(heldOut.contains(std::string(family)));
        }
        EXPECT_GE(training.size(), 8u) << "all the others are there";
        EXPECT_EQ(&set.watched(), &set.validation);
    }
}

TEST(LessonSets, LeaveOutAndCountWhatFitsInMemoryWithNoSimplePlan) {
    LessonRecipe recipe = smallRecipe();
    recipe.families = {"vgg"}; // its activations of large batches and images take tens of GiB
    recipe.randomShare = 0;
    recipe.validation.emplace();
    recipe.lessons = 12;
    recipe.mostDevices = 2;
    const LessonSet set = made(recipe);
    EXPECT_EQ(set.training.size(), 12u);
    EXPECT_GT(set.leftOut, 0u);
    EXPECT_THAT(set.validation, IsEmpty());
}

TEST(LessonSets, TakePublishedWorkloadsAsTheyAre) {
    LessonRecipe recipe = smallRecipe();
    recipe.workloads = {"rnnlm2", "txl4"};
    recipe.lessons = 0;
    recipe.validation.emplace();
    const LessonSet set = made(recipe);
    ASSERT_EQ(set.training.size(), 2u);
    EXPECT_EQ(set.training[1].name, "txl4 on p100x4");
    EXPECT_EQ(set.training[1].problem.graph->hash(), buildZooModel("txl4", "small")->hash());
}

TEST(LessonSets, RefuseInASentenceWhatLeavesNothingToLearn) {
    const auto refused = [](const LessonRecipe& recipe) {
        const auto set = makeLessons(recipe, {});
        EXPECT_FALSE(set);
        return set ? std::string() : set.error().message;
    };
    LessonRecipe recipe = smallRecipe();
    recipe.holdOut = {"all"};
    EXPECT_THAT(refused(recipe), IsOneSentence());
    recipe = smallRecipe();
    recipe.families = {"alexnet"};
    recipe.leastOps = 140;
    EXPECT_THAT(refused(recipe), testing::AllOf(IsOneSentence(), HasSubstr("alexnet")));
    recipe = smallRecipe();
    recipe.workloads = {"gnmt2"};
    recipe.holdOut = {"gnmt"};
    EXPECT_THAT(refused(recipe), testing::AllOf(IsOneSentence(), HasSubstr("gnmt2")));
    recipe.workloads = {"resnet50"};
    EXPECT_THAT(refused(recipe), testing::AllOf(IsOneSentence(), HasSubstr("resnet50")));
    std::stop_source stop;
    stop.request_stop();
    RunContext context;
    context.stop = stop.get_token();
    EXPECT_FALSE(makeLessons(smallRecipe(), context));
}

TEST(LessonRecipes, AreReadBackAsTheyAreWritten) {
    LessonRecipe recipe = smallRecipe();
    recipe.holdOut = {"transformer"};
    recipe.randomShare = .5;
    recipe.leastDevices = 4;
    EXPECT_EQ(*parseRecipe(recipeText(recipe), "r.json"), recipe) << recipeText(recipe);
    recipe.validation = std::vector<std::string>{"vgg"};
    recipe.workloads = {"gnmt4"};
    EXPECT_EQ(*parseRecipe(recipeText(recipe), "r.json"), recipe);
    EXPECT_EQ(*parseRecipe(R"({"opscape_recipe": 1})", "r.json"), LessonRecipe());
}

TEST(LessonRecipes, AreRefusedWithThePlaceOfTheMistake) {
    const auto refusedWith = [](std::string_view text, const char* place) {
        const auto recipe = parseRecipe(text, "r.json");
        ASSERT_FALSE(recipe) << text;
        EXPECT_THAT(recipe.error().message,
                    testing::AllOf(IsOneSentence(), testing::StartsWith("r.json: "), HasSubstr(place)));
    };
    refusedWith("{", "byte");
    refusedWith("[]", "the recipe");
    refusedWith(R"({"families": ["all"]})", "opscape_recipe");
    refusedWith(R"({"opscape_recipe": 2})", "newer");
    refusedWith(R"({"opscape_recipe": 1, "holdout": ["gnmt"]})", "holdout");
    refusedWith(R"({"opscape_recipe": 1, "hold_out": "gnmt"})", "hold_out");
    refusedWith(R"({"opscape_recipe": 1, "hold_out": [1]})", "hold_out");
    refusedWith(R"({"opscape_recipe": 1, "lessons": -1})", "lessons");
    refusedWith(R"({"opscape_recipe": 1, "lessons": 1000000})", "lessons");
    refusedWith(R"({"opscape_recipe": 1, "random_share": 1.5})", "random_share");
    refusedWith(R"({"opscape_recipe": 1, "ops": [300, 200]})", "ops");
    refusedWith(R"({"opscape_recipe": 1, "devices": [1, 8]})", "devices");
    refusedWith(R"({"opscape_recipe": 1, "devices": [2.5, 8]})", "devices");
}

} // namespace
} // namespace opscape::test
