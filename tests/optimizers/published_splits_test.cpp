// SPDX-License-Identifier: MIT
// Published placement problems (msr-fiddle/dnn-partitioning, throughput objective): the evaluator gives the listed
// times of one accelerator and of the experts' splits, the dynamic program the listed optima, to their last digit.
#include "optimizers/published_problems.h"

namespace opscape::test {
namespace {

class PublishedSplits : public PublishedProblem {
protected:
    double optimumMs(const std::string& name) {
        const Problem p = problem(name);
        return periodMs(p, solved("contiguous", p));
    }

    static double oneAcceleratorMs(const std::string& name) {
        const Problem p = problem(name);
        return ms(pipelineReport(p, Plan::allOn(DeviceId(0), p.graph->opCount())).periodNs);
    }

    /// The period of a split that names the accelerator of each forward node; a backward node goes with its class.
    static double splitMs(const std::string& name, const std::function<std::size_t(std::int64_t node)>& acceleratorOf) {
        const nlohmann::json file = problemJson(name);
        const Problem p = problemOf(file);
        std::map<int, DeviceId> ofClass;
        for (const auto& node : file["nodes"]) {
            if (!node["isBackwardNode"].get<int>())
                ofClass[node["colorClass"].get<int>()] = DeviceId(acceleratorOf(node["id"].get<std::int64_t>()));
        }
        Plan plan;
        for (const auto& node : file["nodes"]) // ops are in the order of the file
            plan.device.push_back(ofClass.at(node["colorClass"].get<int>()));
        const auto valid = checkPlan(p, plan);
        EXPECT_TRUE(valid.has_value()) << (valid ? "" : valid.error().message);
        return periodMs(p, plan);
    }

