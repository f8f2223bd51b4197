// SPDX-License-Identifier: MIT
// What a file says of a plan, from the file to a kept run: fusion, order, devices, and what of it cannot be kept.
#include "service/file_plan.h"
#include "service/run_again.h"
#include "support/scheduled_module.h"
#include "support/sentence.h"
#include "support/small_graph.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>
#include <opscape/plan/plan_check.h>

#include <gmock/gmock.h>

#include <set>

namespace opscape::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint32_t kAlone = Plan::kNotFused;

class FilePlanTest : public testing::Test {
protected:
    FilePlanTest() { ::setenv("OPSCAPE_PLUGINS", OPSCAPE_BINARY_DIR "/tests/plugins", 1); }
    ~FilePlanTest() override { ::unsetenv("OPSCAPE_PLUGINS"); }

    [[nodiscard]] std::shared_ptr<const OpenedGraph> open(std::string_view text, const std::string& name) const {
        EXPECT_TRUE(writeFile(m_folder / name, text));
        auto opened = Workbench::openGraph(m_folder / name);
        if (!opened)
            throw std::runtime_error(opened.error().message);
        return *opened;
    }
    /// The small graph, its ops in,left, right and join on the devices that the file names.
    [[nodiscard]] std::shared_ptr<const OpenedGraph> placed(const std::vector<std::string>& devices) const {
        std::string text = *readFile(writeSmallGraph(m_folder.path()));
        const std::vector<std::string> ops{"body/in", "body/left", "body/right", "join"};
        for (std::size_t i = 0; i < ops.size(); ++i) {
            const std::string name = "\"name\": \"" + ops[i] + "\"";
            const std::size_t at = text.find(name);
            if (!devices[i].empty())
                text.insert(at + name.size(), ", \"device\": \"" + devices[i] + "\"");
        }
        return open(text, "placed.json");
    }
    static std::shared_ptr<const Cluster> cluster(const char* name) {
        return std::make_shared<const Cluster>(*Cluster::load(name));
    }
    /// The first look with an optimizer that puts every op anywhere.
    [[nodiscard]] Outcome look(const std::shared_ptr<const OpenedGraph>& opened, const char* on = "p100x4",
                               bool keep = false, std::uint64_t seed = 1) const {
        RunContext context;
        context.seed = seed;
        auto outcome = workbench().firstLook(opened, cluster(on), "scatter", keep, context);
        if (!outcome)
            throw std::runtime_error(outcome.error().message);
        return std::move(*outcome);
    }
    [[nodiscard]] Workbench workbench() const { return Workbench(m_folder / "runs.sqlite"); }

private:
    TemporaryFolder m_folder;
};

std::vector<std::string> devicesOf(const Outcome& outcome) {
    std::vector<std::string> names;
    for (const DeviceId device : outcome.plan.device)
        names.push_back(outcome.problem.cluster->device(device).name);
    return names;
}

TEST_F(FilePlanTest, AScheduledModuleIsShownFusedAndOrderedAsInItsFile) {
    const auto opened = open(kScheduledModule, "step.hlo");
    EXPECT_TRUE(opened->isScheduled);
    EXPECT_EQ(countFused(opened->fusionGroup).groups, 1u);
    EXPECT_EQ(countFused(opened->fusionGroup).ops, 2u);
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Outcome outcome = look(opened, "p100x4", false, seed);
        EXPECT_TRUE(checkPlan(outcome.problem, outcome.plan));
        EXPECT_THAT(outcome.plan.fusionGroup, ElementsAre(kAlone, 1u, 1u, kAlone, kAlone, kAlone));
        EXPECT_THAT(outcome.plan.device, testing::Each(DeviceId(0))) << "whatever the optimizer says";
        EXPECT_EQ(outcome.plan.policy, QueuePolicy::Order);
        for (std::size_t i = 0; i + 1 < outcome.plan.priority.size(); ++i)
            EXPECT_GE(outcome.plan.priority[i], outcome.plan.priority[i + 1]);
        EXPECT_EQ(outcome.run.optimizer, kAsInFile);
        EXPECT_EQ(outcome.run.notes, "Fused and ordered as in the file, on one device.");
        EXPECT_EQ(outcome.run.id, 0);
    }
}

TEST_F(FilePlanTest, FusedGroupsStayTogetherWhereTheOptimizerPlaces) {
    auto opened = std::make_shared<OpenedGraph>(*open(kScheduledModule, "step.hlo"));
    opened->isScheduled = false;
    std::set<std::size_t> devices;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Outcome outcome = look(opened, "p100x4", false, seed);
        EXPECT_EQ(outcome.plan.device[1], outcome.plan.device[2]) << "whatever the optimizer says of the two";
        EXPECT_EQ(outcome.run.notes, "Fused as in the file, placed by scatter.");
        for (const DeviceId device : outcome.plan.device)
            devices.insert(device.index());
    }
    EXPECT_GT(devices.size(), 1u);
}

TEST_F(FilePlanTest, AFileWithoutAPlanIsPlacedByTheOptimizer) {
    const Outcome outcome = look(placed({"", "", "", ""}));
    EXPECT_EQ(outcome.run.optimizer, "scatter");
    EXPECT_GT(outcome.run.revision, 0);
    EXPECT_EQ(outcome.plan.policy, QueuePolicy::Fifo);
    EXPECT_EQ(outcome.diagnostics.count("device-not-in-cluster"), 0u);
}

