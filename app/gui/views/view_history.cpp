// SPDX-License-Identifier: MIT
#include "gui/views/view_history.h"

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr std::size_t kMostPlaces = 100;
constexpr double kSameScale = 0.01; ///< relative
constexpr double kSamePixels = 4;

} // namespace

void GraphPlace::holdOn(const GraphScene& scene, QPointF screen) {
    const int node = nodeAt(scene, camera.toWorld(screen));
    if (node < 0)
        return;
    const SceneNode& held = scene.nodes[static_cast<std::size_t>(node)];
    op = held.op;
    this->scope = held.scope;
    at = camera.toScreen({held.rect.x, held.rect.y});
}

GraphCamera GraphPlace::cameraOver(const GraphScene& scene) const {
    GraphCamera over = camera;
    const auto held = std::ranges::find_if(
        scene.nodes, [this](const SceneNode& node) { return node.op == op && node.scope == scope; });
    if (held != scene.nodes.end())
        over.origin = QPointF(held->rect.x, held->rect.y) - at / camera.scale;
    return over;
}

bool GraphPlace::isLike(const GraphPlace& other) const {
    if (expanded != other.expanded)
        return false;
    if (fitted || other.fitted)
        return fitted == other.fitted;
    const bool sameBox = (op.valid() || scope.valid()) && op == other.op && scope == other.scope;
    const QPointF moved = sameBox ? at - other.at : (camera.origin - other.camera.origin) * camera.scale;
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