    static double expertMs(const std::string& name, const std::string& split) {
        std::map<std::int64_t, std::size_t> acceleratorOf;
        std::size_t accelerator = 0;
        const nlohmann::json file = json("human-experts/" + split + ".json");
        for (const auto& part : file["fpgas"]) {
            for (const auto& node : part["nodes"])
                acceleratorOf[node.get<std::int64_t>()] = accelerator;
            ++accelerator;
        }
        return splitMs(name, [&](std::int64_t node) { return acceleratorOf.at(node); });
    }
};

TEST_F(PublishedSplits, OneAcceleratorTakesTheListedTime) {
    EXPECT_NEAR(oneAcceleratorMs(kBertInference), 92.406, 5e-4);
    EXPECT_NEAR(oneAcceleratorMs(kBertTraining), 217.813, 5e-4);
    EXPECT_NEAR(oneAcceleratorMs(kGnmtInference), 182.563, 5e-4);
    EXPECT_NEAR(oneAcceleratorMs(kGnmtTraining), 520.453, 5e-4);
    EXPECT_NEAR(oneAcceleratorMs(kResnetInference), 201.45, 5e-3);
    EXPECT_NEAR(oneAcceleratorMs(kOperatorBertInference), 49.3526, 5e-5);
    EXPECT_NEAR(oneAcceleratorMs(kOperatorBertTraining), 122.987, 5e-4);
    EXPECT_NEAR(oneAcceleratorMs(kOperatorResnetInference), 325.132, 5e-4);
}

TEST_F(PublishedSplits, TheExpertsSplitsTakeTheListedTime) {
    EXPECT_NEAR(expertMs(kBertInference, "bert24_inference_expert"), 20.084, 5e-4);
    EXPECT_NEAR(expertMs(kGnmtInference, "gnmt_inference_expert"), 46.209, 6e-4);
    // The splits are given for inference; in training a backward node goes with its forward node.
    EXPECT_NEAR(expertMs(kBertTraining, "bert24_inference_expert"), 49.405, 5e-4);
    EXPECT_NEAR(expertMs(kGnmtTraining, "gnmt_inference_expert"), 137.154, 5e-4);
    // Given by the last node of each part, since the file of this split is not among the data.
    EXPECT_NEAR(splitMs(kResnetInference,
                        [](std::int64_t node) {
                            constexpr std::array<std::int64_t, 5> kLast{5, 37, 79, 121, 163};
                            return static_cast<std::size_t>(std::ranges::lower_bound(kLast, node) - kLast.begin());
                        }),
                43.918, 5e-4);
}

TEST_F(PublishedSplits, TheBestContiguousSplitIsTheListedOptimum) {
    EXPECT_NEAR(optimumMs(kBertInference), 17.7899, 5e-5);
    EXPECT_NEAR(optimumMs(kBertTraining), 41.7458, 5e-5);
    EXPECT_NEAR(optimumMs(kGnmtInference), 32.9107, 5e-5);
    EXPECT_NEAR(optimumMs(kGnmtTraining), 107.004, 5e-4);
    EXPECT_NEAR(optimumMs(kResnetInference), 33.7747, 5e-5);
    EXPECT_NEAR(optimumMs(kOperatorBertInference), 27.9186, 5e-5);
    EXPECT_NEAR(optimumMs(kOperatorBertTraining), 65.3031, 5e-5);
    EXPECT_NEAR(optimumMs(kOperatorResnetInference), 124.349, 5e-4);
}

TEST_F(PublishedSplits, TheOptimumFallsWithTheNumberOfAcceleratorsAsListed) {
    nlohmann::json file = problemJson(kBertInference);
    file["maxCPUs"] = 0;
    for (const auto& [accelerators, optimum, within] :
         {std::tuple(1, 92.406, 5e-4), std::tuple(2, 47.479, 5e-4), std::tuple(3, 32.2429, 5e-5),
          std::tuple(4, 24.9169, 5e-5), std::tuple(6, 17.7899, 5e-5), std::tuple(8, 14.2039, 5e-5)}) {
        file["maxFPGAs"] = accelerators;
        const Problem p = problemOf(file);
        EXPECT_NEAR(periodMs(p, solved("contiguous", p)), optimum, within) << accelerators << " accelerators";
    }
}

TEST_F(PublishedSplits, MemoryIsTheSumOfTheSizesOfTheNodesOnTheDevice) {
    for (const char* name : {kBertTraining, kGnmtTraining, kOperatorBertTraining}) {
        SCOPED_TRACE(name);
        const nlohmann::json file = problemJson(name);
        const Problem p = problemOf(file);
        const auto plan = solved("contiguous", p);
        ASSERT_TRUE(plan.has_value()) << plan.error().message;
        std::vector<double> bytes(p.cluster->deviceCount());
        for (std::size_t i = 0; i < plan->device.size(); ++i)
            bytes[plan->device[i].index()] += file["nodes"][i]["size"].get<double>();
        const PipelineReport report = pipelineReport(p, *plan);
        EXPECT_TRUE(report.feasible);
        for (std::size_t d = 0; d < bytes.size(); ++d)
            EXPECT_EQ(static_cast<double>(report.devices[d].residentBytes), bytes[d]);
    }
}

/// The limit of the files, 16 GiB, holds each training graph whole; limits that bind are set here.
TEST_F(PublishedSplits, ATrainingGraphIsSplitWithinTheMemoryOfItsDevices) {
    for (const char* name : {kBertTraining, kGnmtTraining, kOperatorBertTraining}) {
        SCOPED_TRACE(name);
        nlohmann::json file = problemJson(name);
        const double optimum = optimumMs(name);
        const double accelerators = file["maxFPGAs"].get<double>();
        double total = 0;
        for (const auto& node : file["nodes"])
            total += node["size"].get<double>();
        file["maxCPUs"] = 0;
        double before = 0;
        for (const double share : {4., 1.6, 1.4, 1.25}) { // of what each must hold at least
            file["maxSizePerFPGA"] = share * total / accelerators;
            const Problem p = problemOf(file);
            const auto plan = solved("contiguous", p);
            if (!plan) {
                EXPECT_EQ(plan.error().message, "no contiguous split fits the memory of the devices.");
                continue;
            }
            const double period = periodMs(p, plan);
            EXPECT_GE(period, optimum - 1e-9);
            EXPECT_GE(period, before) << "less memory is never faster";
            before = period;
        }
        EXPECT_GT(before, 0) << "some limit could be kept";
        file["maxSizePerFPGA"] = .9 * total / accelerators;
        const auto none = solved("contiguous", problemOf(file));
        ASSERT_FALSE(none.has_value());
        EXPECT_EQ(none.error().message, "no contiguous split fits the memory of the devices.");
    }
}

} // namespace
} // namespace opscape::test
