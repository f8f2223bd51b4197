// SPDX-License-Identifier: MIT
// Execution traces of MLCommons Chakra. The binary form (.et) is a sequence of protobuf messages, each after its
// length: one of metadata, then one per node. The JSON form is read in both of its kinds: the converted trace
// ("workload_graph") and PyTorch's own ("nodes" with tensors, whose flow from op to op gives the data edges, in the
// order of the ids). Durations become measured times. What waits for nodes that are not in the trace is counted.
#pragma once

#include <opscape/io/format.h>

namespace opscape {

[[nodiscard]] bool isChakra(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readChakra(std::string_view bytes, const std::string& origin);

[[nodiscard]] bool looksLikeChakraJson(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readChakraJson(FileText text, const std::string& origin);

} // namespace opscape
