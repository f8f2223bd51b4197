// SPDX-License-Identifier: MIT
// The scopes that names of ops spell out ("encoder/layer_0/MatMul" lies in encoder, and there in layer_0), for formats
// that nest them.
#pragma once

#include <opscape/graph/graph.h>

#include <string_view>
#include <vector>

namespace opscape {

/// "encoder/layer_0"; empty where the name has no scope.
[[nodiscard]] inline std::string_view scopePath(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
}
/// "MatMul"
[[nodiscard]] inline std::string_view leafName(std::string_view name) { return name.substr(name.rfind('/') + 1); }

/// Nesting beyond this is of no use to a reader and refused by some: what is deeper lies in the scope that is allowed.
inline constexpr std::size_t kDeepestScope = 60, kLongestScope = 400;
/// The scope of an op of that name for formats that nest.
[[nodiscard]] std::string_view nestedPath(std::string_view name);

/// The ops in an order in which those of a scope, with the scopes inside it, stand together; else ascending.
[[nodiscard]] std::vector<OpId> opsByScope(const Graph& graph);

/// Walks from scope to scope: calls what opens one and what closes one, the outer before the inner.
class ScopeWalk {
public:
    /// To the scope of an op of that name. open(path), close().
    template <class Open, class Close>
    void goTo(std::string_view path, const Open& open, const Close& close) {
        std::size_t shared = 0;
        while (!path.empty() && shared < m_ends.size() && m_ends[shared] <= path.size() &&
               path.substr(0, m_ends[shared]) == m_path.substr(0, m_ends[shared]) &&
               (m_ends[shared] == path.size() || path[m_ends[shared]] == '/'))
            ++shared;
        for (; m_ends.size() > shared; m_ends.pop_back())
            close();
        while (!path.empty() && (m_ends.empty() || m_ends.back() < path.size())) {
            const std::size_t from = m_ends.empty() ? 0 : m_ends.back() + 1;
            m_ends.push_back(std::min(path.find('/', from), path.size()));
            open(path.substr(0, m_ends.back()));
        }
        m_path = path;
    }
    [[nodiscard]] std::size_t depth() const { return m_ends.size(); }

private:
    std::string_view m_path;
    std::vector<std::size_t> m_ends; ///< of the scopes that are open, within the path
};

} // namespace opscape
