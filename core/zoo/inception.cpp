// SPDX-License-Identifier: MIT
// Inception-v3 (Szegedy, Vanhoucke, Ioffe, Shlens, Wojna 2016, Rethinking the Inception Architecture for Computer
// Vision), with the filter counts of the authors' release. The image is brought down to a grid of 35, 17 and 8
// positions a side; on each grid several modules follow, each of four branches whose results are concatenated. An
// auxiliary classifier reads the end of the 17 grid. The authors train with RMSProp with momentum, which keeps as much
// state as Adam does.
#include <opscape/zoo/image_layers.h>
#include <opscape/zoo/inception.h>

#include <array>

namespace opscape {
namespace {

constexpr double kDropout = 0.5, kAuxiliaryWeight = 0.4;

const Sizes k1x1{1, 1}, k3x3{3, 3}, k5x5{5, 5}, k1x3{1, 3}, k3x1{3, 1}, k1x7{1, 7}, k7x1{7, 1};

struct Step {
    std::int64_t filters;
    Sizes kernel;
    std::int64_t stride = 1; ///< with stride 2 nothing is padded
};

Value chain(TensorProgram& p, std::string_view branch, Value x, std::initializer_list<Step> steps) {
    const auto scope = p.scope(branch);
    int number = 0;
    for (const Step& step : steps) {
        const Window window = step.stride == 1 ? Window::same(p.shape(x), step.kernel) : Window::square(step.stride);
        x = convNorm(p, fmt::format("conv_{}", number++), x, step.filters, step.kernel, window);
    }
    return x;
}

Value pooled(TensorProgram& p, Value x, std::int64_t filters) {
    const auto scope = p.scope("branch_pool");
    return convNorm(p, "conv_0", p.averagePool(x, k3x3, Window::square(1, 1)), filters, k1x1, {});
}

/// Halves the grid.
Value maxPooled(TensorProgram& p, Value x) {
    const auto scope = p.scope("branch_pool");
    return p.maxPool(x, k3x3, Window::square(2));
}

Value stem(TensorProgram& p, Value x) {
    const auto scope = p.scope("stem");
    x = convNorm(p, "conv_0", x, 32, k3x3, Window::square(2));
    x = convNorm(p, "conv_1", x, 32, k3x3, {});
    x = convNorm(p, "conv_2", x, 64, k3x3, Window::square(1, 1));
    x = p.maxPool(x, k3x3, Window::square(2));
    x = convNorm(p, "conv_3", x, 80, k1x1, {});
    x = convNorm(p, "conv_4", x, 192, k3x3, {});
    return p.maxPool(x, k3x3, Window::square(2));
}

Value module35(TensorProgram& p, Value x, std::int64_t poolFilters) {
    return p.concat(
        std::array{chain(p, "branch_1x1", x, {{64, k1x1}}), chain(p, "branch_5x5", x, {{48, k1x1}, {64, k5x5}}),
                   chain(p, "branch_3x3_double", x, {{64, k1x1}, {96, k3x3}, {96, k3x3}}), pooled(p, x, poolFilters)},
        1);
}

Value reduction35(TensorProgram& p, Value x) {
    return p.concat(std::array{chain(p, "branch_3x3", x, {{384, k3x3, 2}}),
                               chain(p, "branch_3x3_double", x, {{64, k1x1}, {96, k3x3}, {96, k3x3, 2}}),
                               maxPooled(p, x)},
                    1);
}

Value module17(TensorProgram& p, Value x, std::int64_t f) {
    return p.concat(
        std::array{chain(p, "branch_1x1", x, {{192, k1x1}}),
                   chain(p, "branch_7x7", x, {{f, k1x1}, {f, k1x7}, {192, k7x1}}),
                   chain(p, "branch_7x7_double", x, {{f, k1x1}, {f, k7x1}, {f, k1x7}, {f, k7x1}, {192, k1x7}}),
                   pooled(p, x, 192)},
        1);
}

Value reduction17(TensorProgram& p, Value x) {
    return p.concat(std::array{chain(p, "branch_3x3", x, {{192, k1x1}, {320, k3x3, 2}}),
                               chain(p, "branch_7x7_3x3", x, {{192, k1x1}, {192, k1x7}, {192, k7x1}, {192, k3x3, 2}}),
                               maxPooled(p, x)},
                    1);
}

/// A 3x3 convolution spread out to a row and a column side by side.
Value rowAndColumn(TensorProgram& p, std::string_view branch, Value x) {
    const auto scope = p.scope(branch);
    return p.concat(std::array{chain(p, "row", x, {{384, k1x3}}), chain(p, "column", x, {{384, k3x1}})}, 1);
}

Value module8(TensorProgram& p, Value x) {
    const Value single = chain(p, "branch_3x3", x, {{384, k1x1}});
    const Value twice = chain(p, "branch_3x3_double", x, {{448, k1x1}, {384, k3x3}});
    return p.concat(std::array{chain(p, "branch_1x1", x, {{320, k1x1}}), rowAndColumn(p, "branch_3x3", single),
                               rowAndColumn(p, "branch_3x3_double", twice), pooled(p, x, 192)},
                    1);
}

Value auxiliaryLoss(TensorProgram& p, Value x, std::int64_t classes) {
    const auto scope = p.scope("auxiliary");
    x = p.averagePool(x, k5x5, Window::square(3));
    x = convNorm(p, "conv_0", x, 128, k1x1, {});
    x = convNorm(p, "conv_1", x, 768, k5x5, {});
    const Value loss = imageLoss(p, dense(p, flatten(p, p.globalAveragePool(x)), classes));
    return p.mul(loss, p.scalar(kAuxiliaryWeight));
}

Result<Graph> build(const std::string& name, const ZooValues& values) {
    TensorProgram p(name);
    Value x = stem(p, imageInput(p, values));
    const std::int64_t modules35 = values["modules-35"], modules17 = values["modules-17"],
                       modules8 = values["modules-8"];
    for (std::int64_t i = 0; i < modules35; ++i) {
        const auto scope = p.scope(fmt::format("grid_35/module_{}", i));
        x = module35(p, x, i == 0 ? 32 : 64);
    }
    {
        const auto scope = p.scope("grid_17/reduction");
        x = reduction35(p, x);
    }
    for (std::int64_t i = 0; i < modules17; ++i) {
        const auto scope = p.scope(fmt::format("grid_17/module_{}", i));
        x = module17(p, x, i + 1 == modules17 ? 192 : i == 0 ? 128 : 160);
    }
    Value auxiliary;
    if (values["auxiliary"] == 1)
        auxiliary = auxiliaryLoss(p, x, values["classes"]);
    {
        const auto scope = p.scope("grid_8/reduction");
        x = reduction17(p, x);
    }
    for (std::int64_t i = 0; i < modules8; ++i) {
        const auto scope = p.scope(fmt::format("grid_8/module_{}", i));
        x = module8(p, x);
    }
    const auto scope = p.scope("classifier");
    x = p.dropout(flatten(p, p.globalAveragePool(x)), kDropout).result;
    Value loss = imageLoss(p, dense(p, x, values["classes"]));
    if (auxiliary.valid())
        loss = p.add(loss, auxiliary, "total_loss");
    minimize(p, loss, updateRule(values));
    return std::move(p).build();
}

} // namespace

void addInceptionModels(std::vector<ZooModel>& models) {
    for (const int batch : {32, 64}) {
        ZooModel model{fmt::format("inception{}", batch),
                       fmt::format("Inception-v3, batch {}", batch),
                       "Image classifier of modules with parallel branches (Szegedy et al. 2016).",
                       2,
                       imageParameters(batch, batch, 299, 299),
                       build};
        model.parameters.push_back({"modules-35", "Modules on the 35x35 grid.", 1, 3, 1, 64, {}});
        model.parameters.push_back({"modules-17", "Modules on the 17x17 grid.", 2, 4, 1, 64, {}});
        model.parameters.push_back({"modules-8", "Modules on the 8x8 grid.", 1, 2, 1, 64, {}});
        model.parameters.push_back(
            {"auxiliary", "Whether there is a second classifier half-way.", 1, 1, 0, 1, {"no", "yes"}});
        model.parameters.push_back(updateRuleParameter(UpdateRule::Adam));
        models.push_back(std::move(model));
    }
}

} // namespace opscape
