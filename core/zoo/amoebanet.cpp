// SPDX-License-Identifier: MIT
// AmoebaNet-A (Real, Aggarwal, Huang, Le 2019, Regularized Evolution for Image Classifier Architecture Search), with
// the two cells and the way of joining them that the authors released. A cell reads the outputs of the two cells before
// it, makes five sums of two operations each from what it has so far, and concatenates the sums that nothing in it
// uses. A reduction cell halves the image; two of them follow the first convolution, and one stands between the three
// stacks of N normal cells, where the number of filters F doubles. Operations are dropped per image at random (drop
// path). The authors train with RMSProp with momentum, which keeps as much state as Adam does.
#include <opscape/zoo/amoebanet.h>
#include <opscape/zoo/image_layers.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

constexpr int kStacks = 3, kStemCells = 2;
constexpr double kDropPath = 0.3, kDropout = 0.5;

enum class Operation { Identity, AveragePool3, MaxPool3, Separable3, Separable5, Separable7, RowColumn7 };

struct Term {
    Operation operation;
    std::size_t state; ///< 0: the cell before, 1: the one before that, 2, 3, ...: the sums so far
};
struct Cell {
    std::array<std::array<Term, 2>, 5> sums;
    std::vector<std::size_t> results; ///< states that are concatenated
};

const Cell& normalCell() {
    using enum Operation;
    static const Cell kCell{{{{{{AveragePool3, 0}, {MaxPool3, 0}}},
                              {{{Separable3, 1}, {Identity, 1}}},
                              {{{Identity, 0}, {AveragePool3, 1}}},
                              {{{Separable3, 0}, {Separable5, 2}}},
                              {{{AveragePool3, 5}, {Separable3, 0}}}}},
                            {1, 3, 4, 6}};
    return kCell;
}

const Cell& reductionCell() {
    using enum Operation;
    static const Cell kCell{{{{{{Separable3, 1}, {AveragePool3, 0}}},
                              {{{MaxPool3, 0}, {Separable7, 2}}},
                              {{{MaxPool3, 1}, {MaxPool3, 0}}},
                              {{{Separable3, 4}, {RowColumn7, 0}}},
                              {{{AveragePool3, 1}, {Separable7, 0}}}}},
                            {2, 3, 4, 5, 6}};
    return kCell;
}

/// ReLU, convolution, batch normalisation; "SAME" padding.
Value reluConv(TensorProgram& p, std::string_view name, Value x, std::int64_t filters, const Sizes& kernel,
               Sizes strides = {1, 1}) {
    const auto scope = p.scope(name);
    x = p.relu(x);
    return batchNorm(p,
                     convolution(p, x, filters, kernel, Window::same(p.shape(x), kernel, std::move(strides)), false));
}

/// Twice ReLU, a convolution per channel, one across channels, and batch normalisation.
Value separable(TensorProgram& p, Value x, std::int64_t filters, std::int64_t kernel, std::int64_t stride) {
    for (int i = 0; i < 2; ++i, stride = 1) {
        const auto scope = p.scope(fmt::format("separable_{}", i));
        x = p.relu(x);
        {
            const auto inner = p.scope("depthwise");
            Window window = Window::same(p.shape(x), {kernel, kernel}, {stride, stride});
            window.group = p.dim(x, 1);
            x = convolution(p, x, p.dim(x, 1), {kernel, kernel}, window, false);
        }
        const auto inner = p.scope("pointwise");
        x = batchNorm(p, convolution(p, x, filters, {1, 1}, {}, false));
    }
    return x;
}

Value rowColumn(TensorProgram& p, Value x, std::int64_t filters, std::int64_t stride) {
    const std::int64_t narrow = std::max<std::int64_t>(1, filters / 4);
    x = reluConv(p, "narrow", x, narrow, {1, 1});
    x = reluConv(p, "row", x, narrow, {1, 7}, {1, stride});
    x = reluConv(p, "column", x, narrow, {7, 1}, {stride, 1});
    return reluConv(p, "widen", x, filters, {1, 1});
}

Value pooling(TensorProgram& p, bool average, Value x, std::int64_t filters, std::int64_t stride) {
    const Window window = Window::same(p.shape(x), {3, 3}, {stride, stride});
    x = average ? p.averagePool(x, {3, 3}, window) : p.maxPool(x, {3, 3}, window);
    if (p.dim(x, 1) == filters)
        return x;
    const auto scope = p.scope("match");
    return batchNorm(p, convolution(p, x, filters, {1, 1}, {}, false));
}

Value apply(TensorProgram& p, Operation operation, Value x, std::int64_t filters, std::int64_t stride) {
    switch (operation) {
    case Operation::Identity:
        return p.dim(x, 1) == filters ? x : reluConv(p, "match", x, filters, {1, 1});
    case Operation::AveragePool3:
    case Operation::MaxPool3:
        return pooling(p, operation == Operation::AveragePool3, x, filters, stride);
    case Operation::Separable3:
        return separable(p, x, filters, 3, stride);
    case Operation::Separable5:
        return separable(p, x, filters, 5, stride);
    case Operation::Separable7:
        return separable(p, x, filters, 7, stride);
    case Operation::RowColumn7:
        return rowColumn(p, x, filters, stride);
    }
    throw std::logic_error("an operation that is none");
}

