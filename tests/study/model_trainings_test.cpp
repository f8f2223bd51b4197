// SPDX-License-Identifier: MIT
// Trainings of models under a name: options in and out, who makes them, and what becomes of those that end early.
#include "study/model_trainings.h"
#include "study/transfer_lines.h"
#include "support/child_process.h"
#include "support/sentence.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>
#include <opscape/rl/model/model_shelf.h>

#include <gmock/gmock.h>

#include <thread>

namespace opscape::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TrainingOptions, BecomeARequestAndArgumentsOfTheCommandLine) {
    const TrainingWords words{{"set", "rnnlm, gnmt"}, {"hold-out", "vgg"}, {"validation", "none"}, {"hours", "0.5"},
                              {"seed", "7"},          {"draw", "uniform"}, {"sage", "false"},      {"lessons", "20"},
                              {"hidden", "64"},       {"curriculum", "0"}};
    const auto request = trainingRequest(words);
    ASSERT_TRUE(request) << request.error().message;
    EXPECT_THAT(request->recipe.families, ElementsAre("rnnlm", "gnmt"));
    EXPECT_THAT(request->recipe.holdOut, ElementsAre("vgg"));
    EXPECT_THAT(*request->recipe.validation, ElementsAre());
    EXPECT_EQ(request->recipe.lessons, 20u);
    EXPECT_EQ(request->recipe.seed, 7u);
    EXPECT_EQ(request->seed, 7u);
    EXPECT_EQ(request->options.seconds, 1800);
    EXPECT_EQ(request->options.draw, rl::LessonDraw::Uniform);
    EXPECT_FALSE(request->options.network.sage);
    EXPECT_EQ(request->options.network.hidden, 64);
    EXPECT_EQ(request->options.curriculum, 0);
    EXPECT_THAT(asArguments(words), testing::IsSupersetOf({"--hold-out", "vgg", "--no-sage", "--hours", "0.5"}));
    EXPECT_EQ(trainingShare(words, {.update = 5, .seconds = 900}), .5);
    EXPECT_EQ(trainingShare({{"updates", "20"}}, {.update = 5}), .25);
}

TEST(TrainingOptions, WhatIsNotSaidIsAsTheEngineHasIt) {
    const auto request = trainingRequest({{"set", "all"}, {"updates", "3"}});
    ASSERT_TRUE(request) << request.error().message;
    EXPECT_EQ(request->recipe, LessonRecipe());
    const rl::PretrainOptions defaults;
    EXPECT_EQ(request->options.slots, defaults.slots);
    EXPECT_EQ(request->options.learningRate, defaults.learningRate);
    EXPECT_EQ(request->options.draw, defaults.draw);
    EXPECT_EQ(request->options.curriculum, defaults.curriculum);
    EXPECT_FALSE(request->recipe.validation.has_value()) << "it is chosen";
}

TEST(TrainingOptions, RefuseWhatCannotBeMeant) {
    for (const TrainingWords& words : {TrainingWords{{"set", "all"}},
                                       {{"hours", "1"}},
                                       {{"set", "all"}, {"hours", "1"}, {"updates", "3"}},
                                       {{"set", "all"}, {"hours", "-1"}},
                                       {{"set", "all"}, {"hours", "1"}, {"draws", "x"}},
                                       {{"set", "all"}, {"hours", "1"}, {"draw", "x"}},
                                       {{"set", " , "}, {"hours", "1"}}}) {
        const auto refused = trainingRequest(words);
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.error().message, IsOneSentence());
    }
}

class NamedTrainings : public testing::Test {
protected:
    NamedTrainings() { ::setenv("XDG_DATA_HOME", m_folder.path().c_str(), 1); }
    ~NamedTrainings() override { ::unsetenv("XDG_DATA_HOME"); }
    TemporaryFolder m_folder;
    const TrainingWords m_words{{"set", "vgg, alexnet"}, {"updates", "3"}};
};

TEST_F(NamedTrainings, GoOnInTheProcessThatBeganThemAndAreListedWithTheirOptions) {
    ASSERT_TRUE(beginTraining("mine", m_words));
    const auto all = listTrainings();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].name, "mine");
    EXPECT_EQ(all[0].state, TrainingState::Running);
    EXPECT_EQ(all[0].process, ::getpid());
    EXPECT_EQ(all[0].words.at("set"), "vgg,alexnet");
    ASSERT_TRUE(markPaused("mine", true));
    EXPECT_EQ(findTraining("mine")->state, TrainingState::Paused);
    EXPECT_FALSE(discardTraining("mine")) << "while it goes on";
    ASSERT_TRUE(endTraining("mine", TrainingState::Stopped, ""));
    EXPECT_EQ(findTraining("mine")->state, TrainingState::Stopped);
    EXPECT_FALSE(askTraining("mine", RunWish::Stop));
    const auto other = beginTraining("mine", {{"set", "vgg"}, {"updates", "3"}});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, testing::AllOf(IsOneSentence(), HasSubstr("other options")));
    ASSERT_TRUE(beginTraining("mine", {{"set", "vgg,alexnet"}, {"updates", "3"}})) << "the same, typed otherwise";
    removeTraining("mine");
    EXPECT_TRUE(listTrainings().empty());
}

