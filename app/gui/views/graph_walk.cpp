// SPDX-License-Identifier: MIT
#include "gui/views/graph_walk.h"

#include <QtCore/qnamespace.h>

#include <cmath>
#include <limits>

namespace opscape {
namespace {

float centreX(const SceneNode& node) { return node.rect.x + node.rect.width / 2; }
float centreY(const SceneNode& node) { return node.rect.y + node.rect.height / 2; }

const SceneNode& at(const GraphScene& scene, int node) { return scene.nodes[static_cast<std::size_t>(node)]; }

/// From an open frame to its topmost or bottommost box, at any depth.
int inside(const GraphScene& scene, int node, bool fromTop) {
    while (node >= 0 && at(scene, node).expanded) {
        int best = -1;
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            if (scene.nodes[i].parent != node)
                continue;
            const float y = scene.nodes[i].rect.y;
            if (best < 0 || (fromTop ? y < at(scene, best).rect.y : y > at(scene, best).rect.y))
                best = static_cast<int>(i);
        }
        if (best < 0)
            return node;
        node = best;
    }
    return node;
}

/// The sibling over an edge that lies closest; looks from the frames around it when it has none.
int alongEdges(const GraphScene& scene, int node, bool down) {
    for (int from = node; from >= 0; from = at(scene, from).parent) {
        int best = -1;
        float distance = std::numeric_limits<float>::max();
        for (const SceneEdge& edge : scene.edges) {
            if ((down ? edge.from : edge.to) != from)
                continue;
            const int other = down ? edge.to : edge.from;
            const float d = std::hypot(centreX(at(scene, other)) - centreX(at(scene, from)),
                                       centreY(at(scene, other)) - centreY(at(scene, from)));
            if (d < distance) {
                distance = d;
                best = other;
            }
        }
        if (best >= 0)
            return inside(scene, best, down);
    }
    return -1;
}

int beside(const GraphScene& scene, int node, bool right) {
    const SceneNode& from = at(scene, node);
    int best = -1;
    float cost = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const SceneNode& other = scene.nodes[i];
        const float dx = (centreX(other) - centreX(from)) * (right ? 1.0F : -1.0F);
        if (other.parent != from.parent || dx <= 0)
            continue;
        const float c = dx + 3 * std::abs(centreY(other) - centreY(from));
        if (c < cost) {
            cost = c;
            best = static_cast<int>(i);
        }
    }
    return inside(scene, best, true);
}

} // namespace

int firstNode(const GraphScene& scene) {
    int best = -1;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const SceneNode& node = scene.nodes[i];
        if (!node.expanded && (best < 0 || node.rect.y < at(scene, best).rect.y))
            best = static_cast<int>(i);
    }
    return best;
}

int neighbourOf(const GraphScene& scene, int node, int key) {
    switch (key) {
    case Qt::Key_Down:
        return alongEdges(scene, node, true);
    case Qt::Key_Up:
        return alongEdges(scene, node, false);
    case Qt::Key_Right:
        return beside(scene, node, true);
    case Qt::Key_Left:
        return beside(scene, node, false);
    default:
        return -1;
    }
}

} // namespace opscape
