// SPDX-License-Identifier: MIT
#include "gui/views/graph_shown.h"

namespace opscape {

GraphView GraphShown::view() const {
    GraphView v;
    v.graph = opened->graph.get();
    v.scopes = opened->scopes.get();
    v.scene = placed.scene.get();
    v.colours = placed.colours.get();
    v.placement = placed.placement.get();
    v.isolated = isolated;
    v.legend = legend;
    v.selected = &selected;
    v.found = &found;
    v.hovered = hovered;
    if (const ShownRun* run = placed.run.get()) {
        v.cluster = &run->cluster();
        v.plan = &run->outcome->plan;
        v.cost = run->problem().cost.get();
        v.critical = critical ? &run->onCritical : nullptr;
    }
    return v;
}

} // namespace opscape
