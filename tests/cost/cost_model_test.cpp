// SPDX-License-Identifier: MIT
// Times worked out by hand: a device of 1 FLOP and 1 byte a nanosecond, launch 10 ns, no overlap unless said.
#include <opscape/cost/cost_model.h>
#include <opscape/graph/graph_builder.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

Cluster clusterOf(const std::string& efficiency, double overlap = 0) {
    auto cluster = Cluster::parse(fmt::format(R"({{
        "kinds": {{"K": {{"memory_bytes": 0, "memory_bandwidth": 1e9, "launch_ns": 10, "overlap": {},
                          "peak_flops": {{"f32": 1e9, "f16": 4e9}}{}}}}},
        "devices": [{{"name": "d", "kind": "K"}}], "channels": [], "routes": []}})",
                                              overlap, efficiency.empty() ? "" : ", \"efficiency\": " + efficiency),
                                  "k.json");
    EXPECT_TRUE(cluster) << cluster.error().message;
    return *cluster;
}

struct Made {
    std::string type;
    std::vector<Shape> inputs;
    Shape output;
    std::vector<Attribute> attributes{};
    DType dtype = DType::F32;
};

Graph graphOf(const Made& made, std::int64_t workspace = 0, std::int64_t givenNs = -1) {
    GraphBuilder builder("one");
    Op op;
    op.name = "op";
    op.type = made.type;
    op.attributes = made.attributes;
    op.workspaceBytes = workspace;
    if (givenNs >= 0)
        op.timeNs["K"] = givenNs;
    const OpId id = builder.addOp(std::move(op));
    for (const Shape& shape : made.inputs)
        builder.addInput(id, builder.addResident({"in", TensorKind::Input, made.dtype, true, shape, -1}));
    builder.addOutput(id, {"out", TensorKind::Activation, made.dtype, true, made.output, -1});
    Diagnostics diagnostics;
    return *std::move(builder).build(diagnostics);
}

std::int64_t timeOf(const Made& made, const std::string& efficiency, double overlap = 0, std::int64_t givenNs = -1) {
    Diagnostics diagnostics;
    return CostModel(graphOf(made, 0, givenNs), clusterOf(efficiency, overlap), diagnostics).opNs(OpId(0), KindId(0));
}

OpClass classOf(const Made& made) { return opCost(graphOf(made), OpId(0)).opClass; }
std::int64_t workspaceOf(const Made& made, std::int64_t given = 0) {
    return opCost(graphOf(made, given), OpId(0)).workspaceBytes;
}

/// 2 * 100 FLOP, 4 * 120 bytes.
const Made kProduct{"MatMul", {{2, 5}, {5, 10}}, {2, 10}};
constexpr std::int64_t kFlops = 200, kBytes = 4 * (10 + 50 + 20);

TEST(CostModel, WithoutEfficienciesIsTheRooflineOfTheNominalPeaks) {
    EXPECT_EQ(timeOf(kProduct, ""), 10 + kFlops + kBytes);
    EXPECT_EQ(timeOf(kProduct, "", 1), 10 + std::max(kFlops, kBytes));
    EXPECT_EQ(timeOf(kProduct, "", 0.5), 10 + kBytes + kFlops / 2);
}

TEST(CostModel, AKernelRunsAtThePartOfThePeaksThatItsClassReaches) {
    EXPECT_EQ(timeOf(kProduct, R"({"matrix": {"compute": 0.5}})"), 10 + 2 * kFlops + kBytes);
    EXPECT_EQ(timeOf(kProduct, R"({"matrix": {"memory": 0.25}})"), 10 + kFlops + 4 * kBytes);
    EXPECT_EQ(timeOf(kProduct, R"({"convolution": {"compute": 0.5, "memory": 0.5}})"), 10 + kFlops + kBytes);
    Made half = kProduct;
    half.dtype = DType::F16;
    EXPECT_EQ(timeOf(half, R"({"matrix": {"compute": 0.25, "f16": {"compute": 0.5}}})"), 10 + kFlops / 2 + kBytes / 2);
}

TEST(CostModel, AtTheHalfSizeAKernelTakesTwiceAsLongAsAtTheRateOfLargeOnes) {
    EXPECT_EQ(timeOf(kProduct, R"({"matrix": {"half_flops": 200}})"), 10 + 2 * kFlops + kBytes);
    EXPECT_EQ(timeOf(kProduct, fmt::format(R"({{"all": {{"half_bytes": {}}}}})", kBytes)), 10 + kFlops + 2 * kBytes);
    EXPECT_EQ(timeOf(kProduct, R"({"matrix": {"compute": 0.5, "half_flops": 50}})"), 10 + 2 * (kFlops + 50) + kBytes);
    EXPECT_EQ(timeOf({"Slice", {{2, 5}}, {10}}, R"({"all": {"half_flops": 200}})"), 10 + 80) << "no FLOP, none lost";
}

