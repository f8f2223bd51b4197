// SPDX-License-Identifier: MIT
// Who stands for a colocation group.
#pragma once

#include <opscape/graph/graph.h>

namespace opscape {

/// The lowest op of the op's colocation group, which stands for all of it; the op itself where it has none.
[[nodiscard]] inline OpId colocationLeader(const Graph& graph, OpId op) {
    const int group = graph.colocationGroup(op);
    return group < 0 ? op : graph.colocationGroups()[static_cast<std::size_t>(group)][0];
}

} // namespace opscape