TEST_F(FilePlanTest, DevicesThatTheFileNamesAreThePlacement) {
    const Outcome all = look(placed({"gpu:3", "/job:worker/task:0/device:GPU:0", "/device:GPU:1", "cuda:2"}));
    EXPECT_THAT(devicesOf(all), ElementsAre("gpu:3", "gpu:0", "gpu:1", "gpu:2"));
    EXPECT_EQ(all.run.notes, "Placed as in the file.");
    const auto some = placed({"gpu:3", "", "gpu:1", ""});
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Outcome outcome = look(some, "p100x4", false, seed);
        EXPECT_EQ(devicesOf(outcome)[0], "gpu:3");
        EXPECT_EQ(devicesOf(outcome)[2], "gpu:1");
        EXPECT_EQ(outcome.run.notes, "Placed as in the file, the rest placed by scatter.");
    }
}

TEST_F(FilePlanTest, APlacementThatTheClusterCannotHoldIsCountedAndNotShownInPart) {
    const auto opened = placed({"gpu:0", "gpu:7", "gpu:7", "gpu:1"});
    const Outcome outcome = look(opened);
    EXPECT_EQ(outcome.run.optimizer, "scatter");
    EXPECT_EQ(outcome.diagnostics.count("device-not-in-cluster"), 2u);
    EXPECT_EQ(outcome.diagnostics.entries().back().examples.front(), "body/left on gpu:7");
    EXPECT_THAT(devicesOf(look(opened, "p100x8")), ElementsAre("gpu:0", "gpu:7", "gpu:7", "gpu:1"));
}

TEST_F(FilePlanTest, DevicesOfOneNumberOnTwoMachinesAreNotOne) {
    const auto opened = placed({"/job:ps/device:GPU:0", "/job:worker/device:GPU:0", "", ""});
    EXPECT_EQ(look(opened).diagnostics.count("device-not-in-cluster"), 2u);
    EXPECT_THAT(devicesOf(look(placed({"a/gpu:0", "b/gpu:0", "b/gpu:3", "a/gpu:0"}), "2hosts_4gpu")),
                ElementsAre("a/gpu:0", "b/gpu:0", "b/gpu:3", "a/gpu:0"));
}

TEST(DeviceMeant, IsFoundByNameAndAsFrameworksWriteIt) {
    const Cluster cluster = *Cluster::load("cpu_2gpu");
    const auto meant = [&cluster](std::string_view text) {
        const DeviceId id = deviceMeant(cluster, text);
        return id.valid() ? cluster.device(id).name : std::string();
    };
    EXPECT_EQ(meant("gpu:1"), "gpu:1");
    EXPECT_EQ(meant("/job:localhost/replica:0/task:0/device:CPU:0"), "cpu:0");
    EXPECT_EQ(meant("/gpu:0"), "gpu:0");
    EXPECT_EQ(meant("cuda:1"), "gpu:1");
    EXPECT_EQ(meant("cpu"), "cpu:0");
    EXPECT_EQ(meant("GPU"), "gpu:0");
    for (const char* none : {"gpu:2", "npu", "gpu:", "gpu:1x", "gpu:-1", "TPU:0", "/", ":", "gpu:99999999999999999999"})
        EXPECT_EQ(meant(none), "") << none;
}

TEST_F(FilePlanTest, ItIsKeptAsARunThatSaysWhereItComesFrom) {
    const auto opened = open(kScheduledModule, "step.hlo");
    const Outcome outcome = look(opened, "p100x4", true);
    ASSERT_GT(outcome.run.id, 0);
    const auto again = workbench().restore(outcome.run.id);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->run.optimizer, kAsInFile);
    EXPECT_EQ(again->run.notes, outcome.run.notes);
    EXPECT_EQ(again->plan, outcome.plan);
    EXPECT_EQ(again->schedule.makespanNs, outcome.schedule.makespanNs);
    const auto made = runAgain(workbench(), outcome.run.id);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("a plan that was given"));
    EXPECT_THAT(made.error().message, IsOneSentence());
}

TEST_F(FilePlanTest, AnOrderThatCannotBeRunIsMended) {
    auto opened = std::make_shared<OpenedGraph>();
    GraphBuilder builder("backwards");
    const auto add = [&builder](const char* name) {
        Op op;
        op.name = name;
        op.type = "Relu";
        return builder.addOp(std::move(op));
    };
    const OpId after = add("after"), before = add("before"), other = add("other");
    builder.addControl(before, after);
    Diagnostics none;
    opened->graph = std::make_shared<const Graph>(*std::move(builder).build(none));
    opened->scopes = std::make_shared<const ScopeTree>(shownScopes(*opened->graph));
    opened->isScheduled = true;
    const Outcome outcome = look(opened);
    const auto& priority = outcome.plan.priority;
    EXPECT_GT(priority[before.index()], priority[after.index()]);
    EXPECT_GT(priority[after.index()], priority[other.index()]) << "no later than it has to be";
}

} // namespace
} // namespace opscape::test
