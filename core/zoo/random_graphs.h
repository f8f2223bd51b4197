// SPDX-License-Identifier: MIT
// Training steps that no one would train: random graphs with forward, backward and update phases, for a policy to learn
// from beside the networks that people know, so that it does not take their habits for laws. Grids are recurrent
// networks of any cell (layers by steps, some an encoder and a decoder); layered graphs have layers of random widths
// that read a few of the blocks before them; series-parallel ones are nested chains and branches. Scopes name layers,
// steps and branches as the zoo does, and the weights of a layer are shared by its steps.
#pragma once

#include <opscape/base/result.h>
#include <opscape/graph/graph.h>

#include <array>
#include <optional>

namespace opscape {

enum class RandomFamily : std::uint8_t { Grid, Layered, SeriesParallel };
inline constexpr std::array kRandomFamilies{RandomFamily::Grid, RandomFamily::Layered, RandomFamily::SeriesParallel};

/// "grid", "layered", "series-parallel".
[[nodiscard]] std::string_view toString(RandomFamily family);
[[nodiscard]] std::optional<RandomFamily> parseRandomFamily(std::string_view name);

struct RandomGraphOptions {
    RandomFamily family = RandomFamily::Grid;
    std::uint64_t seed = 1;
    std::size_t leastOps = 140, mostOps = 2000; ///< the size is drawn evenly over orders of magnitude
    double ratio = 0; ///< of communication to computation (SketchSizes); 0: drawn between the bounds below
};
inline constexpr double kLeastRatio = .05, kMostRatio = 2.5;

/// The same options give the same graph. Fails where no graph of that family has so many ops: below kLeastRandomOps,
/// or bounds within a fifth of each other.
[[nodiscard]] Result<Graph> randomGraph(const RandomGraphOptions& options);
inline constexpr std::size_t kLeastRandomOps = 60;

} // namespace opscape
