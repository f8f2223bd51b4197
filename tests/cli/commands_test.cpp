// SPDX-License-Identifier: MIT
#include "cli_fixture.h"

#include <set>

namespace opscape::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST_F(CliTest, InfoSaysWhatIsInAGraph) {
    const auto info = json({"info", graph()});
    EXPECT_EQ(info["name"], "small");
    EXPECT_EQ(info["format"], "opscape-json");
    EXPECT_EQ(info["ops"], 4);
    EXPECT_EQ(info["edges"], 4);
    EXPECT_EQ(info["op_types"], (nlohmann::json{{"MatMul", 3}, {"Add", 1}}));
    EXPECT_EQ(info["parameter_bytes"], 256 * 256 * 4);
    EXPECT_EQ(info["activation_bytes"], 4 * 256 * 256 * 4);
    EXPECT_EQ(info["scopes"], nlohmann::json::parse(R"([{"name": "body", "ops": 3}])"));
    for (const char* key : {"file_nodes", "file_edges", "folded", "flops", "problems"})
        EXPECT_TRUE(info.contains(key)) << key;
    const ProgramEnd text = run({"info", graph()});
    EXPECT_THAT(text.out, AllOf(HasSubstr("small"), HasSubstr("MatMul"), HasSubstr("256 KiB"), HasSubstr("body")));
}

TEST_F(CliTest, InfoListsTheOpsThatAQueryFits) {
    const auto found = json({"info", graph(), "--find", "type:matmul not /in$/"});
    EXPECT_EQ(found["ops"], 4);
    EXPECT_EQ(found["found"], 2);
    EXPECT_EQ(found["matches"][0]["name"], "body/left");
    EXPECT_EQ(found["matches"][1]["name"], "body/right");
    EXPECT_GT(found["matches"][0]["time_ns"], 0);
    EXPECT_THAT(run({"info", graph(), "--find", "join"}).out,
                AllOf(HasSubstr("join"), HasSubstr("1 of 4 ops fits."), Not(HasSubstr("body"))));
    EXPECT_EQ(run({"info", graph(), "--find", "nowhere"}).out, "0 of 4 ops fit.\n");
}

TEST_F(CliTest, InfoFindsByWhatAPlanSays) {
    ASSERT_TRUE(writeFile(in("plan.json"), R"({"opscape_plan": 1, "ops": {"body/in": {"device": "gpu:0"},
        "body/left": {"device": "gpu:1"}, "body/right": {"device": "gpu:0"}, "join": {"device": "gpu:0"}}})"));
    const auto find = [&](const char* query) {
        return json({"info", graph(), "--find", query, "--cluster", "p100x2", "--plan", in("plan.json")});
    };
    const auto there = find("device:1");
    ASSERT_EQ(there["found"], 1);
    EXPECT_EQ(there["matches"][0]["name"], "body/left");
    EXPECT_EQ(there["matches"][0]["device"], "gpu:1");
    EXPECT_EQ(find("critical cut not device:1")["found"], 2) << "what sends to it and what waits for it";
    EXPECT_EQ(run({"runs", "list", "--json"}).out.find("given"), std::string::npos) << "nothing is kept as a run";
}

TEST_F(CliTest, InfoListsWhatIsOddInAGraph) {
    GraphBuilder builder("odd");
    Op op;
    op.name = "guess";
    op.type = "Add";
    builder.addOutput(builder.addOp(op), Tensor{"t", TensorKind::Activation, DType::F32, false, {}, -1});
    Diagnostics diagnostics;
    ASSERT_TRUE(writeGraph(*std::move(builder).build(diagnostics), in("odd.json")));
    const auto info = json({"info", in("odd.json")});
    EXPECT_FALSE(info["problems"].empty());
    EXPECT_EQ(info["problems"][0]["count"], 1);
    EXPECT_THAT(run({"info", in("odd.json")}).out,
                AllOf(HasSubstr("Problems"), HasSubstr(info["problems"][0]["summary"])));
}

