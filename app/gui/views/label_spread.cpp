// SPDX-License-Identifier: MIT
#include "gui/views/label_spread.h"

#include <algorithm>
#include <cstddef>

namespace opscape {

std::vector<double> spreadLabels(const std::vector<double>& wanted, double apart, double top, double bottom) {
    std::vector<double> places = wanted;
    if (places.empty())
        return places;
    if (places.size() > 1)
        apart = std::min(apart, std::max(0.0, bottom - top) / static_cast<double>(places.size() - 1));
    double least = top;
    for (double& place : places) { // down, away from those above
        place = std::max(place, least);
        least = place + apart;
    }
    double most = bottom;
    for (std::size_t i = places.size(); i-- > 0;) { // and up again where the bottom is reached
        places[i] = std::min(places[i], most);
        most = places[i] - apart;
    }
    return places;
}

} // namespace opscape
