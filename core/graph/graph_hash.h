// SPDX-License-Identifier: MIT
// The hash that names a graph by all of its content, in files, plans and the run store.
#pragma once

#include <opscape/graph/graph.h>

namespace opscape {

/// 32 hex digits. Equal graphs have equal hashes; a change of any field, id or order changes it.
[[nodiscard]] std::string graphHash(const Graph& graph);

} // namespace opscape
