// SPDX-License-Identifier: MIT
// The gradients that are written by hand, against differences.
#include <opscape/base/random.h>
#include <opscape/rl/network/functions.h>

#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace opscape::rl {
namespace {

using torch::Tensor;

Tensor randomTensor(at::IntArrayRef sizes, std::uint64_t seed) {
    Tensor tensor = torch::empty(sizes, torch::kFloat64);
    Random random(seed);
    for (std::int64_t i = 0; i < tensor.numel(); ++i)
        tensor.data_ptr<double>()[i] = 2 * random.uniform() - 1;
    return tensor;
}

/// The gradient of the sum of weights * of(x) * of(x) is that by differences of `moved` in its place.
void expectGradient(const Tensor& x, const std::function<Tensor(const Tensor&)>& of,
                    const std::function<Tensor(const Tensor&)>& moved) {
    const Tensor leaf = x.clone().requires_grad_();
    const Tensor out = of(leaf);
    const Tensor weights = randomTensor(out.sizes(), 9);
    const Tensor gradient = torch::autograd::grad({(weights * out * out).sum()}, {leaf})[0].contiguous();
    const torch::NoGradGuard noGradient;
    const auto loss = [&](const Tensor& at) {
        const Tensor y = moved(at);
        return (weights * y * y).sum().item<double>();
    };
    constexpr double kStep = 1e-5;
    for (std::int64_t i = 0; i < x.numel(); ++i) {
        Tensor above = x.clone(), below = x.clone();
        above.data_ptr<double>()[i] += kStep;
        below.data_ptr<double>()[i] -= kStep;
        ASSERT_NEAR(gradient.data_ptr<double>()[i], (loss(above) - loss(below)) / (2 * kStep), 1e-7) << i;
    }
}

constexpr std::int64_t kUnits = 12, kSegment = 5, kHidden = 4; // three segments, the last one shorter

/// Segment by segment, what is before it taken from `constant`.
Tensor bySegments(const Tensor& x, const Tensor& constant, const Tensor& before, std::int64_t heads) {
    std::vector<Tensor> parts;
    for (std::int64_t begin = 0; begin < kUnits; begin += kSegment) {
        const Tensor last =
            begin == 0 ? before
                       : constant.narrow(1, begin - kSegment, kSegment).narrow(2, kHidden, 2 * kHidden).contiguous();
        parts.push_back(
            segmentAttention(x.narrow(1, begin, std::min(kSegment, kUnits - begin)), last, kSegment, heads));
    }
    return torch::cat(parts, 1);
}

TEST(SegmentAttention, HasTheGradientThatDifferencesShowWithTheSegmentBeforeHeldStill) {
    const Tensor x = randomTensor({2, kUnits, 3 * kHidden}, 1);
    for (const std::int64_t heads : {1, 2}) {
        for (const Tensor& before : {Tensor(), randomTensor({2, kSegment, 2 * kHidden}, 2)}) {
            expectGradient(
                x, [&](const Tensor& at) { return segmentAttention(at, before, kSegment, heads); },
                [&](const Tensor& at) { return bySegments(at, x, before, heads); });
        }
    }
}

TEST(SegmentAttention, IsAWeightedMeanOfWhatIsInSight) {
    // Keys of zero: the plain mean of the values of the own segment and the one before.
    Tensor x = torch::zeros({1, 4, 3}, torch::kFloat64);
    for (std::int64_t unit = 0; unit < 4; ++unit) {
        x[0][unit][0] = 1;
        x[0][unit][2] = static_cast<double>(unit + 1);
    }
    const Tensor out = segmentAttention(x, {}, 2, 1);
    const std::array<double, 4> expected{1.5, 1.5, 2.5, 2.5};
    for (std::int64_t unit = 0; unit < 4; ++unit)
        EXPECT_DOUBLE_EQ(out[0][unit][0].item<double>(), expected[static_cast<std::size_t>(unit)]) << unit;
    // A key that fits above all others: its value alone, in its segment and the next.
    x[0][1][1] = 1000;
    for (std::int64_t unit = 0; unit < 4; ++unit)
        EXPECT_DOUBLE_EQ(segmentAttention(x, {}, 2, 1)[0][unit][0].item<double>(), 2) << unit;
}

TEST(PickRows, TakesRowsAsOftenAsAskedForAndAddsUpTheirGradients) {
    const std::array<std::int32_t, 5> rows{2, 0, 2, 2, 3};
    const Tensor table = randomTensor({5, 3}, 4);
    const auto pick = [&](const Tensor& at) { return pickRows(at, rows); };
    for (std::int64_t i = 0; i < 5; ++i)
        EXPECT_TRUE(pick(table)[i].equal(table[rows[static_cast<std::size_t>(i)]]));
    expectGradient(table, pick, pick);
}

TEST(NeighbourMax, HasTheGradientThatDifferencesShow) {
    const Adjacency some{{0, 2, 2, 5, 6}, {1, 3, 0, 1, 3, 2}};
    const auto most = [&](const Tensor& at) { return neighbourMax(at, some); };
    expectGradient(randomTensor({4, 3}, 5), most, most);
}

} // namespace
} // namespace opscape::rl
