// SPDX-License-Identifier: MIT
// Start with everything of a part in one piece. Take the heaviest piece; while it is one scope, it stands for that
// scope's contents; cut the run where the weights on both sides come closest; repeat. Small siblings that follow one
// another so end up in one piece, and a scope is opened only when it outweighs all other pieces.
#include <opscape/search/scope_splitter.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace opscape {

ScopeSplitter::ScopeSplitter(const LayerTree& tree, std::span<const SplitItem> items, bool wholeScopes)
    : m_nodes(tree.nodeCount()),
      m_items(items.size()) {
    std::uint32_t parts = 1;
    for (const SplitItem& item : items)
        parts = std::max(parts, item.part + 1);
    m_contents.resize(parts * m_nodes);

    std::iota(m_items.begin(), m_items.end(), 0u);
    std::ranges::sort(m_items, [&items](std::uint32_t a, std::uint32_t b) {
        const SplitItem &x = items[a], &y = items[b];
        return std::tie(x.part, x.node, x.position, a) < std::tie(y.part, y.node, y.position, b);
    });
    for (std::uint32_t begin = 0, end = 0; begin < m_items.size(); begin = end) {
        const SplitItem& first = items[m_items[begin]];
        Contents& in = m_contents[first.part * m_nodes + first.node];
        Entry entry{kNoNode, begin, begin, 0, 0};
        do {
            const SplitItem& item = items[m_items[end]];
            entry.weight += item.weight;
            entry.position += item.position;
            entry.end = ++end;
        } while (wholeScopes && end < m_items.size() && items[m_items[end]].part == first.part &&
                 items[m_items[end]].node == first.node);
        in.weight += entry.weight;
        in.positions += entry.position;
        in.items += end - begin;
        entry.position /= end - begin;
        in.entries.push_back(entry);
    }
    for (std::uint32_t part = 0; part < parts; ++part) {
        for (std::uint32_t node = m_nodes; node-- > 0;) {
            Contents& in = m_contents[part * m_nodes + node];
            std::ranges::stable_sort(in.entries, {}, &Entry::position);
            if (node == LayerTree::kRoot || in.items == 0)
                continue;
            Contents& above = m_contents[part * m_nodes + tree.node(node).parent];
            above.entries.push_back({node, 0, 0, in.weight, in.positions / in.items});
            above.weight += in.weight;
            above.positions += in.positions;
            above.items += in.items;
        }
        const auto entries = static_cast<std::uint32_t>(contents(part, LayerTree::kRoot).entries.size());
        if (entries > 0)
            add(part, LayerTree::kRoot, 0, entries);
    }
}

double ScopeSplitter::weightOf(const Piece& piece) const {
    double weight = 0;
    for (std::uint32_t i = piece.begin; i < piece.end; ++i)
        weight += contents(piece.part, piece.node).entries[i].weight;
    return weight;
}

void ScopeSplitter::add(std::uint32_t part, std::uint32_t node, std::uint32_t begin, std::uint32_t end) {
    Piece piece{part, node, begin, end, 0, m_made++};
    piece.weight = weightOf(piece);
    while (piece.end - piece.begin == 1) {
        const Entry& only = contents(part, piece.node).entries[piece.begin];
        if (only.node == kNoNode) {
            m_done.push_back(piece);
            return;
        }
        piece.node = only.node;
        piece.begin = 0;
        piece.end = static_cast<std::uint32_t>(contents(part, piece.node).entries.size());
    }
    m_open.push(piece);
}

void ScopeSplitter::splitTo(std::size_t pieces) {
    while (pieceCount() < pieces && !m_open.empty()) {
        const Piece piece = m_open.top();
        m_open.pop();
        const std::vector<Entry>& entries = contents(piece.part, piece.node).entries;
        std::uint32_t cut = piece.begin + 1;
        double left = 0, best = piece.weight;
        for (std::uint32_t i = piece.begin; i + 1 < piece.end; ++i) {
            left += entries[i].weight;
            const double apart = std::abs(piece.weight - 2 * left);
            if (apart < best) {
                best = apart;
                cut = i + 1;
            }
        }
        add(piece.part, piece.node, piece.begin, cut);
        add(piece.part, piece.node, cut, piece.end);
    }
}

void ScopeSplitter::mark(const Piece& piece, std::uint32_t number, std::vector<std::uint32_t>& pieceOf) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open; // node, entry
    for (std::uint32_t i = piece.begin; i < piece.end; ++i)
        open.emplace_back(piece.node, i);
    while (!open.empty()) {
        const auto [node, index] = open.back();
        open.pop_back();
        const Entry& entry = contents(piece.part, node).entries[index];
        if (entry.node == kNoNode) {
            for (std::uint32_t i = entry.begin; i < entry.end; ++i)
                pieceOf[m_items[i]] = number;
        } else {
            for (std::uint32_t i = 0; i < contents(piece.part, entry.node).entries.size(); ++i)
                open.emplace_back(entry.node, i);
        }
    }
}

std::vector<std::uint32_t> ScopeSplitter::pieceOf() const {
    std::vector<std::uint32_t> pieceOf(m_items.size());
    std::uint32_t number = 0;
    for (const Piece& piece : m_done)
        mark(piece, number++, pieceOf);
    for (auto open = m_open; !open.empty(); open.pop())
        mark(open.top(), number++, pieceOf);
    return pieceOf;
}

} // namespace opscape
