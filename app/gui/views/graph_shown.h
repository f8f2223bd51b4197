// SPDX-License-Identifier: MIT
// What the graph's canvas shows, as shared values: it can be painted on any thread, compared with what was painted
// before, and nothing it points to goes away meanwhile.
#pragma once

#include "gui/shown_run.h"
#include "render/graph_picture.h"

namespace opscape {

/// A scene, what its colours stand for, and what the run that was shown means for it.
struct GraphPlaced {
    std::shared_ptr<const GraphScene> scene;
    ShownRunPtr run; ///< may be null
    std::shared_ptr<const OpColours> colours;
    std::shared_ptr<const ScenePlacement> placement;
    friend bool operator==(const GraphPlaced&, const GraphPlaced&) = default;
};

struct GraphShown {
    std::shared_ptr<const OpenedGraph> opened;
    GraphPlaced placed;
    int isolated = -1; ///< as in GraphView
    bool critical = false;
    std::vector<OpId> selected, found; ///< marks, as is what lies under the pointer
    int hovered = -1;
    bool legend = true; ///< beside the graph

    /// Borrows this.
    [[nodiscard]] GraphView view() const;
    [[nodiscard]] GraphShown withoutMarks() const { return {opened, placed, isolated, critical, {}, {}, -1, legend}; }
    [[nodiscard]] bool hasMarks() const { return !selected.empty() || !found.empty() || hovered >= 0; }
    friend bool operator==(const GraphShown&, const GraphShown&) = default;
};

} // namespace opscape
