// SPDX-License-Identifier: MIT
// Where a person has been in the graph, as a browser keeps it: back to the view before, forward again.
#pragma once

#include "render/graph_picture.h"

#include <opscape/layout/graph_layout.h>

#include <deque>
#include <optional>

namespace opscape {

/// One view of the graph: which groups are open, and what part of it is seen.
struct GraphPlace {
    ExpandedScopes expanded;
    GraphCamera camera;
    bool fitted = true; ///< all of it is seen, whatever the size of the window
    OpId op{};          ///< the box in the middle, which the view holds on to when boxes lie differently later
    ScopeId scope{};    ///< likewise, of a group
    QPointF at{};       ///< where on the screen its corner is

    /// Notes the box at a place on the screen.
    void holdOn(const GraphScene& scene, QPointF screen);
    /// The camera over a scene in which the box may lie elsewhere.
    [[nodiscard]] GraphCamera cameraOver(const GraphScene& scene) const;
    /// True where a person sees no difference.
    [[nodiscard]] bool isLike(const GraphPlace& other) const;
};

class ViewHistory {
public:
    /// A view that was come to; what was forward of the one before is forgotten.
    void arrived(GraphPlace place);
    /// None at the end. The view it returns is the current one from then on.
    [[nodiscard]] std::optional<GraphPlace> back();
    [[nodiscard]] std::optional<GraphPlace> forward();
    void clear();

private:
    std::deque<GraphPlace> m_places;
    std::size_t m_next = 0; ///< one past the current one
};

} // namespace opscape
