// SPDX-License-Identifier: MIT
// How a family of the zoo is varied to be learned from: depth, width, batch and steps, small enough to be simulated
// many times.
#pragma once

#include <opscape/base/random.h>
#include <opscape/base/result.h>

#include <map>
#include <string>

namespace opscape {

struct VariedModel {
    std::string name;                            ///< "gnmt layers=3 source-steps=6 ..."
    std::string model;                           ///< of the zoo
    std::map<std::string, std::string> settings; ///< on top of its preset small
};

/// Any of the family; not every one can be built or has a size that is wanted.
[[nodiscard]] VariedModel varyModel(std::string_view family, Random& random);

} // namespace opscape
