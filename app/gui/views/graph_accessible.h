// SPDX-License-Identifier: MIT
// The graph as a screen reader meets it: a summary of what is open, what is selected, and every visible box as a child
// with its name, place and state. Walking with the arrow keys moves the reader along.
#pragma once

namespace opscape {

class GraphWidget;

/// From now on assistive programs find the boxes of a GraphWidget.
void installGraphAccessibility();
/// The selection moved to a box, or to none with -1.
void announceNode(GraphWidget& graph, int node);
/// There are other boxes now.
void announceScene(GraphWidget& graph);

} // namespace opscape
