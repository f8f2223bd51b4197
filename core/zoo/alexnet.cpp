// SPDX-License-Identifier: MIT
// AlexNet with one tower (Krizhevsky 2014, One weird trick for parallelizing convolutional neural networks), the
// variant that frameworks ship: no groups and no response normalisation, unlike the two towers of Krizhevsky,
// Sutskever, Hinton 2012.
#include <opscape/zoo/alexnet.h>
#include <opscape/zoo/image_layers.h>

#include <array>

namespace opscape {
namespace {

struct Convolution {
    std::int64_t filters, kernel, stride, pad;
    bool pooled; ///< a 3x3 pooling with stride 2 follows
};
constexpr std::array<Convolution, 5> kConvolutions{
    {{64, 11, 4, 2, true}, {192, 5, 1, 2, true}, {384, 3, 1, 1, false}, {256, 3, 1, 1, false}, {256, 3, 1, 1, true}}};
constexpr std::int64_t kDenseUnits = 4096;
constexpr double kDropout = 0.5;

Result<Graph> build(const std::string& name, const ZooValues& values) {
    TensorProgram p(name);
    Value x = imageInput(p, values);
    for (std::size_t i = 0; i < kConvolutions.size(); ++i) {
        const auto scope = p.scope(fmt::format("conv_{}", i));
        const Convolution& c = kConvolutions[i];
        x = p.relu(convolution(p, x, c.filters, {c.kernel, c.kernel}, Window::square(c.stride, c.pad), true));
        if (c.pooled)
            x = p.maxPool(x, {3, 3}, Window::square(2));
    }
    x = flatten(p, x);
    for (int i = 0; i < 2; ++i) {
        const auto scope = p.scope(fmt::format("dense_{}", i));
        x = p.relu(dense(p, p.dropout(x, kDropout).result, kDenseUnits));
    }
    const auto scope = p.scope("classifier");
    minimize(p, imageLoss(p, dense(p, x, values["classes"])), updateRule(values));
    return std::move(p).build();
}

} // namespace

void addAlexnetModels(std::vector<ZooModel>& models) {
    ZooModel model{"alexnet",
                   "AlexNet",
                   "Image classifier of five convolutions and three dense layers, one tower (Krizhevsky 2014).",
                   1,
                   imageParameters(128, 256, 224, 63),
                   build};
    model.parameters.push_back(updateRuleParameter(UpdateRule::Momentum));
    models.push_back(std::move(model));
}

} // namespace opscape
