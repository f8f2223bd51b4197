// SPDX-License-Identifier: MIT
// Models as a person keeps them: cards, what cannot be used and why, in and out.
#include "service/models.h"
#include "support/model_file.h"
#include "support/sentence.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <gmock/gmock.h>

#include <algorithm>

namespace opscape::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const TaskRevisions kTasks{{"placement", 3}, {"scheduling", 1}, {"fusion", 2}};
const TaskRevisions kLearned{{"placement", 3}, {"scheduling", 1}};

class Models : public testing::Test {
protected:
    Models() {
        ::setenv("XDG_DATA_HOME", (m_folder / "user").c_str(), 1);
        ::setenv("OPSCAPE_DATA", (m_folder / "data").c_str(), 1);
    }
    ~Models() override {
        ::unsetenv("XDG_DATA_HOME");
        ::unsetenv("OPSCAPE_DATA");
    }
    [[nodiscard]] std::filesystem::path write(const char* name, const rl::Model& model) const {
        const auto file = m_folder / name;
        EXPECT_TRUE(rl::writeModel(model, file));
        return file;
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const ModelEntry& entry : listModels(kTasks))
            all.push_back(entry.place.name);
        return all;
    }
    static std::string textOf(const ModelEntry& entry, std::string_view title) {
        for (const CardLine& line : cardOf(entry)) {
            if (line.title == title)
                return line.text;
        }
        return "no such line";
    }
    TemporaryFolder m_folder;
};

TEST_F(Models, TheCardSaysHowItWasTrainedAndWhatItReached) {
    const auto file = write("a.opscape-model", sampleModel(kLearned));
    const ModelEntry entry = readEntry({"a", file}, kTasks);
    EXPECT_EQ(entry.problem, "");
    EXPECT_EQ(textOf(entry, "Trained"), "4,968 updates, 635,904 plans, 1.4 h");
    EXPECT_EQ(textOf(entry, "On"), "2 families and random graphs, 300 lessons");
    EXPECT_EQ(textOf(entry, "Held out"), "vgg");
    EXPECT_EQ(textOf(entry, "Sizes"), "100 to 2500 ops on 2 to 16 devices");
    EXPECT_EQ(textOf(entry, "Hash of the lessons"), "0d5df716");
    EXPECT_THAT(textOf(entry, "Options"), testing::AllOf(HasSubstr("seed 7"), HasSubstr("rate 0.0015 to 0.0003")));
    EXPECT_EQ(textOf(entry, "Kept-out graphs"), "gpt2, 2 lessons: greedy 1.153, best of 64 0.950");
    EXPECT_EQ(textOf(entry, "Tasks"), "placement revision 3, scheduling revision 1");
    EXPECT_THAT(textOf(entry, "Features"), HasSubstr("of revision"));
    EXPECT_EQ(textOf(entry, "Made by"), "Opscape 1.2.3");
    EXPECT_EQ(textOf(entry, "Hash of the weights"), rl::modelHash(entry.model));
    EXPECT_GT(entry.bytes, 0);
}

TEST_F(Models, WhatDoesNotMatchThisVersionIsListedWithTheSentenceWhy) {
    rl::Model features = sampleModel(kLearned), task = features, lost = features, wide = features;
    features.network["features"] = "3 of revision 0";
    task.revisions["placement"] = 2;
    lost.network["task colouring"] = "0 actions, 3 features";
    wide.network["hidden"] = "96";
    const std::pair<rl::Model, const char*> cases[] = {{features, "has features 3 of revision 0"},
                                                       {task, "another version of the task placement"},
                                                       {lost, "also trained for task colouring"},
                                                       {wide, "has hidden 96"}};
    for (const auto& [model, why] : cases) {
        const ModelEntry entry = readEntry({"a", write("a.opscape-model", model)}, kTasks);
        EXPECT_THAT(entry.problem, testing::AllOf(IsOneSentence(), HasSubstr(why)));
        EXPECT_EQ(textOf(entry, "Cannot be used"), entry.problem);
    }
    const auto file = m_folder.file("b.opscape-model", "no model");
    EXPECT_THAT(readEntry({"b", file}, kTasks).problem, testing::AllOf(IsOneSentence(), HasSubstr("is not a model")));
}