TEST_F(NamedTrainings, RefuseANameThatIsTakenOrIsNone) {
    std::filesystem::create_directories(rl::userModelFolder());
    ASSERT_TRUE(writeFile(*rl::userModelFile("there"), "a model"));
    for (const char* name : {"there", "no/name", "default"}) {
        const auto refused = beginTraining(name, m_words);
        ASSERT_FALSE(refused) << name;
        EXPECT_THAT(refused.error().message, IsOneSentence());
    }
}

TEST_F(NamedTrainings, OneWhoseProcessIsGoneHasDiedWithItsLastWords) {
    ChildProcess maker([this](const ChildProcess& child) {
        child.tell(beginTraining("mine", m_words) ? "began" : "failed");
        std::this_thread::sleep_for(std::chrono::minutes(5));
        return 0;
    });
    ASSERT_EQ(maker.hear(), "began");
    EXPECT_EQ(findTraining("mine")->process, maker.pid());
    const auto refused = beginTraining("mine", m_words);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, testing::AllOf(IsOneSentence(), HasSubstr(std::to_string(maker.pid()))));
    ASSERT_TRUE(writeFile(TrainingFiles("mine").log, "opscape-cli: out of memory\n"));
    maker.kill();
    EXPECT_EQ(findTraining("mine")->state, TrainingState::Died);
    EXPECT_THAT(findTraining("mine")->why, HasSubstr("out of memory"));
    EXPECT_TRUE(beginTraining("mine", m_words)) << "and is gone on with";
}

TEST_F(NamedTrainings, WhoStartsAProcessNotesWhatItDiedOf) {
    const auto process = startTraining("/bin/false", "mine", m_words);
    ASSERT_TRUE(process) << process.error().message;
    while (!endedTraining(*process, "mine"))
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(findTraining("mine")->state, TrainingState::Failed);
    EXPECT_THAT(findTraining("mine")->why, testing::AllOf(IsOneSentence(), HasSubstr("exit status 1")));
    const auto missing = startTraining(m_folder / "no-such-program", "theirs", m_words);
    ASSERT_FALSE(missing);
    EXPECT_EQ(findTraining("theirs")->state, TrainingState::Failed);
}

TEST_F(NamedTrainings, AFileThatIsNoTrainingIsNone) {
    const TrainingFiles files("mine");
    std::filesystem::create_directories(files.folder);
    for (const char* text : {"", "{}", "[1]", R"({"options": 3, "started_ms": 1, "process": {}, "paused": false})"}) {
        ASSERT_TRUE(writeFile(files.about, text));
        EXPECT_FALSE(findTraining("mine")) << text;
    }
}

TEST(TransferLines, AreMeansOverSeedsUnderTheBestScheduler) {
    std::vector<TransferRow> rows;
    const auto add = [&rows](const char* method, std::uint64_t seed, std::int64_t ns, const char* heldOut,
                             const char* model, const char* scheduler = "own", bool feasible = true) {
        TransferRow row;
        row.workload = "gnmt4";
        row.devices = 4;
        row.optimizer = method;
        row.scheduler = scheduler;
        row.seed = seed;
        row.stepTimeNs = ns;
        row.feasible = feasible;
        row.heldOut = heldOut;
        row.model = model;
        rows.push_back(row);
    };
    add("go-zero-shot", 1, 100, "gnmt", "a");
    add("go-zero-shot", 1, 80, "gnmt", "a", "rank");
    add("go-zero-shot", 1, 10, "gnmt", "a", "fifo", false);
    add("go-zero-shot", 2, 20, "gnmt", "b");
    add("expert", 1, 50, "-", "-");
    const auto all = transferLines(rows, {});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].heldOut, "gnmt");
    EXPECT_NEAR(all[0].greedyNs, 40, 1e-9);
    EXPECT_NEAR(all[0].expertNs, 50, 1e-9);
    EXPECT_EQ(all[0].fineTunedNs, 0) << "there is none";
    EXPECT_NEAR(transferLines(rows, "b")[0].greedyNs, 20, 1e-9);
    EXPECT_TRUE(transferLines(rows, "c").empty());
}

} // namespace
} // namespace opscape::test
