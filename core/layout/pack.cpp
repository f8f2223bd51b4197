// SPDX-License-Identifier: MIT
#include <opscape/layout/pack.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace opscape {

Packing packBoxes(const std::vector<BoxSize>& boxes, float gap, float aspect) {
    std::vector<std::size_t> order(boxes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return boxes[a].height > boxes[b].height; });
    float area = 0, widest = 0;
    for (const BoxSize& box : boxes) {
        area += (box.width + gap) * (box.height + gap);
        widest = std::max(widest, box.width);
    }
    const float pageWidth = std::max(widest, std::sqrt(area * aspect));

    Packing packing;
    packing.corners.resize(boxes.size());
    float shelfTop = 0, shelfHeight = 0;       // the shelf being filled
    float x = 0, stackWidth = 0, stackTop = 0; // its last stack of boxes
    for (const std::size_t i : order) {
        const BoxSize box = boxes[i];
        const bool below = stackWidth > 0 && box.width <= stackWidth && stackTop + box.height <= shelfTop + shelfHeight;
        if (!below) {
            x += stackWidth > 0 ? stackWidth + gap : 0;
            if (x > 0 && x + box.width > pageWidth) {
                shelfTop += shelfHeight + gap;
                shelfHeight = 0;
                x = 0;
            }
            stackWidth = box.width;
            stackTop = shelfTop;
            shelfHeight = std::max(shelfHeight, box.height);
        }
        packing.corners[i] = {x, stackTop};
        stackTop += box.height + gap;
        packing.width = std::max(packing.width, x + box.width);
        packing.height = std::max(packing.height, packing.corners[i].y + box.height);
    }
    return packing;
}

} // namespace opscape
