// SPDX-License-Identifier: MIT
// VGG-19 (Simonyan, Zisserman 2014, Very Deep Convolutional Networks for Large-Scale Image Recognition, configuration
// E): five blocks of 3x3 convolutions with a pooling behind each, then three dense layers.
#include <opscape/zoo/image_layers.h>
#include <opscape/zoo/vgg.h>

#include <array>

namespace opscape {
namespace {

struct Block {
    int convolutions;
    std::int64_t filters;
};
constexpr std::array<Block, 5> kBlocks{{{2, 64}, {2, 128}, {4, 256}, {4, 512}, {4, 512}}};
constexpr std::int64_t kDenseUnits = 4096;
constexpr double kDropout = 0.5;

Result<Graph> build(const std::string& name, const ZooValues& values) {
    TensorProgram p(name);
    Value x = imageInput(p, values);
    for (std::size_t block = 0; block < kBlocks.size(); ++block) {
        const auto scope = p.scope(fmt::format("block_{}", block));
        for (int i = 0; i < kBlocks[block].convolutions; ++i) {
            const auto inner = p.scope(fmt::format("conv_{}", i));
            x = p.relu(convolution(p, x, kBlocks[block].filters, {3, 3}, Window::square(1, 1), true));
        }
        x = p.maxPool(x, {2, 2}, Window::square(2));
    }
    x = flatten(p, x);
    for (int i = 0; i < 2; ++i) {
        const auto scope = p.scope(fmt::format("dense_{}", i));
        x = p.dropout(p.relu(dense(p, x, kDenseUnits)), kDropout).result;
    }
    const auto scope = p.scope("classifier");
    minimize(p, imageLoss(p, dense(p, x, values["classes"])), updateRule(values));
    return std::move(p).build();
}

} // namespace

void addVggModels(std::vector<ZooModel>& models) {
    ZooModel model{"vgg19",
                   "VGG-19",
                   "Image classifier of 3x3 convolutions and large dense layers (Simonyan, Zisserman 2014).",
                   1,
                   imageParameters(32, 64, 224, 32),
                   build};
    model.parameters.push_back(updateRuleParameter(UpdateRule::Momentum));
    models.push_back(std::move(model));
}

} // namespace opscape
