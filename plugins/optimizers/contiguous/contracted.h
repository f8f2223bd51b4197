// SPDX-License-Identifier: MIT
// The graph as the dynamic program sees it: ops that must share a device drawn together into nodes (colocation groups,
// and whatever lies on a cycle between them), and the tensors that can cross from one node to another. Two kinds of
// node would only multiply the number of splits and are left out of it: a source that takes no time and no bytes
// follows its first reader, and a leaf that takes no time joins its only predecessor (no split is faster with it
// elsewhere; only where the leaf's resident bytes are what overfills a device could there be one that fits).
//
// Where backward ops are colocated with forward ones, every node would lie on a cycle through the loss. There only the
// forward ops say what comes before what, and a tensor of a backward op may be read by an earlier node. A backward op
// without a forward partner stands in that order as its mirror image would: after what reads it.
#pragma once

#include <opscape/plan/problem.h>

namespace opscape {

struct ContractedGraph {
    struct Node {
        std::vector<OpId> ops;
        std::int64_t acceleratorNs = 0;
        std::int64_t cpuNs = 0;
        std::int64_t residentBytes = 0;     ///< that it alone reads
        std::vector<std::uint32_t> shared;  ///< resident tensors that it reads and others too
        std::vector<std::uint32_t> written; ///< crossing tensors it produces
        std::vector<std::uint32_t> read;    ///< crossing tensors of other nodes it reads
        std::vector<std::uint32_t> before;  ///< distinct predecessors
    };
    struct Tensor {
        std::int64_t bytes = 0;
        std::uint32_t producer = 0;
        std::vector<std::uint32_t> readers; ///< nodes other than the producer
    };
    struct Follower {
        OpId op, with; ///< `with` is invalid for an op that nobody reads
    };
    std::vector<Node> nodes; ///< in topological order
    std::vector<Tensor> tensors;
    std::vector<std::int64_t> sharedBytes; ///< of resident tensors that several nodes read
    std::vector<Follower> followers;       ///< ops in no node; they go where another op goes
};

/// `accelerator` and `cpu` are the kinds whose times are taken; an invalid kind gives times of 0.
[[nodiscard]] ContractedGraph contract(const Problem& problem, KindId accelerator, KindId cpu);

} // namespace opscape
