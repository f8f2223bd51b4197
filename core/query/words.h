// SPDX-License-Identifier: MIT
// The texts of a graph in lower case, and its distinct op types: made once per graph, searched many times.
#pragma once

#include <opscape/graph/scopes.h>

#include <cstdint>
#include <string>
#include <vector>

namespace opscape {

struct GraphWords {
    struct Type {
        std::string name, lower;
        std::size_t ops = 0;
    };

    GraphWords(const Graph& graph, const ScopeTree& scopes);

    std::vector<std::string> names;    ///< per op
    std::vector<std::string> paths;    ///< per scope
    std::vector<Type> types;           ///< the most frequent first, then by name
    std::vector<std::uint32_t> typeOf; ///< per op, index into types
};

} // namespace opscape
