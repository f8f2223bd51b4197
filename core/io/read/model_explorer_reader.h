// SPDX-License-Identifier: MIT
// Model Explorer's graph JSON: one or several graphs of nodes with a namespace, which become scopes; incoming edges,
// each from an output of its source ("control" is none); attributes; and what is known of the outputs (tensor_shape
// "float32[1,256]"). A node's label is its type where it says more than its id. The attributes device, time_ns, flops,
// ... mean what they mean in DOT (see dot_reader.h); of an output name, bytes and tensor_shape are read.
#pragma once

#include <opscape/io/format.h>

namespace opscape {

[[nodiscard]] bool looksLikeModelExplorer(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readModelExplorer(FileText text, const std::string& origin);

} // namespace opscape