TEST_F(CliTest, HowARunLearnedIsPrintedAsCsvAndAsJson) {
    ASSERT_EQ(run({"optimize", graph(), "--optimizer", "learns", "--set", "updates=7"}).status, 0);
    const auto curve = json({"runs", "curve", "1"});
    EXPECT_EQ(curve["run_id"], 1);
    ASSERT_EQ(curve["points"].size(), 7u);
    EXPECT_EQ(curve["points"][6]["update"], 7);
    EXPECT_EQ(curve["points"][6]["simulations"], 14);
    EXPECT_EQ(curve["points"][3]["kl"], 1e-3 / 4);
    ASSERT_EQ(curve["baselines"].size(), 2u);
    EXPECT_EQ(curve["baselines"][0]["name"], "one device");
    const ProgramEnd csv = run({"runs", "curve", "1"});
    EXPECT_EQ(std::ranges::count(csv.out, '\n'), 8);
    EXPECT_THAT(csv.out, testing::StartsWith("update,seconds,simulations,reward,best_ns,entropy,kl,clip_fraction,"
                                             "value_baseline,policy_loss,imitation_loss,baseline_ns one device,"
                                             "baseline_ns half of it\n1,"));
    EXPECT_EQ(curve["points"][3]["policy_loss"], -.25);
    EXPECT_THAT(csv.out, HasSubstr(fmt::format(",{},{}\n", curve["baselines"][0]["ns"].get<std::int64_t>(),
                                               curve["baselines"][1]["ns"].get<std::int64_t>())));
    ASSERT_EQ(run({"optimize", graph(), "--optimizer", "scatter"}).status, 0);
    ASSERT_EQ(run({"runs", "curve", "1", "-o", in("c.csv")}).status, 0);
    EXPECT_EQ(readFile(in("c.csv")).value_or(""), csv.out);
    ASSERT_EQ(run({"runs", "curve", "1", "-o", in("events.out.tfevents.1")}).status, 0);
    EXPECT_THAT(readFile(in("events.out.tfevents.1")).value_or(""), testing::HasSubstr("brain.Event:2"));
    expectRefused(run({"runs", "curve", "1", "-o", in("c.png")}), 1);
    expectRefused(run({"runs", "curve", "2"}), 1);
    expectRefused(run({"runs", "curve", "3"}), 1);
}

TEST_F(CliTest, TasksListsOptimizersWithTheirOptionsAndBrokenPlugins) {
    std::filesystem::create_directory(in("plugins"));
    std::filesystem::create_symlink(OPSCAPE_BINARY_DIR "/tests/plugins/test.so", in("plugins/test.so"));
    ASSERT_TRUE(writeFile(in("plugins/broken.so"), "not a library"));
    ::setenv("OPSCAPE_PLUGINS", in("plugins").c_str(), 1);
    const auto tasks = json({"tasks"});
    ASSERT_EQ(tasks["optimizers"].size(), 4u);
    EXPECT_EQ(tasks["optimizers"][3]["id"], "waits");
    EXPECT_EQ(tasks["optimizers"][3]["decides"], nlohmann::json::array({"placement"}));
    EXPECT_EQ(tasks["optimizers"][3]["options"][0]["name"], "every");
    EXPECT_EQ(tasks["optimizers"][3]["options"][0]["default"], 5);
    ASSERT_EQ(tasks["plugins"].size(), 2u);
    EXPECT_EQ(tasks["plugins"][0]["loaded"], false);
    EXPECT_NE(tasks["plugins"][0]["error"], "");
    EXPECT_THAT(run({"tasks"}).out,
                AllOf(HasSubstr("--set every=5"), HasSubstr("broken.so"), HasSubstr("integer from 1 to 1000")));
}

TEST_F(CliTest, ClustersListsTheBundledOnes) {
    const auto clusters = json({"clusters"})["clusters"];
    std::set<std::string> ids;
    for (const auto& cluster : clusters) {
        ids.insert(cluster["id"]);
        EXPECT_GT(cluster["devices"], 0);
        EXPECT_EQ(cluster["default"], cluster["id"] == "p100x4");
    }
    EXPECT_TRUE(ids.contains("p100x4"));
    EXPECT_TRUE(ids.contains("p100x2"));
    EXPECT_THAT(run({"clusters"}).out, HasSubstr("p100x4 (the default)"));
}

TEST_F(CliTest, OptimizePrintsItsResultAndKeepsIt) {
    const auto result =
        json({"optimize", graph(), "--cluster", "p100x2", "--optimizer", "scatter", "--seed", "18446744073709551615"});
    for (const char* key : {"ops", "edges", "makespan_ns", "lower_bound_ns", "gap", "peak_bytes", "feasible", "run_id",
                            "optimizer", "wall_ms", "cluster", "link_model"})
        EXPECT_TRUE(result.contains(key)) << key;
    EXPECT_EQ(result["ops"], 4);
    EXPECT_EQ(result["edges"], 4);
    EXPECT_EQ(result["optimizer"], "scatter");
    EXPECT_EQ(result["cluster"], "p100x2");
    EXPECT_EQ(result["seed"], 18446744073709551615ULL);
    EXPECT_GE(result["makespan_ns"], result["lower_bound_ns"]);
    EXPECT_NEAR(result["gap"].get<double>(),
                result["makespan_ns"].get<double>() / result["lower_bound_ns"].get<double>() - 1, 1e-9);
    const auto kept = store().get(result["run_id"].get<std::int64_t>());
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->result->makespanNs, result["makespan_ns"]);
    EXPECT_EQ(kept->graphPath, graph());
    const auto shown = json({"runs", "show", std::to_string(kept->id)});
    EXPECT_EQ(shown, result);
}

