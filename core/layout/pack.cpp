// SPDX-License-Identifier: MIT
#include <opscape/layout/pack.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace opscape {

PackingPlan planPacking(const std::vector<BoxSize>& boxes, float gap, float aspect) {
    std::vector<int> order(boxes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](int a, int b) { return boxes[a].height > boxes[b].height; });
    float area = 0, widest = 0;
    for (const BoxSize& box : boxes) {
        area += (box.width + gap) * (box.height + gap);
        widest = std::max(widest, box.width);
    }
    const float pageWidth = std::max(widest, std::sqrt(area * aspect));

    PackingPlan plan;
    float shelfHeight = 0, x = 0; // of the last shelf, and where its last stack begins
    float stackWidth = 0, stackHeight = 0;
    for (const int i : order) {
        const BoxSize box = boxes[i];
        if (!plan.empty() && box.width <= stackWidth && stackHeight + gap + box.height <= shelfHeight) {
            plan.back().back().push_back(i);
            stackHeight += gap + box.height;
            continue;
        }
        x += stackWidth > 0 ? stackWidth + gap : 0;
        if (plan.empty() || x + box.width > pageWidth) {
            plan.emplace_back();
            shelfHeight = box.height;
            x = 0;
        }
        plan.back().push_back({i});
        stackWidth = box.width;
        stackHeight = box.height;
    }
    return plan;
}

Packing placePacking(const PackingPlan& plan, const std::vector<BoxSize>& boxes, float gap) {
    Packing packing;
    packing.corners.resize(boxes.size());
    float top = 0;
    for (const auto& shelf : plan) {
        float x = 0;
        for (const auto& stack : shelf) {
            float y = top, width = 0;
            for (const int i : stack) {
                packing.corners[i] = {x, y};
                width = std::max(width, boxes[i].width);
                packing.height = std::max(packing.height, y + boxes[i].height);
                y += boxes[i].height + gap;
            }
            x += width + gap;
            packing.width = std::max(packing.width, x - gap);
        }
        top = packing.height + gap;
    }
    return packing;
}

} // namespace opscape
