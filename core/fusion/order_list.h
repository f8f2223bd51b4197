// SPDX-License-Identifier: MIT
// A sequence of numbered nodes that tells at once which of two comes first, while nodes are taken out and put in: each
// carries a label, labels ascend, and what is put between two nodes gets labels between theirs; when there is no room
// left all labels are spread anew (Dietz and Sleator 1987, in its simplest form).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace opscape {

class OrderList {
public:
    using Node = std::uint32_t;

    /// Nodes 0 .. size-1 in this order.
    explicit OrderList(std::span<const Node> order)
        : m_end(static_cast<Node>(order.size())),
          m_next(order.size() + 1),
          m_previous(order.size() + 1),
          m_label(order.size() + 1) {
        Node last = m_end;
        for (const Node node : order) {
            link(last, node);
            last = node;
        }
        link(last, m_end);
        spread();
    }

    [[nodiscard]] bool before(Node a, Node b) const { return m_label[a] < m_label[b]; }
    [[nodiscard]] std::int64_t label(Node node) const { return m_label[node]; }

    void remove(Node node) { link(m_previous[node], m_next[node]); }
    /// `fresh`, which is not in the list, takes the place of `node`.
    void replace(Node node, Node fresh) {
        link(m_previous[node], fresh);
        link(fresh, m_next[node]);
        m_label[fresh] = m_label[node];
    }
    void insertAfter(Node place, std::span<const Node> nodes) { insert(place, m_next[place], nodes); }
    void insertBefore(Node place, std::span<const Node> nodes) { insert(m_previous[place], place, nodes); }

private:
    static constexpr std::int64_t kGap = std::int64_t{1} << 30;

    void link(Node a, Node b) {
        m_next[a] = b;
        m_previous[b] = a;
    }

    /// The end node closes the ring: before the first it counts as 0, after the last as the highest label.
    void insert(Node left, Node right, std::span<const Node> nodes) {
        if (nodes.empty())
            return;
        const std::int64_t low = left == m_end ? 0 : m_label[left];
        const std::int64_t step = (m_label[right] - low) / (static_cast<std::int64_t>(nodes.size()) + 1);
        std::int64_t label = low;
        Node last = left;
        for (const Node node : nodes) {
            link(last, node);
            m_label[node] = label += step;
            last = node;
        }
        link(last, right);
        if (step == 0)
            spread();
    }

    void spread() {
        std::int64_t label = 0;
        for (Node node = m_next[m_end]; node != m_end; node = m_next[node])
            m_label[node] = label += kGap;
        m_label[m_end] = label + kGap;
    }

    Node m_end; ///< before the first and after the last
    std::vector<Node> m_next, m_previous;
    std::vector<std::int64_t> m_label;
};

} // namespace opscape