TEST_F(CliTest, OptimizeNamesClusterLinksAndDefaultInText) {
    const ProgramEnd end = run({"optimize", graph(), "--optimizer", "scatter"});
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(end.err, "");
    EXPECT_THAT(end.out,
                AllOf(HasSubstr("p100x4 (the default), fifo links"), HasSubstr("step time"), HasSubstr("gpu:3")));
    const ProgramEnd other =
        run({"optimize", graph(), "--optimizer", "scatter", "--cluster", "p100x2", "--link-model", "none"});
    EXPECT_THAT(other.out, AllOf(HasSubstr("p100x2, none links"), Not(HasSubstr("default"))));
}

TEST_F(CliTest, TheLinkModelCanBeOverridden) {
    const std::vector<std::string> words{"optimize", graph(), "--optimizer", "scatter", "--seed", "3", "--link-model"};
    const auto under = [&](const char* model) {
        auto arguments = words;
        arguments.emplace_back(model);
        return json(arguments);
    };
    EXPECT_EQ(under("none")["link_model"], "none");
    EXPECT_EQ(under("fifo")["link_model"], "fifo");
    EXPECT_LE(under("none")["makespan_ns"], under("fifo")["makespan_ns"]);
}

TEST_F(CliTest, APlanWrittenAndSimulatedGivesTheSameStep) {
    const auto result = json({"optimize", graph(), "--optimizer", "scatter", "--seed", "7", "-o", in("plan.json")});
    const auto simulated = json({"simulate", graph(), "--plan", in("plan.json")});
    EXPECT_EQ(simulated["makespan_ns"], result["makespan_ns"]);
    EXPECT_EQ(simulated["peak_bytes"], result["peak_bytes"]);
    EXPECT_EQ(simulated["kind"], "simulate");
    EXPECT_TRUE(simulated["optimizer"].is_null());
    EXPECT_NE(simulated["run_id"], result["run_id"]);
    ASSERT_EQ(run({"runs", "plan", result["run_id"].dump(), "-o", in("exported.json")}).status, 0);
    EXPECT_EQ(*readFile(in("exported.json")), *readFile(in("plan.json")));
}

TEST_F(CliTest, TheSameSeedGivesTheSamePlan) {
    const auto planOf = [this](const char* seed) {
        EXPECT_EQ(run({"optimize", graph(), "--optimizer", "scatter", "--seed", seed, "-o", in("plan.json")}).status,
                  0);
        return *readFile(in("plan.json"));
    };
    EXPECT_EQ(planOf("5"), planOf("5"));
    EXPECT_NE(planOf("5"), planOf("6"));
}

TEST_F(CliTest, TheObjectiveIsTheOptimizersOwnUnlessItIsNamed) {
    EXPECT_EQ(json({"optimize", graph(), "--optimizer", "scatter"})["objective"], "step-time");
    const auto result = json({"optimize", graph(), "--optimizer", "scatter", "--objective", "pipeline"});
    EXPECT_EQ(result["objective"], "pipeline");
    EXPECT_EQ(json({"runs", "show", result["run_id"].dump()}), result) << "it is kept";
    EXPECT_THAT(run({"optimize", graph(), "--optimizer", "scatter", "--objective", "pipeline"}).out,
                testing::ContainsRegex("objective +pipeline"));
    const ProgramEnd refused = run({"optimize", graph(), "--optimizer", "waits", "--objective", "pipeline"});
    expectRefused(refused, 1);
    EXPECT_THAT(refused.err, HasSubstr("waits does not take the objective pipeline"));
    const auto compared = json({"compare", graph(), "--optimizers", "waits,scatter", "--objective", "pipeline"});
    EXPECT_EQ(compared["runs"][0]["status"], "failed");
    EXPECT_EQ(compared["runs"][1]["objective"], "pipeline");
    EXPECT_THAT(run({"tasks"}).out, HasSubstr("decides placement for step-time or pipeline"));
}

