// SPDX-License-Identifier: MIT
#include <opscape/io/write/scope_path.h>

#include <algorithm>
#include <unordered_map>

namespace opscape {
namespace {

/// A scope in the order of the first op inside.
struct Node {
    struct Child {
        bool isScope;
        std::uint32_t index; ///< op or node
    };
    std::vector<Child> children;
};

class Tree {
public:
    explicit Tree(const Graph& graph) {
        m_nodes.emplace_back();
        m_byPath.emplace(std::string_view(), 0);
        for (std::uint32_t i = 0; i < graph.opCount(); ++i) {
            const std::uint32_t scope = nodeOf(scopePath(graph.op(OpId(i)).name));
            m_nodes[scope].children.push_back({false, i});
        }
    }

    [[nodiscard]] std::vector<OpId> ops() const {
        std::vector<OpId> order;
        std::vector<std::pair<std::uint32_t, std::size_t>> open{{0, 0}}; // node, next child
        while (!open.empty()) {
            auto& [node, next] = open.back();
            if (next == m_nodes[node].children.size()) {
                open.pop_back();
                continue;
            }
            const Node::Child child = m_nodes[node].children[next++];
            if (child.isScope)
                open.emplace_back(child.index, 0);
            else
                order.emplace_back(child.index);
        }
        return order;
    }

private:
    std::uint32_t nodeOf(std::string_view path) {
        std::vector<std::string_view> missing; // innermost first
        auto known = m_byPath.find(path);
        while (known == m_byPath.end()) {
            missing.push_back(path);
            path = scopePath(path);
            known = m_byPath.find(path);
        }
        std::uint32_t node = known->second;
        for (std::size_t i = missing.size(); i-- > 0;) {
            const auto child = static_cast<std::uint32_t>(m_nodes.size());
            m_nodes[node].children.push_back({true, child});
            m_nodes.emplace_back();
            m_byPath.emplace(missing[i], child);
            node = child;
        }
        return node;
    }

    std::vector<Node> m_nodes;
    std::unordered_map<std::string_view, std::uint32_t> m_byPath;
};

} // namespace

std::string_view nestedPath(std::string_view name) {
    const std::string_view path = scopePath(name);
    std::size_t end = 0, scopes = 0;
    while (end < path.size() && scopes < kDeepestScope) {
        const std::size_t next = std::min(path.find('/', end == 0 ? 0 : end + 1), path.size());
        if (next > kLongestScope)
            break;
        end = next;
        ++scopes;
    }
    return path.substr(0, end);
}

std::vector<OpId> opsByScope(const Graph& graph) { return Tree(graph).ops(); }

} // namespace opscape
