// SPDX-License-Identifier: MIT
// Two networks as others wrote them to ONNX files, for one image, against the same ones built here. The files are for
// inference: their batch normalisation reads averages of mean and variance as two more weights per channel, which a
// training step keeps as state. Everything else is equal, to the last parameter and multiply-add.
#include <opscape/io/format.h>
#include <opscape/zoo/counts.h>
#include <opscape/zoo/zoo.h>

#include <gtest/gtest.h>

#include <set>

namespace opscape {
namespace {

class OnnxFacts : public testing::TestWithParam<const char*> {};

/// Elements of the moving averages that batch normalisation reads (its inputs 3 and 4), each once.
std::int64_t movingAverages(const Graph& graph) {
    std::set<TensorId> averages;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const auto inputs = graph.inputs(OpId(i));
        if (graph.op(OpId(i)).type == "BatchNormalization" && inputs.size() == 5)
            averages.insert({inputs[3], inputs[4]});
    }
    std::int64_t elements = 0;
    for (const TensorId average : averages)
        elements += *elementCount(graph.tensor(average).shape);
    return elements;
}

TEST_P(OnnxFacts, TheNetworkInTheFileIsTheOneBuiltHere) {
    const auto file = std::filesystem::path(OPSCAPE_SHARED_DATA) / "onnx" / fmt::format("light_{}.onnx", GetParam());
    if (!std::filesystem::exists(file))
        GTEST_SKIP() << "skipped: no shared/data";
    const auto read = readGraph(file);
    ASSERT_TRUE(read) << read.error().message;
    const auto built = buildZooModel(GetParam(), "paper", {{"batch", "1"}});
    ASSERT_TRUE(built) << built.error().message;
    const GraphCounts inFile = countGraph(read->graph), here = countGraph(*built);
    EXPECT_EQ(inFile.parameters - movingAverages(read->graph), here.parameters);
    EXPECT_EQ(inFile.forwardMultiplyAdds, here.forwardMultiplyAdds);
    EXPECT_EQ(inFile.backwardMultiplyAdds, 0);
}

INSTANTIATE_TEST_SUITE_P(Zoo, OnnxFacts, testing::Values("resnet50", "vgg19"),
                         [](const auto& each) { return std::string(each.param); });

} // namespace
} // namespace opscape
