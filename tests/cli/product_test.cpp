// SPDX-License-Identifier: MIT
// The product as it comes: its own optimizers on real models and on the bundled graphs.
#include "cli_fixture.h"

namespace opscape::test {
namespace {

class CliProductTest : public CliTest {
protected:
    CliProductTest() { ::unsetenv("OPSCAPE_PLUGINS"); }
};

TEST_F(CliProductTest, EveryOptimizerIsListedAndEveryPluginLoads) {
    const auto tasks = json({"tasks"});
    std::vector<std::string> ids;
    for (const auto& optimizer : tasks["optimizers"])
        ids.push_back(optimizer["id"]);
    EXPECT_THAT(ids, testing::IsSupersetOf({"expert", "heft", "metis", "single"}));
    for (const auto& plugin : tasks["plugins"])
        EXPECT_EQ(plugin["loaded"], true) << plugin;
    EXPECT_EQ(tasks["tasks"].at(0)["id"], "placement");
    EXPECT_EQ(tasks["tasks"].at(1)["id"], "scheduling");
    EXPECT_EQ(tasks["tasks"].at(2)["id"], "fusion");
}

TEST_F(CliProductTest, EveryPlanCanBeFusedAndOrderedByTheDefaults) {
    const std::string file = OPSCAPE_SOURCE_DIR "/data/graphs/rnnlm4_small.json";
    const std::vector<std::string> compare{"compare",     file,           "--cluster",
                                           "p100x4",      "--optimizers", "single,expert,heft,fuse",
                                           "--scheduler", "fbi",          "--fuser"};
    const auto with = [&](const char* fuser) {
        std::vector<std::string> words = compare;
        words.emplace_back(fuser);
        return json(words)["runs"];
    };
    const auto none = with("none"), fused = with("time-saved");
    ASSERT_EQ(none.size(), 4u);
    for (std::size_t i = 0; i < none.size(); ++i) {
        SCOPED_TRACE(none[i]["optimizer"]);
        EXPECT_LE(fused[i]["makespan_ns"], none[i]["makespan_ns"]);
        EXPECT_GE(fused[i]["makespan_ns"], fused[i]["lower_bound_ns"]) << "the bound is that of the fused plan";
        EXPECT_EQ(fused[i]["options"]["fuser"], "time-saved");
        EXPECT_EQ(fused[i]["options"]["scheduler"], "fbi");
    }
    EXPECT_LT(fused[0]["makespan_ns"], none[0]["makespan_ns"])
        << "on one device nothing waits: all that is saved counts";
    EXPECT_THAT(run({"optimize", file, "--optimizer", "heft", "--fuser", "elementwise"}).out,
                testing::HasSubstr("for this fusion"));
}

TEST_F(CliProductTest, TheExactSearchSaysWhatItProvedAndDevicesSayWhyTheyIdle) {
    const std::vector<std::string> exact{"optimize", graph(), "--cluster", "p100x2", "--optimizer", "exact"};
    const ProgramEnd text = run(exact);
    EXPECT_THAT(text.out, testing::ContainsRegex("verdict  +(optimal, proven|stopped|not searched)"));
    EXPECT_THAT(text.out, testing::ContainsRegex("idle +all .*nothing left"));
    const auto run = json(exact);
    EXPECT_THAT(std::string(run["verdict"]), testing::ContainsRegex("proven|lower bound"));
    for (const auto& device : run["devices"]) {
        std::int64_t sumNs = device["busy_ns"];
        for (const auto& ns : device["idle_ns"])
            sumNs += ns.get<std::int64_t>();
        EXPECT_EQ(sumNs, run["makespan_ns"]);
    }
}

TEST_F(CliProductTest, ModelsAreComparedKeptAndShownAgain) {
    struct Model {
        const char* name;
        int fileNodes, fileEdges;
    };
    for (const Model& model : {Model{"light_inception_v1", 237, 263}, Model{"light_resnet50", 415, 430},
                               Model{"light_squeezenet", 105, 112}}) {
        SCOPED_TRACE(model.name);
        const std::string file = std::string(OPSCAPE_SHARED_DATA "/onnx/") + model.name + ".onnx";
        if (!std::filesystem::exists(file))
            GTEST_SKIP() << "skipped: no shared/data";
        const auto info = json({"info", file});
        EXPECT_EQ(info["file_nodes"], model.fileNodes);
        EXPECT_EQ(info["file_edges"], model.fileEdges);
        const auto comparison =
            json({"compare", file, "--cluster", "p100x4", "--optimizers", "single,expert,metis,heft"});
        ASSERT_EQ(comparison["runs"].size(), 4u);
        for (const auto& run : comparison["runs"]) {
            EXPECT_EQ(run["status"], "finished");
            EXPECT_EQ(run["feasible"], true);
            EXPECT_EQ(run["ops"], info["ops"]);
            EXPECT_GE(run["makespan_ns"], run["lower_bound_ns"]);
            const auto shown = json({"runs", "show", run["run_id"].dump()});
            EXPECT_EQ(shown["makespan_ns"], run["makespan_ns"]);
            EXPECT_TRUE(shown["problems"].empty()) << shown["problems"];
        }
    }
}

} // namespace
} // namespace opscape::test
