// SPDX-License-Identifier: MIT
#include "words.h"

#include <opscape/base/text.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

namespace opscape {

GraphWords::GraphWords(const Graph& graph, const ScopeTree& scopes) {
    std::map<std::string_view, std::uint32_t> known;
    names.reserve(graph.opCount());
    typeOf.reserve(graph.opCount());
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const Op& op = graph.op(OpId(i));
        names.push_back(lowerCase(op.name));
        const auto [it, added] = known.try_emplace(op.type, static_cast<std::uint32_t>(types.size()));
        if (added)
            types.push_back({op.type, lowerCase(op.type), 0});
        ++types[it->second].ops;
        typeOf.push_back(it->second);
    }
    std::vector<std::uint32_t> order(types.size()), rank(types.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [this](std::uint32_t a, std::uint32_t b) {
        return types[a].ops != types[b].ops ? types[a].ops > types[b].ops : types[a].name < types[b].name;
    });
    std::vector<Type> sorted;
    for (const std::uint32_t type : order) {
        rank[type] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(std::move(types[type]));
    }
    types = std::move(sorted);
    for (std::uint32_t& type : typeOf)
        type = rank[type];
    paths.reserve(scopes.scopeCount());
    for (std::size_t s = 0; s < scopes.scopeCount(); ++s)
        paths.push_back(lowerCase(scopes.path(ScopeId(s))));
}

} // namespace opscape
