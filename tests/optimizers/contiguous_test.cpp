// SPDX-License-Identifier: MIT
// Published placement problems with known optima (msr-fiddle/dnn-partitioning, throughput objective): the evaluator
// gives the listed expert and one-accelerator figures, the dynamic program the listed optima, to their last digit.
#include <opscape/io/format.h>
#include <opscape/sim/pipeline.h>
#include <opscape/task/plugin.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opscape {
namespace {

const std::string kFolder = std::string(OPSCAPE_SHARED_DATA) + "/dnn-partitioning/";

struct Loaded {
    Problem problem;
    Registry registry;
};

class KnownProblem : public testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(kFolder))
            GTEST_SKIP() << "skipped: no shared/data";
        for (const PluginStatus& status :
             loadPlugins(std::string(OPSCAPE_BINARY_DIR) + "/lib/opscape/plugins", m_registry))
            ASSERT_TRUE(status.loaded()) << status.error;
    }

    static Problem read(const std::string& file) {
        auto graph = readGraph(std::filesystem::path(kFolder + file));
        if (!graph)
            throw std::runtime_error(graph.error().message);
        Diagnostics diagnostics;
        return makeProblem(std::make_shared<const Graph>(std::move(graph->graph)), graph->cluster, diagnostics);
    }

    double optimumMs(const std::string& file) {
        const Problem problem = read(file);
        auto optimizer = m_registry.makeOptimizer("contiguous");
        if (!optimizer)
            throw std::runtime_error(optimizer.error().message);
        const Options options((*m_registry.optimizer("contiguous"))->options);
        const auto plan = (*optimizer)->solve(problem, options, {});
        if (!plan)
            throw std::runtime_error(plan.error().message);
        const PipelineReport report = pipelineReport(problem, *plan);
        EXPECT_TRUE(report.feasible);
        return static_cast<double>(report.periodNs) / 1e6;
    }

    static double oneAcceleratorMs(const std::string& file) {
        const Problem problem = read(file);
        return static_cast<double>(
                   pipelineReport(problem, Plan::allOn(DeviceId(0), problem.graph->opCount())).periodNs) /
               1e6;
    }

    Registry m_registry;
};

TEST_F(KnownProblem, OneAcceleratorTakesTheListedTime) {
    EXPECT_NEAR(oneAcceleratorMs("throughput-inputs/LayerGraphs/bert24_inference.json"), 92.406, 5e-4);
    EXPECT_NEAR(oneAcceleratorMs("throughput-inputs/LayerGraphs/bert24_training.json"), 217.813, 5e-4);
    EXPECT_NEAR(oneAcceleratorMs("throughput-inputs/LayerGraphs/gnmt_inference.json"), 182.563, 5e-4);
    EXPECT_NEAR(oneAcceleratorMs("throughput-inputs/LayerGraphs/gnmt_training.json"), 520.453, 5e-4);
    EXPECT_NEAR(oneAcceleratorMs("throughput-inputs/LayerGraphs/resnet50_inference.json"), 201.45, 5e-3);
    EXPECT_NEAR(oneAcceleratorMs("throughput-inputs/OperatorGraphs/bert_l-3_inference.json"), 49.3526, 5e-5);
    EXPECT_NEAR(oneAcceleratorMs("throughput-inputs/OperatorGraphs/bert_l-3_training.json"), 122.987, 5e-4);
    EXPECT_NEAR(oneAcceleratorMs("throughput-inputs/OperatorGraphs/resnet50_inference.json"), 325.132, 5e-4);
}

TEST_F(KnownProblem, TheBestContiguousSplitIsTheListedOptimum) {
    EXPECT_NEAR(optimumMs("throughput-inputs/LayerGraphs/bert24_inference.json"), 17.7899, 5e-5);
    EXPECT_NEAR(optimumMs("throughput-inputs/LayerGraphs/resnet50_inference.json"), 33.7747, 5e-5);
    EXPECT_NEAR(optimumMs("throughput-inputs/OperatorGraphs/bert_l-3_inference.json"), 27.9186, 5e-5);
    EXPECT_NEAR(optimumMs("throughput-inputs/OperatorGraphs/resnet50_inference.json"), 124.349, 5e-4);
    EXPECT_NEAR(optimumMs("throughput-inputs/LayerGraphs/gnmt_inference.json"), 32.9107, 5e-5);
}

} // namespace
} // namespace opscape
