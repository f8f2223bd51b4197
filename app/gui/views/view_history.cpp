// SPDX-License-Identifier: MIT
#include "gui/views/view_history.h"

#include <cmath>

namespace opscape {
namespace {

constexpr std::size_t kMostPlaces = 100;
constexpr double kSameScale = 0.01; ///< relative
constexpr double kSamePixels = 4;

} // namespace

bool GraphPlace::isLike(const GraphPlace& other) const {
    if (expanded != other.expanded)
        return false;
    if (fitted || other.fitted)
        return fitted == other.fitted;
    const QPointF moved = (camera.origin - other.camera.origin) * camera.scale;
    return std::abs(camera.scale / other.camera.scale - 1) < kSameScale && moved.manhattanLength() < kSamePixels;
}

void ViewHistory::arrived(GraphPlace place) {
    if (m_next > 0 && m_places[m_next - 1].isLike(place)) {
        m_places[m_next - 1] = std::move(place);
        return;
    }
    m_places.resize(m_next);
    m_places.push_back(std::move(place));
    if (m_places.size() > kMostPlaces)
        m_places.pop_front();
    m_next = m_places.size();
}

std::optional<GraphPlace> ViewHistory::back() {
    if (m_next < 2)
        return std::nullopt;
    --m_next;
    return m_places[m_next - 1];
}

std::optional<GraphPlace> ViewHistory::forward() {
    if (m_next >= m_places.size())
        return std::nullopt;
    return m_places[m_next++];
}

void ViewHistory::clear() {
    m_places.clear();
    m_next = 0;
}

} // namespace opscape
