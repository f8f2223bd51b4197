// SPDX-License-Identifier: MIT
// A graph cut into pieces that a person would not take apart: forward scopes (or layers), each with the backward and
// update ops that belong to it.
#pragma once

#include <opscape/plan/problem.h>

namespace opscape {

struct Pieces {
    static constexpr std::uint32_t kNone = 0xffffffffu;

    std::vector<std::uint32_t> of; ///< per op
    std::uint32_t count = 0;
};

/// Forward scopes in topological order, small enough to be shared out evenly over `parts` devices of a kind.
[[nodiscard]] Pieces scopePieces(const Problem& problem, KindId kind, std::size_t parts);

/// Given the pieces of the forward ops (kNone for the rest), finds those of the others. A backward op goes with the
/// scope it is named after; failing that, and for updates at first, with the forward op that reads the same weight;
/// else with the last forward op whose result it reads; else with whatever it reads; else it is in `otherwise`.
void followForward(const Graph& graph, Pieces& pieces, std::uint32_t otherwise);

} // namespace opscape
