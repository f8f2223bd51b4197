// SPDX-License-Identifier: MIT
// What kind of computation an op is to a fuser, and which kinds make one kernel together: the lattice that Apache TVM
// and XLA use in much the same form (Chen et al., "TVM", OSDI 2018). One table by op type.
#pragma once

#include <opscape/graph/graph.h>

#include <optional>

namespace opscape {

enum class FusionKind : std::uint8_t {
    View,        ///< another name for the same bytes
    Elementwise, ///< one value out per value in
    Broadcast,   ///< values in are used for many values out
    Movement,    ///< every value out is one in from another place
    Reduce,      ///< many values in for one out
    Contraction, ///< matrix product or convolution
    Opaque       ///< a kernel of its own: side effects, randomness, sorting, scattering, whole networks, unknown
};

[[nodiscard]] std::string_view toString(FusionKind kind);

/// False for types that the table does not list; they are opaque.
[[nodiscard]] bool hasFusionKind(std::string_view type);
[[nodiscard]] FusionKind fusionKind(std::string_view type);
/// Of an op, beside its type: an update op, one without outputs and one that hands out a variable are opaque; an
/// elementwise op whose result is larger than an activation it reads is a broadcast; one that writes statistics beside
/// its values, as a normalisation does in training, is a reduction.
[[nodiscard]] FusionKind fusionKind(const Graph& graph, OpId op);

/// What a producer of one kind and a consumer of another are together; none when they cannot be one kernel. Views go
/// with anything; elementwise ops, broadcasts and movements with one another, and before a reduction; after a reduction
/// only elementwise ops on its result; after a contraction an epilogue of elementwise ops and broadcasts, before it
/// nothing.
[[nodiscard]] std::optional<FusionKind> joined(FusionKind producer, FusionKind consumer);

} // namespace opscape
