// SPDX-License-Identifier: MIT
#include <opscape/layout/graph_layout.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace opscape {
namespace {

/// "layer_12" -> "layer_"
std::string_view withoutNumber(std::string_view name) {
    while (!name.empty() && name.back() >= '0' && name.back() <= '9')
        name.remove_suffix(1);
    return name;
}

std::size_t childCount(const Scope& scope) { return scope.scopes.size() + scope.ops.size(); }

} // namespace

ExpandedScopes expandToBudget(const ScopeTree& scopes, std::size_t budget) {
    ExpandedScopes expanded{ScopeTree::root()};
    std::size_t visible = childCount(scopes.scope(ScopeTree::root()));
    std::vector<ScopeId> level{ScopeTree::root()};
    while (!level.empty()) {
        struct Group {
            std::vector<ScopeId> scopes;
            std::size_t adds = 0;
        };
        std::vector<Group> groups;
        for (const ScopeId parent : level) {
            std::map<std::string_view, std::size_t> groupOf;
            for (const ScopeId id : scopes.scope(parent).scopes) {
                const auto [it, isNew] = groupOf.try_emplace(withoutNumber(scopes.scope(id).name), groups.size());
                if (isNew)
                    groups.emplace_back();
                groups[it->second].scopes.push_back(id);
                groups[it->second].adds += childCount(scopes.scope(id));
            }
        }
        // The cheap ones first, so that one huge scope does not keep its siblings closed.
        std::ranges::stable_sort(groups, {}, &Group::adds);
        level.clear();
        for (const Group& group : groups) {
            if (visible + group.adds > budget)
                break;
            visible += group.adds;
            expanded.insert(group.scopes.begin(), group.scopes.end());
            level.insert(level.end(), group.scopes.begin(), group.scopes.end());
        }
    }
    return expanded;
}

} // namespace opscape
