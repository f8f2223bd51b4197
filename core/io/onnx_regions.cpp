// SPDX-License-Identifier: MIT
#include <opscape/cost/op_cost.h>
#include <opscape/io/onnx_regions.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr double kMostWork = 9e18; ///< flops or bytes, what an op can say

std::int64_t whole(double amount) { return static_cast<std::int64_t>(std::min(amount, kMostWork)); }

} // namespace

void weighRegions(GraphBuilder& builder, std::span<const OnnxRegion> regions) {
    if (regions.empty())
        return;
    Diagnostics ignored;
    const auto graph = GraphBuilder(builder).build(ignored);
    if (!graph)
        return; // the builder itself says why
    std::vector<OpCost> costs;
    for (std::size_t i = 0; i < graph->opCount(); ++i)
        costs.push_back(opCost(*graph, OpId(i)));
    std::vector<double> times(graph->opCount(), 1.0); // that an op runs
    const auto workOf = [&](const OnnxRegion& region) {
        std::pair<double, double> work;
        for (std::size_t i = region.first; i < region.last; ++i) {
            work.first += times[i] * costs[i].flops;
            work.second += times[i] * costs[i].bytesMoved;
        }
        return work;
    };
    const auto run = [&times](const OnnxRegion& region, double rounds) {
        for (std::size_t i = region.first; i < region.last; ++i)
            times[i] *= rounds;
    };
    for (auto at = regions.begin(); at != regions.end();) {
        auto end = at + 1;
        while (at->choice >= 0 && end != regions.end() && end->choice == at->choice)
            ++end;
        const auto most =
            std::max_element(at, end, [&](const OnnxRegion& a, const OnnxRegion& b) { return workOf(a) < workOf(b); });
        for (auto region = at; region != end; ++region)
            run(*region, region == most ? region->rounds : 0);
        at = end;
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i] == 1)
            continue;
        Op& op = builder.op(OpId(i));
        op.flops = whole(times[i] * costs[i].flops);
        op.bytesMoved = whole(times[i] * costs[i].bytesMoved);
    }
}

} // namespace opscape
