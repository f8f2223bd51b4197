// SPDX-License-Identifier: MIT
// ResNet (He, Zhang, Ren, Sun 2015, Deep Residual Learning for Image Recognition): four stages of bottleneck blocks.
// The first block of a stage halves the image, in its first 1x1 convolution as published (v1) or in the 3x3 convolution
// as most implementations do (v1.5).
#include <opscape/zoo/image_layers.h>
#include <opscape/zoo/resnet.h>

#include <array>

namespace opscape {
namespace {

constexpr std::int64_t kWiden = 4; ///< a block's output to the width of its 3x3 convolution

Value bottleneck(TensorProgram& p, Value x, std::int64_t width, std::int64_t stride, bool strideFirst) {
    const std::int64_t before = strideFirst ? stride : 1, middle = strideFirst ? 1 : stride;
    Value h = convNorm(p, "conv_1", x, width, {1, 1}, Window::square(before));
    h = convNorm(p, "conv_2", h, width, {3, 3}, Window::square(middle, 1));
    h = convNorm(p, "conv_3", h, kWiden * width, {1, 1}, {}, false);
    if (p.shape(x) != p.shape(h))
        x = convNorm(p, "shortcut", x, kWiden * width, {1, 1}, Window::square(stride), false);
    return p.relu(p.add(h, x));
}

std::array<int, 4> blocksOfStages(std::int64_t depth) {
    constexpr std::array<std::array<int, 4>, 3> kBlocks{{{3, 4, 6, 3}, {3, 4, 23, 3}, {3, 8, 36, 3}}};
    return kBlocks.at(static_cast<std::size_t>(depth));
}

Result<Graph> build(const std::string& name, const ZooValues& values) {
    TensorProgram p(name);
    Value x = imageInput(p, values);
    {
        const auto scope = p.scope("stem");
        x = convNorm(p, "conv", x, 64, {7, 7}, Window::square(2, 3));
        x = p.maxPool(x, {3, 3}, Window::square(2, 1));
    }
    std::int64_t width = 64;
    const auto blocks = blocksOfStages(values["depth"]);
    for (std::size_t stage = 0; stage < blocks.size(); ++stage, width *= 2) {
        for (int block = 0; block < blocks[stage]; ++block) {
            const auto scope = p.scope(fmt::format("stage_{}/block_{}", stage, block));
            x = bottleneck(p, x, width, stage > 0 && block == 0 ? 2 : 1, values["version"] == 0);
        }
    }
    const auto scope = p.scope("classifier");
    const Value loss = imageLoss(p, dense(p, flatten(p, p.globalAveragePool(x)), values["classes"]));
    minimize(p, loss, updateRule(values));
    return std::move(p).build();
}

} // namespace

void addResnetModels(std::vector<ZooModel>& models) {
    ZooModel model{"resnet50",
                   "ResNet-50",
                   "Image classifier of residual bottleneck blocks (He, Zhang, Ren, Sun 2015).",
                   1,
                   imageParameters(32, 64, 224, 32),
                   build};
    model.parameters.push_back({"depth", "Layers with weights.", 0, 0, 0, 2, {"50", "101", "152"}});
    model.parameters.push_back({"version", "Where blocks halve the image.", 1, 1, 0, 1, {"v1", "v1.5"}});
    model.parameters.push_back(updateRuleParameter(UpdateRule::Momentum));
    models.push_back(std::move(model));
}

} // namespace opscape