/// Drops the operation for some images of the batch.
Value dropPath(TensorProgram& p, Value x) {
    const Value keep = p.constant("keep", {p.dim(x, 0), 1, 1, 1});
    return p.mul(x, p.dropout(keep, kDropPath).result, "drop_path");
}

/// Half of the results from the even positions of the image, half from the odd ones.
Value factorizedReduction(TensorProgram& p, Value x, std::int64_t filters) {
    x = p.relu(x);
    Value shifted = x;
    for (const std::int64_t axis : {2, 3})
        shifted = p.slice(p.pad(shifted, axis, 0, 1), axis, 1, p.dim(x, axis) + 1);
    std::array halves{x, shifted};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto scope = p.scope(fmt::format("path_{}", i));
        const Value sampled = p.averagePool(halves[i], {1, 1}, Window::square(2));
        halves[i] = convolution(p, sampled, i == 0 ? filters / 2 : filters - filters / 2, {1, 1}, {}, false);
    }
    return batchNorm(p, p.concat(halves, 1));
}

/// What lies before the cell before, in the shape of the latter and with the cell's filters.
Value matched(TensorProgram& p, Value previous, Value current, std::int64_t filters) {
    const auto scope = p.scope("previous");
    if (p.dim(previous, 2) != p.dim(current, 2))
        return factorizedReduction(p, previous, filters);
    return p.dim(previous, 1) == filters ? previous : reluConv(p, "match", previous, filters, {1, 1});
}

Value runCell(TensorProgram& p, const Cell& cell, Value current, Value previous, std::int64_t filters,
              std::int64_t stride) {
    std::vector<Value> states(2);
    states[1] = previous.valid() ? matched(p, previous, current, filters) : current;
    states[0] = reluConv(p, "current", current, filters, {1, 1});
    for (std::size_t i = 0; i < cell.sums.size(); ++i) {
        const auto scope = p.scope(fmt::format("sum_{}", i));
        std::array<Value, 2> terms;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto inner = p.scope(side == 0 ? "left" : "right");
            const Term& term = cell.sums[i][side];
            terms[side] = apply(p, term.operation, states[term.state], filters, term.state < 2 ? stride : 1);
            if (term.operation != Operation::Identity)
                terms[side] = dropPath(p, terms[side]);
        }
        states.push_back(p.add(terms[0], terms[1]));
    }
    std::vector<Value> results;
    for (const std::size_t state : cell.results)
        results.push_back(states[state]);
    return p.concat(results, 1);
}

Result<Graph> build(const std::string& name, const ZooValues& values) {
    TensorProgram p(name);
    std::vector<Value> outputs(1); // of the cells; none before the first
    {
        const auto scope = p.scope("stem");
        outputs.push_back(batchNorm(
            p, convolution(p, imageInput(p, values), values["stem-filters"], {3, 3}, Window::square(2), false)));
    }
    const auto addCell = [&](const std::string& scopeName, const Cell& cell, std::int64_t filters,
                             std::int64_t stride) {
        const auto scope = p.scope(scopeName);
        outputs.push_back(runCell(p, cell, outputs.back(), outputs[outputs.size() - 2], filters, stride));
    };
    std::int64_t filters = values["filters"];
    for (int i = 0; i < kStemCells; ++i)
        addCell(fmt::format("stem_cell_{}", i), reductionCell(), filters >> (kStemCells - i), 2);
    std::int64_t number = 0;
    for (int stack = 0; stack < kStacks; ++stack) {
        if (stack > 0) {
            filters *= 2;
            addCell(fmt::format("reduction_cell_{}", stack - 1), reductionCell(), filters, 2);
        }
        for (std::int64_t i = 0; i < values["cells"]; ++i)
            addCell(fmt::format("cell_{}", number++), normalCell(), filters, 1);
    }
    const auto scope = p.scope("classifier");
    const Value features = flatten(p, p.globalAveragePool(p.relu(outputs.back())));
    const Value logits = dense(p, p.dropout(features, kDropout).result, values["classes"]);
    minimize(p, imageLoss(p, logits), updateRule(values));
    return std::move(p).build();
}

} // namespace

void addAmoebanetModels(std::vector<ZooModel>& models) {
    ZooModel model{"amoebanet",
                   "AmoebaNet-A",
                   "Image classifier of cells found by evolution (Real, Aggarwal, Huang, Le 2019).",
                   4,
                   imageParameters(16, 16, 331, 64),
                   build};
    model.parameters.push_back({"cells", "Normal cells in each of the three stacks, N.", 1, 6, 1, 32, {}});
    model.parameters.push_back({"filters", "Filters of the first stack, F.", 190, 190, 8, 2048, {}});
    model.parameters.push_back({"stem-filters", "Filters of the first convolution.", 32, 32, 1, 1024, {}});
    model.parameters.push_back(updateRuleParameter(UpdateRule::Adam));
    models.push_back(std::move(model));
}

} // namespace opscape