TEST_F(CliTest, CompareShowsAFailingOptimizerAndGoesOn) {
    const auto comparison = json({"compare", graph(), "--cluster", "p100x2", "--optimizers", "fails,scatter"});
    EXPECT_EQ(comparison["graph"]["ops"], 4);
    EXPECT_EQ(comparison["graph"]["edges"], 4);
    EXPECT_EQ(comparison["cluster"], "p100x2");
    ASSERT_EQ(comparison["runs"].size(), 2u);
    EXPECT_EQ(comparison["runs"][0]["optimizer"], "fails");
    EXPECT_EQ(comparison["runs"][0]["status"], "failed");
    EXPECT_THAT(comparison["runs"][0]["error"].get<std::string>(), HasSubstr("within the budget"));
    EXPECT_FALSE(comparison["runs"][0].contains("makespan_ns"));
    EXPECT_EQ(comparison["runs"][1]["optimizer"], "scatter");
    EXPECT_GT(comparison["runs"][1]["makespan_ns"], 0);
    EXPECT_GT(comparison["runs"][1]["run_id"], 0);
    const ProgramEnd text = run({"compare", graph(), "--optimizers", "fails,scatter"});
    EXPECT_THAT(text.out, AllOf(HasSubstr("p100x4 (the default) with fifo links"), HasSubstr("us *"),
                                HasSubstr("failed"), HasSubstr("fails: no plan was found")));
}

TEST_F(CliTest, CompareCannotWhenEveryOptimizerFails) {
    const ProgramEnd end = run({"compare", graph(), "--optimizers", "fails,fails"});
    EXPECT_EQ(end.status, 1);
    EXPECT_EQ(store().list()->size(), 2u) << "the failures are kept";
}

TEST_F(CliTest, RunsAreListedTheNewestFirstShownAndDeleted) {
    EXPECT_THAT(run({"runs"}).out, HasSubstr("no runs yet"));
    for (const char* optimizer : {"scatter", "fails", "scatter"})
        std::ignore = run({"optimize", graph(), "--optimizer", optimizer});
    auto list = json({"runs"});
    EXPECT_EQ(list["total"], 3);
    EXPECT_EQ(list["runs"].size(), 3u);
    EXPECT_GT(list["runs"][0]["run_id"], list["runs"][1]["run_id"]);
    EXPECT_EQ(list["runs"][1]["status"], "failed");
    EXPECT_EQ(json({"runs", "list", "--limit", "1"})["runs"].size(), 1u);
    EXPECT_THAT(run({"runs", "--limit", "1"}).out, HasSubstr("the newest 1 of 3"));
    const std::string failed = list["runs"][1]["run_id"].dump();
    EXPECT_THAT(run({"runs", "show", failed}).out, HasSubstr("within the budget"));
    expectRefused(run({"runs", "plan", failed, "-o", in("x.json")}), 1);
    ASSERT_EQ(run({"runs", "delete", failed}).status, 0);
    EXPECT_EQ(json({"runs"})["total"], 2);
}

TEST_F(CliTest, GlobalOptionsMayStandBeforeOrAfterTheCommand) {
    const ProgramEnd before = run({"--json", "clusters"});
    const ProgramEnd after = run({"clusters", "--json"});
    EXPECT_EQ(before.out, after.out);
    EXPECT_TRUE(nlohmann::json::accept(before.out));
    EXPECT_EQ(run({"runs", "--db", in("other.sqlite")}).status, 0);
    EXPECT_TRUE(std::filesystem::exists(in("other.sqlite")));
}

TEST_F(CliTest, RunsAreKeptInTheUsersDataFolderByDefault) {
    const ProgramEnd end =
        Program({OPSCAPE_BINARY_DIR "/bin/opscape-cli", "optimize", graph(), "--optimizer", "scatter"}).wait();
    EXPECT_EQ(end.status, 0) << end.err;
    EXPECT_TRUE(std::filesystem::exists(in("data/opscape/runs.sqlite")));
}

TEST_F(CliTest, ADatabaseThatCannotBeUsedCostsTheRunNotTheResult) {
    const ProgramEnd end =
        run({"optimize", graph(), "--optimizer", "scatter", "--db", graph() + "/runs.sqlite", "--json"});
    EXPECT_EQ(end.status, 0);
    EXPECT_THAT(end.err, HasSubstr("opscape-cli: the run is not kept: "));
    const auto result = nlohmann::json::parse(end.out);
    EXPECT_TRUE(result["run_id"].is_null());
    EXPECT_GT(result["makespan_ns"], 0);
}

} // namespace
} // namespace opscape::test