TEST_F(Models, ARecipeThatIsNotWhatTrainingWritesDoesNoHarm) {
    for (const char* recipe :
         {"", "no JSON", "[]", R"({"recipe": 3})", R"({"lessons": "many", "recipe": {"families": 3}})",
          R"({"recipe": {"ops": [], "devices": {}, "random_share": "x"}})"}) {
        rl::Model model = sampleModel(kLearned);
        model.recipe = recipe;
        const ModelEntry entry = readEntry({"a", write("a.opscape-model", model)}, kTasks);
        EXPECT_EQ(textOf(entry, "Made by"), "Opscape 1.2.3") << recipe;
        EXPECT_EQ(trainedOnText(model), "") << recipe;
    }
}

TEST_F(Models, AreImportedExportedAndDeleted) {
    const auto file = write("mine.opscape-model", sampleModel(kLearned));
    ASSERT_EQ(importModel(file, {}).value_or(""), "mine");
    EXPECT_EQ(importModel(file, {}).value_or(""), "mine") << "the same once more";
    rl::Model another = sampleModel(kLearned);
    another.parameters[0] = 9;
    const auto refused = importModel(write("mine.opscape-model", another), {});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, IsOneSentence());
    EXPECT_EQ(importModel(file, "theirs").value_or(""), "theirs");
    EXPECT_THAT(names(), ElementsAre("mine", "theirs"));
    ASSERT_TRUE(exportModel("mine", m_folder / "out.opscape-model"));
    EXPECT_EQ(rl::modelHash(*rl::readModel(m_folder / "out.opscape-model")), rl::modelHash(sampleModel(kLearned)));

    ASSERT_TRUE(rl::chooseDefaultModel("mine"));
    ASSERT_TRUE(deleteModel("mine"));
    EXPECT_THAT(names(), ElementsAre("theirs"));
    EXPECT_EQ(rl::defaultModel(), rl::kNoModel) << "and is the default no more";
    EXPECT_FALSE(deleteModel(file.string())) << "a file elsewhere";
    EXPECT_FALSE(deleteModel("mine"));
    EXPECT_FALSE(importModel(m_folder.file("c.opscape-model", "no model"), {}));
    EXPECT_FALSE(importModel(file, "no/name"));
}

TEST_F(Models, ThatComeWithTheProductStay) {
    std::filesystem::create_directories(m_folder / "data/models");
    std::ignore = write("data/models/default.opscape-model", sampleModel(kLearned));
    ASSERT_THAT(names(), ElementsAre("bundled/default"));
    EXPECT_TRUE(listModels(kTasks)[0].isDefault);
    const auto refused = deleteModel("bundled/default");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, IsOneSentence());
    EXPECT_THAT(names(), ElementsAre("bundled/default"));
}

TEST_F(Models, TheCurveIsThatOfTheModelOrOfTheFileBesideIt) {
    rl::Model model = sampleModel(kLearned);
    const auto file = write("a.opscape-model", model);
    EXPECT_EQ(curveOf(readEntry({"a", file}, kTasks)).size(), 40U);
    model.curve.clear();
    std::ignore = write("a.opscape-model", model);
    EXPECT_TRUE(curveOf(readEntry({"a", file}, kTasks)).empty());
    ASSERT_TRUE(writeFile(m_folder / "a.curve.csv",
                          "update,seconds,simulations,reward,entropy,kl,clip_fraction,held_out_greedy,"
                          "held_out_best_of_64,held_out_lessons\n"
                          "1,0.5,128,-1.25,2,0.1,0.2,,,\n2,1.5,256,-1.125,2,0.1,0.2,1.5,1.25,4\n3,2.5,38"));
    const auto curve = curveOf(readEntry({"a", file}, kTasks));
    ASSERT_EQ(curve.size(), 2U) << "the last line is being written";
    EXPECT_EQ(curve[0].reward, -1.25);
    EXPECT_FALSE(curve[0].heldOut);
    ASSERT_TRUE(curve[1].heldOut.has_value());
    EXPECT_EQ(curve[1].heldOut->bestOf64, 1.25);
    EXPECT_EQ(curve[1].heldOut->lessons, 4U);
    EXPECT_TRUE(parseTrainingCurve("nothing\nof,the,kind\n\n").empty());
}

} // namespace
} // namespace opscape::test
