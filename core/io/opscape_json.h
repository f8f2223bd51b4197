// SPDX-License-Identifier: MIT
// Opscape's own graph format: JSON, one op or tensor a line, everything a Graph holds and nothing else, so that a graph
// written and read back is equal and has the same hash. Ids are the positions in the lists. What has its default is
// left out; an unknown key is refused, so that a misspelt one is not silently a default.
//
//   {"opscape_graph": 1, "name": "example",
//   "ops": [
//   {"name": "layer_0/fc", "type": "Gemm", "inputs": [0, 1, null], "attributes": {"transB": 1, "alpha": 1.0}},
//   {"name": "layer_0/relu", "type": "Relu", "inputs": [2], "after": [0]}
//   ],
//   "tensors": [
//   {"name": "x", "kind": "input", "dtype": "f32", "shape": [32, 784]},
//   {"name": "w", "kind": "weight", "dtype": "f32", "shape": [100, 784]},
//   {"name": "h", "producer": 0, "dtype": "f32", "shape": [32, 100]},
//   {"name": "y", "producer": 1, "bytes": 12800}
//   ]}
//
// op: name, type, phase (forward, backward, update), colocation, device (as requested), flops, bytes_moved,
//     workspace_bytes, time_ns {kind of device: ns}, attributes, inputs (tensors in the order of the signature, null
//     for one left out), after (ops it waits for beside its inputs: control edges). Attributes are a whole number, a
//     number with '.' or exponent, a text, or a list of whole numbers or of numbers;
//     {"real": "inf"} and {"reals": [...]} say what JSON cannot: infinities, "nan", an empty list of numbers.
// tensor: name, kind (input, weight, constant, optimizer-state; left out for what an op produces), producer, dtype,
//     shape ([] is a scalar, -1 an unknown dimension; left out where not even the rank is known), bytes (where they do
//     not follow from dtype and shape). An op's outputs are its tensors in the order of this list.
#pragma once

#include <opscape/io/format.h>

namespace opscape {

/// An object with the format's key near its start.
[[nodiscard]] bool isOpscapeJson(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readOpscapeJson(FileText text, const std::string& origin);
[[nodiscard]] std::string writeOpscapeJson(const Graph& graph);
/// The same with the devices of the plan.
[[nodiscard]] Result<WrittenGraph> writeOpscapeJson(const GraphToWrite& what);

} // namespace opscape
