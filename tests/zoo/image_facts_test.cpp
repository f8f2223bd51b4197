// SPDX-License-Identifier: MIT
// Image classifiers against what is published of them, for one image, within 1%. torchvision: num_params and GFLOPS
// (multiply-adds) on the pages of its pre-trained weights, IMAGENET1K_V1.
#include <opscape/zoo/counts.h>
#include <opscape/zoo/zoo.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

struct Fact {
    std::string source;
    std::string id;
    std::map<std::string, std::string> settings; ///< beside batch 1
    double parameters, multiplyAdds;
    double tolerance = 0.01;
};

void PrintTo(const Fact& fact, std::ostream* out) { *out << fact.id << " by " << fact.source; }

class ImageFacts : public testing::TestWithParam<Fact> {};

TEST_P(ImageFacts, ParametersAndMultiplyAddsAreThePublishedOnes) {
    const Fact& fact = GetParam();
    auto settings = fact.settings;
    settings["batch"] = "1";
    const auto graph = buildZooModel(fact.id, "paper", settings);
    ASSERT_TRUE(graph) << graph.error().message;
    const GraphCounts counts = countGraph(*graph);
    EXPECT_NEAR(static_cast<double>(counts.parameters) / fact.parameters, 1, fact.tolerance);
    EXPECT_NEAR(counts.forwardMultiplyAdds / fact.multiplyAdds, 1, fact.tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    Zoo, ImageFacts,
    testing::Values(Fact{"torchvision inception_v3, parameters with the auxiliary classifier",
                         "inception32",
                         {},
                         27'161'264,
                         5.713e9},
                    Fact{"torchvision inception_v3 with aux_logits=False",
                         "inception32",
                         {{"auxiliary", "no"}},
                         23'834'568,
                         5.713e9},
                    Fact{"torchvision resnet50, stride in the 3x3 convolution", "resnet50", {}, 25'557'032, 4.089e9},
                    Fact{"He et al. 2015, table 1, given to two digits; parameters of torchvision",
                         "resnet50",
                         {{"version", "v1"}},
                         25'557'032,
                         3.8e9,
                         0.02},
                    Fact{"torchvision resnet101", "resnet50", {{"depth", "101"}}, 44'549'160, 7.801e9},
                    Fact{"torchvision resnet152", "resnet50", {{"depth", "152"}}, 60'192'808, 11.514e9},
                    Fact{"torchvision vgg19", "vgg19", {}, 143'667'240, 19.632e9},
                    Fact{"torchvision alexnet, after Krizhevsky 2014", "alexnet", {}, 61'100'840, 0.714e9},
                    Fact{"Real et al. 2019, table 2, images of 331", "amoebanet", {}, 86.7e6, 23.1e9},
                    Fact{"Real et al. 2019, table 2; the multiply-adds are those of images of 299",
                         "amoebanet",
                         {{"filters", "448"}, {"image", "299"}},
                         469e6,
                         104e9}));

TEST(ImageFacts, OnlyTheFirstConvolutionHasNoGradientOfItsInput) {
    for (const char* id : {"inception32", "resnet50", "vgg19", "alexnet", "amoebanet"}) {
        const auto graph = buildZooModel(id, "small", {{"batch", "1"}});
        ASSERT_TRUE(graph) << graph.error().message;
        const GraphCounts counts = countGraph(*graph);
        std::size_t convolutions = 0, inputGradients = 0;
        double first = 0; // multiply-adds of the convolution that reads the images
        for (std::size_t i = 0; i < graph->opCount(); ++i) {
            const OpId op(i);
            const std::string& type = graph->op(op).type;
            inputGradients += type == "ConvGradInput" ? 1 : 0;
            if (type != "Conv")
                continue;
            ++convolutions;
            if (graph->tensor(graph->inputs(op)[0]).kind == TensorKind::Input) {
                const Shape& filters = graph->tensor(graph->inputs(op)[1]).shape;
                const Shape& result = graph->tensor(graph->outputs(op)[0]).shape;
                first = static_cast<double>(*elementCount(result) * *elementCount(filters) / filters[0]);
            }
        }
        EXPECT_EQ(inputGradients + 1, convolutions) << id;
        EXPECT_NEAR((counts.backwardMultiplyAdds + first) / counts.forwardMultiplyAdds, 2, 1e-9) << id;
    }
}

} // namespace
} // namespace opscape
