// SPDX-License-Identifier: MIT
// Policies made on the command line and carried to another graph, with the engine as it is.
#include "cli_fixture.h"

#include <opscape/base/paths.h>

#include <algorithm>

namespace opscape::test {
namespace {

using testing::HasSubstr;

class CliTrainTest : public CliTest {
protected:
    CliTrainTest() {
        ::unsetenv("OPSCAPE_PLUGINS");
        EXPECT_TRUE(writeFile(in("recipe.json"), R"({"opscape_recipe": 1, "families": ["alexnet"], "lessons": 2,
            "validation": ["vgg"], "validation_lessons": 1, "random_share": 0, "ops": [100, 300], "devices": [2, 2]})"));
    }

    [[nodiscard]] std::vector<std::string> train(std::vector<std::string> more) const {
        std::vector<std::string> words{"train", "--set", in("recipe.json"),    "--slots", "1", "--samples",
                                       "4",     "-o",    in("a.opscape-model")};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

TEST_F(CliTrainTest, MakesAModelThatGoBeginsWith) {
    const auto facts = json(train({"--updates", "2", "--curve", in("curve.csv"), "--save", in("state")}));
    EXPECT_EQ(facts["lessons"], 2);
    EXPECT_EQ(facts["updates"], 2);
    EXPECT_EQ(facts["held_out"]["lessons"], 1);
    EXPECT_GT(facts["held_out"]["best_of_64"], 0);
    const std::string curve = *readFile(in("curve.csv"));
    EXPECT_TRUE(curve.starts_with("update,seconds,")) << curve;
    EXPECT_THAT(curve, HasSubstr("\n2,"));

    const auto zeroShot = json({"optimize", graph(), "--optimizer", "go", "--set", "model=" + in("a.opscape-model"),
                                "--set", "zero-shot=greedy"});
    EXPECT_GT(zeroShot["makespan_ns"], 0);

    const ProgramEnd more = run(train({"--updates", "3", "--curve", in("curve.csv"), "--resume", in("state")}));
    EXPECT_EQ(more.status, 0) << more.err;
    EXPECT_THAT(more.out, HasSubstr("3 updates"));
    EXPECT_THAT(more.out, HasSubstr("--set model=" + in("a.opscape-model")));
    const std::string longer = *readFile(in("curve.csv"));
    EXPECT_TRUE(longer.starts_with(curve)) << "it goes on";
    EXPECT_THAT(longer, HasSubstr("\n3,"));
}

TEST_F(CliTrainTest, EndsWithTheModelSoFarWhenInterrupted) {
    Program program(command(train({"--hours", "1", "--curve", in("curve.csv")})));
    const auto learns = [this] {
        const auto curve = readFile(in("curve.csv"));
        return curve && curve->find("\n1,") != std::string::npos;
    };
    ASSERT_TRUE(eventually(learns));
    program.signal(SIGINT);
    const ProgramEnd end = program.wait();
    EXPECT_EQ(end.status, 3) << end.err;
    EXPECT_THAT(end.err, HasSubstr("stopped; this is the model so far."));
    EXPECT_TRUE(std::filesystem::exists(in("a.opscape-model")));
}

TEST_F(CliTrainTest, RefusesWhatItCannotDo) {
    expectRefused(run(train({})), 2);
    expectRefused(run(train({"--updates", "1", "--hours", "1"})), 2);
    expectRefused(run(train({"--updates", "1", "--protocol", "go-two"})), 2);
    expectRefused(run(train({"--updates", "1", "--draw", "sometimes"})), 2);
    expectRefused(run(train({"--updates", "1", "--hold-out", "all"})), 1);
    expectRefused(run({"train", "--set", "alexnet9", "--updates", "1", "-o", in("m")}), 1);
    expectRefused(run({"train", "--set", in("none.json"), "--updates", "1", "-o", in("m")}), 1);
    expectRefused(run({"train", "--set", "all", "--updates", "1", "-o", in("none/m")}), 1);
    ASSERT_TRUE(writeFile(in("recipe.json"), R"({"opscape_recipe": 1, "lesson": 2})"));
    const ProgramEnd end = run(train({"--updates", "1"}));
    expectRefused(end, 1);
    EXPECT_THAT(end.err, HasSubstr("lesson"));
}

TEST_F(CliTrainTest, JudgesAPolicyOnTheFamilyThatItHasNotSeen) {
    const std::vector<std::string> words{
        "bench",           "transfer", "--families", "alexnet", "--methods", "go-zero-shot,expert", "--seeds", "1",
        "--train-updates", "1",        "--lessons",  "3",       "-o",        in("transfer.csv")};
    const ProgramEnd end = run(words);
    EXPECT_EQ(end.status, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("One family held out"));
    EXPECT_THAT(end.out, HasSubstr("expert / go-zero-shot\n")) << "questions that nothing answers are not there";
    const std::string table = *readFile(in("transfer.csv"));
    EXPECT_THAT(table, HasSubstr(",simulations,held_out,model\n# opscape-cli "));
    EXPECT_THAT(table, HasSubstr("\nalexnet,small,4,go-zero-shot,own,none,1,0,"));
    EXPECT_THAT(table, HasSubstr(",1,alexnet,")) << "what the policy says is one plan, which nothing refines";
    EXPECT_TRUE(std::filesystem::exists(in("transfer_models/alexnet-1.opscape-model")));
    const ProgramEnd again = run(words);
    EXPECT_THAT(end.out, HasSubstr("[1/2] alexnet, "));
    EXPECT_THAT(end.out, HasSubstr("[2/2] alexnet, "));
    EXPECT_THAT(again.out, testing::Not(HasSubstr("[1/2]"))) << "rows that it has are not made again";
    EXPECT_EQ(again.out, end.out.substr(end.out.find("One family held out")));
    EXPECT_EQ(*readFile(in("transfer.csv")), table);
    expectRefused(run({"bench", "transfer", "--families", "gnmt8", "-o", in("transfer.csv")}), 1);
    expectRefused(run({"bench", "transfer", "--families", "gnmt", "-o", in("recipe.json")}), 1);
}

TEST_F(CliTrainTest, AStoppedStudyOfTransferIsTheSameStatus) {
    Program program(command({"bench", "transfer", "--families", "alexnet", "--methods", "go-zero-shot", "--seeds", "1",
                             "--train-seconds", "100000", "--lessons", "3", "-o", in("transfer.csv")}));
    ASSERT_TRUE(eventually([this] { return std::filesystem::exists(in("transfer_models/alexnet-1.state")); }));
    program.signal(SIGINT);
    const ProgramEnd end = program.wait();
    EXPECT_EQ(end.status, 3) << end.err;
    EXPECT_THAT(end.err, HasSubstr("the same command goes on"));
}

TEST_F(CliTrainTest, OfTwoElasticProcessesTheOneThatIsLeftGoesOnAlone) {
    ::setenv("WORLD_SIZE", "2", 1);
    ::setenv("MASTER_ADDR", "127.0.0.1", 1);
    ::setenv("MASTER_PORT", std::to_string(20'000 + ::getpid() % 20'000).c_str(), 1);
    std::vector<std::string> words =
        train({"--hours", "1", "--curve", in("curve.csv"), "--save", in("state"), "--elastic"});
    *std::ranges::find(words, "1") = "2"; // slots
    ::setenv("RANK", "0", 1);
    Program first(command(words));
    ::setenv("RANK", "1", 1);
    Program second(command(words));
    for (const char* name : {"WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "RANK"})
        ::unsetenv(name);
    const auto lastUpdate = [this] {
        const std::string curve = readFile(in("curve.csv")).value_or("");
        const std::size_t line = curve.size() < 2 ? std::string::npos : curve.rfind('\n', curve.size() - 2);
        return line == std::string::npos ? 0 : std::atoi(curve.c_str() + line + 1);
    };
    ASSERT_TRUE(eventually([&] { return lastUpdate() >= 2; }));
    second.signal(SIGKILL);
    EXPECT_EQ(second.wait().status, -SIGKILL);
    const int atLoss = lastUpdate();
    ASSERT_TRUE(eventually([&] { return lastUpdate() >= atLoss + 2; }));
    first.signal(SIGINT);
    const ProgramEnd end = first.wait();
    EXPECT_EQ(end.status, 3) << end.err;
    EXPECT_THAT(end.err, HasSubstr("this one goes on alone from its last state."));
    EXPECT_TRUE(std::filesystem::exists(in("a.opscape-model")));
    expectRefused(run(train({"--updates", "1", "--elastic"})), 2);
}

TEST_F(CliTrainTest, ANamedTrainingIsStoppedGoneOnWithAndUsedByItsName) {
    const std::vector<std::string> words{"train",  "--set", in("recipe.json"), "--slots", "1", "--samples", "4",
                                         "--name", "mine",  "--updates",       "400"};
    Program program(command(words));
    const auto shipped = json({"models"});
    const auto trainings = [this] { return json({"models"})["trainings"]; };
    const std::filesystem::path curve = in("data/opscape/models/mine.training/curve.csv");
    ASSERT_TRUE(eventually([&] { return readFile(curve).value_or("").find("\n1,") != std::string::npos; }));
    ASSERT_EQ(trainings().size(), 1U);
    EXPECT_EQ(trainings()[0]["state"], "training");
    EXPECT_EQ(trainings()[0]["options"]["updates"], "400");
    EXPECT_EQ(run({"models", "pause", "mine"}).status, 0);
    ASSERT_TRUE(eventually([&] { return trainings()[0]["state"] == "paused"; }));
    expectRefused(run(words), 1);
    EXPECT_EQ(run({"models", "resume", "mine"}).status, 0);
    ASSERT_TRUE(eventually([&] { return trainings()[0]["state"] == "training"; }));
    EXPECT_EQ(run({"models", "stop", "mine"}).status, 0);
    EXPECT_EQ(program.wait().status, 3);
    EXPECT_EQ(trainings()[0]["state"], "stopped");
    expectRefused(run({"models", "pause", "mine"}), 1);
    const auto soFar = json({"models", "show", "mine"});
    EXPECT_GT(soFar["updates"], 0);
    EXPECT_EQ(soFar["problem"], "");
    ASSERT_EQ(soFar["held_out"]["rows"].size(), 1U);
    EXPECT_EQ(soFar["held_out"]["rows"][0]["family"], "vgg");

    const ProgramEnd rest = run({"models", "resume", "mine"});
    EXPECT_EQ(rest.status, 0) << rest.err;
    EXPECT_EQ(json({"models", "show", "mine"})["updates"], 400);
    EXPECT_TRUE(trainings().empty()) << "it is finished";
    EXPECT_EQ(run({"models", "default", "mine"}).status, 0);
    EXPECT_EQ(json({"models"})["default"], "mine");
    const auto greedy = json({"optimize", graph(), "--optimizer", "go", "--set", "zero-shot=greedy"});
    const auto byName =
        json({"optimize", graph(), "--optimizer", "go", "--set", "model=mine", "--set", "zero-shot=greedy"});
    EXPECT_EQ(greedy["makespan_ns"], byName["makespan_ns"]);
    EXPECT_EQ(run({"models", "export", "mine", "-o", in("out.opscape-model")}).status, 0);
    EXPECT_EQ(run({"models", "import", in("out.opscape-model")}).status, 0);
    EXPECT_EQ(json({"models"})["models"].size(), shipped["models"].size() + 2);
    EXPECT_EQ(run({"models", "delete", "mine"}).status, 0);
    EXPECT_EQ(json({"models"})["default"], shipped["default"]);
    expectRefused(run({"models", "show", "mine"}), 1);
    expectRefused(run({"models", "import", in("recipe.json")}), 1);
    expectRefused(run({"models", "default", "mine"}), 1);
    expectRefused(run({"models", "sell", "mine"}), 2);
    expectRefused(run({"train", "--set", "all", "--updates", "1", "--name", "a", "-o", in("m")}), 2);
}

TEST_F(CliTrainTest, SaysWhatSeveralProcessesAreWorth) {
    const auto facts =
        json({"bench", "scaling", "--processes", "2", "--updates", "6", "--lessons", "2", "--model", "8"});
    ASSERT_EQ(facts["rows"].size(), 3);
    EXPECT_GT(facts["weights"], 10'000);
    EXPECT_EQ(facts["rows"][0]["processes"], 1);
    EXPECT_EQ(facts["rows"][0]["sums_s"], 0);
    EXPECT_DOUBLE_EQ(facts["rows"][0]["measured_s"], facts["rows"][0]["model_s"])
        << "what is measured is its own model";
    EXPECT_GT(facts["rows"][1]["measured_s"], 0);
    EXPECT_FALSE(facts["rows"][2].contains("measured_s"));
    EXPECT_GT(facts["rows"][2]["model_s"], facts["rows"][1]["model_s"]) << "more wait for the slowest";
    const ProgramEnd end = run({"bench", "scaling", "--processes", "8", "--lessons", "4"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.err, HasSubstr("as many as processes"));
}

} // namespace
} // namespace opscape::test