TEST(CostModel, AViewRunsNoKernel) {
    EXPECT_EQ(timeOf({"Reshape", {{2, 5}}, {10}}, R"({"all": {"half_bytes": 200}})"), 1);
    EXPECT_EQ(timeOf({"Reshape", {{2, -1}}, {-1}}, ""), 10) << "of unknown size: not told from a copy";
    EXPECT_EQ(timeOf({"NoSuchOp", {}, {}}, ""), 10 + 4);
}

TEST(CostModel, SmallerWorkNeverTakesLonger) {
    std::int64_t last = 0;
    for (const std::int64_t n : {1, 2, 3, 10, 100, 1000, 10000}) {
        const std::int64_t ns = timeOf({"MatMul", {{n, 5}, {5, n}}, {n, n}},
                                       R"({"matrix": {"compute": 0.9, "half_flops": 5000, "memory": 0.8}})", 0.95);
        EXPECT_GT(ns, last);
        last = ns;
    }
}

TEST(CostModel, AGivenTimeReplacesAllOfIt) {
    EXPECT_EQ(timeOf(kProduct, R"({"matrix": {"compute": 0.1, "half_flops": 1e9}})", 0, 77), 77);
}

TEST(OpClasses, FollowFromTheTypeAndTheNumberOfGroups) {
    const auto conv = [](std::int64_t groups) {
        return Made{"Conv", {{1, 32, 8, 8}, {32, 32 / groups, 3, 3}}, {1, 32, 8, 8}, {{"group", groups}}};
    };
    EXPECT_EQ(classOf(conv(1)), OpClass::Convolution);
    EXPECT_EQ(classOf(conv(2)), OpClass::Convolution) << "AlexNet's two groups are each a full convolution";
    EXPECT_EQ(classOf(conv(8)), OpClass::GroupedConvolution);
    EXPECT_EQ(classOf(conv(32)), OpClass::GroupedConvolution);
    const std::pair<const char*, OpClass> kOf[] = {
        {"MatMul", OpClass::Matrix},         {"Gemm", OpClass::Matrix},
        {"LSTM", OpClass::Recurrent},        {"Attention", OpClass::Attention},
        {"Softmax", OpClass::Reduction},     {"BatchNormalization", OpClass::Reduction},
        {"Relu", OpClass::Elementwise},      {"Adam", OpClass::Elementwise},
        {"SoftmaxGrad", OpClass::Reduction}, {"Transpose", OpClass::Movement},
        {"GatherGrad", OpClass::Movement},   {"NoSuchOp", OpClass::Elementwise}};
    for (const auto& [type, expected] : kOf) {
        EXPECT_EQ(classOf({type, {{4}}, {4}}), expected) << type;
        for (const OpRule& rule : opRules()) {
            if (rule.type == type) {
                EXPECT_EQ(rule.opClass, expected) << type;
            }
        }
    }
}

TEST(Workspace, OfAConvolutionIsOneLoweredImage) {
    EXPECT_EQ(workspaceOf({"Conv", {{7, 3, 10, 10}, {5, 3, 3, 3}}, {7, 5, 8, 8}}), 4 * (3 * 3 * 3) * (8 * 8))
        << "of one image, whatever the batch";
    EXPECT_EQ(workspaceOf({"Conv", {{7, 6, 10, 10}, {6, 1, 3, 3}}, {7, 6, 8, 8}, {{"group", std::int64_t{6}}}}),
              4 * (6 * 3 * 3) * (8 * 8));
    EXPECT_EQ(workspaceOf({"Conv", {{7, 3, 10, 10}, {5, 3, 1, 1}}, {7, 5, 10, 10}}), 0) << "the image is that matrix";
    EXPECT_EQ(
        workspaceOf(
            {"Conv", {{7, 3, 10, 10}, {5, 3, 1, 1}}, {7, 5, 5, 5}, {{"strides", std::vector<std::int64_t>{2, 2}}}}),
        4 * 3 * 5 * 5);
    EXPECT_EQ(workspaceOf({"Conv", {{7, 3, -1, 10}, {5, 3, 3, 3}}, {7, 5, -1, 8}}), 0) << "not known";
    EXPECT_EQ(workspaceOf(kProduct), 0);
    EXPECT_EQ(workspaceOf({"Conv", {{7, 3, 10, 10}, {5, 3, 3, 3}}, {7, 5, 8, 8}}, 123), 123) << "given";
}

} // namespace
} // namespace opscape
