// SPDX-License-Identifier: MIT
#include <opscape/layout/graph_layout.h>

#include <algorithm>
#include <map>
#include <string>

namespace opscape {
namespace {

/// "layer_12" -> "layer_"
std::string withoutNumbers(std::string name) {
    std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
    return name;
}

std::size_t childCount(const Scope& scope) { return scope.scopes.size() + scope.ops.size(); }

} // namespace

ExpandedScopes expandToBudget(const ScopeTree& scopes, std::size_t budget) {
    ExpandedScopes expanded{ScopeTree::root()};
    std::size_t visible = childCount(scopes.scope(ScopeTree::root()));
    /// Scopes that differ only by numbers, their own or those of the scopes around them.
    struct Group {
        std::vector<ScopeId> scopes;
        std::size_t adds = 0;
    };
    std::vector<Group> level{{{ScopeTree::root()}, 0}};
    while (!level.empty()) {
        std::vector<Group> groups;
        for (const Group& parents : level) {
            std::map<std::string, std::size_t> groupOf;
            for (const ScopeId parent : parents.scopes) {
                for (const ScopeId id : scopes.scope(parent).scopes) {
                    const auto [it, isNew] = groupOf.try_emplace(withoutNumbers(scopes.scope(id).name), groups.size());
                    if (isNew)
                        groups.emplace_back();
                    groups[it->second].scopes.push_back(id);
                    groups[it->second].adds += childCount(scopes.scope(id));
                }
            }
        }
        // The cheap ones first, so that one huge scope does not keep its siblings closed.
        std::ranges::stable_sort(groups, {}, &Group::adds);
        level.clear();
        for (Group& group : groups) {
            if (visible + group.adds > budget)
                break;
            visible += group.adds;
            expanded.insert(group.scopes.begin(), group.scopes.end());
            level.push_back(std::move(group));
        }
    }
    return expanded;
}

} // namespace opscape
