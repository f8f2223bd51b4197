// SPDX-License-Identifier: MIT
// The placement problems of msr-fiddle/dnn-partitioning among the shared data, for the throughput objective.
#pragma once

#include <opscape/base/paths.h>
#include <opscape/io/format.h>
#include <opscape/plan/plan_check.h>
#include <opscape/sim/pipeline.h>
#include <opscape/task/plugin.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace opscape::test {

class PublishedProblem : public testing::Test {
protected:
    static constexpr const char* kBertInference = "LayerGraphs/bert24_inference";
    static constexpr const char* kBertTraining = "LayerGraphs/bert24_training";
    static constexpr const char* kGnmtInference = "LayerGraphs/gnmt_inference";
    static constexpr const char* kGnmtTraining = "LayerGraphs/gnmt_training";
    static constexpr const char* kResnetInference = "LayerGraphs/resnet50_inference";
    static constexpr const char* kOperatorBertInference = "OperatorGraphs/bert_l-3_inference";
    static constexpr const char* kOperatorBertTraining = "OperatorGraphs/bert_l-3_training";
    static constexpr const char* kOperatorResnetInference = "OperatorGraphs/resnet50_inference";

    void SetUp() override {
        if (!std::filesystem::exists(folder()))
            GTEST_SKIP() << "skipped: no shared/data";
        for (const PluginStatus& status : loadPlugins(OPSCAPE_BINARY_DIR "/lib/opscape/plugins", m_registry))
            ASSERT_TRUE(status.loaded()) << status.error;
    }

    static std::string folder() { return std::string(OPSCAPE_SHARED_DATA) + "/dnn-partitioning"; }

    static nlohmann::json json(const std::string& file) {
        const auto text = readFile(folder() + "/" + file);
        if (!text)
            throw std::runtime_error(text.error().message);
        return nlohmann::json::parse(*text);
    }
    static nlohmann::json problemJson(const std::string& name) { return json("throughput-inputs/" + name + ".json"); }

    static Problem problemOf(const nlohmann::json& file) {
        auto graph = readGraph(file.dump(), "problem.json");
        if (!graph)
            throw std::runtime_error(graph.error().message);
        Diagnostics diagnostics;
        Problem problem =
            makeProblem(std::make_shared<const Graph>(std::move(graph->graph)), graph->cluster, diagnostics);
        problem.objective = Objective::Pipeline;
        return problem;
    }
    static Problem problem(const std::string& name) { return problemOf(problemJson(name)); }

    Result<Plan> solved(const std::string& optimizer, const Problem& problem,
                        const std::map<std::string, std::string>& settings = {}) {
        auto made = m_registry.makeOptimizer(optimizer);
        if (!made)
            return fail(made.error());
        Options options((*m_registry.optimizer(optimizer))->options);
        for (const auto& [name, value] : settings) {
            if (auto set = options.set(name, value); !set)
                return fail(set.error());
        }
        return (*made)->solve(problem, options, {});
    }

    static double ms(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

    /// The period of a plan that has to fit.
    static double periodMs(const Problem& problem, const Result<Plan>& plan) {
        if (!plan)
            throw std::runtime_error(plan.error().message);
        const PipelineReport report = pipelineReport(problem, *plan);
        EXPECT_TRUE(report.feasible) << outOfMemoryReport(*problem.cluster, report);
        return ms(report.periodNs);
    }

    Registry m_registry;
};

} // namespace opscape::test
