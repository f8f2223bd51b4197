// SPDX-License-Identifier: MIT
#include <opscape/rl/pretrain/pretrain_state.h>

#include <algorithm>

namespace opscape::rl {
namespace {

constexpr std::size_t kMostPoints = 1024, kMostLooks = 256;

} // namespace

void thinOut(std::vector<PretrainPoint>& curve) {
    if (curve.size() <= kMostPoints)
        return;
    const auto looks = static_cast<std::size_t>(
        std::ranges::count_if(curve, [](const PretrainPoint& point) { return point.heldOut.has_value(); }));
    std::vector<PretrainPoint> kept;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const bool isLook = curve[i].heldOut && looks <= kMostLooks;
        if (isLook || i % 2 == 0 || i + 1 == curve.size())
            kept.push_back(curve[i]);
    }
    curve = std::move(kept);
}

} // namespace opscape::rl
