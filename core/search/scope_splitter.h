// SPDX-License-Identifier: MIT
// Cuts the items of a layer tree into pieces that follow its scopes: a piece is a run of siblings that follow one
// another in time, so it is a chunk of small scopes, a whole scope, or a part of a large one. Pieces only ever get cut
// further, hence those for a larger number lie inside those for a smaller one.
#pragma once

#include <opscape/search/layer_tree.h>

#include <queue>

namespace opscape {

struct SplitItem {
    std::uint32_t node = LayerTree::kRoot; ///< of the layer tree
    std::uint32_t part = 0;                ///< items of different parts never share a piece; parts are few
    double weight = 0;                     ///< pieces are cut where it is halved, the heaviest first
    double position = 0;                   ///< ascending: earlier in the step
};

class ScopeSplitter {
public:
    /// With `wholeScopes` the items that lie directly in a scope are never parted.
    ScopeSplitter(const LayerTree& tree, std::span<const SplitItem> items, bool wholeScopes);

    /// Cuts until there are `pieces` of them or nothing is left to cut. There are always as many as there are parts.
    void splitTo(std::size_t pieces);
    [[nodiscard]] std::size_t pieceCount() const { return m_done.size() + m_open.size(); }
    /// Per item, numbered from 0.
    [[nodiscard]] std::vector<std::uint32_t> pieceOf() const;

private:
    static constexpr std::uint32_t kNoNode = 0xffffffffu;

    /// A sub-scope, or items that lie directly in the scope: m_items[begin .. end).
    struct Entry {
        std::uint32_t node = kNoNode;
        std::uint32_t begin = 0, end = 0;
        double weight = 0, position = 0;
    };
    /// What lies in one scope, of one part.
    struct Contents {
        std::vector<Entry> entries;
        double weight = 0, positions = 0;
        std::uint32_t items = 0;
    };
    /// Entries [begin, end) of one scope.
    struct Piece {
        std::uint32_t part, node, begin, end;
        double weight;
        std::size_t number; ///< in the order in which they were made
    };
    struct Lighter {
        bool operator()(const Piece& a, const Piece& b) const {
            return a.weight != b.weight ? a.weight < b.weight : a.number > b.number;
        }
    };

    [[nodiscard]] const Contents& contents(std::uint32_t part, std::uint32_t node) const {
        return m_contents[part * m_nodes + node];
    }
    void add(std::uint32_t part, std::uint32_t node, std::uint32_t begin, std::uint32_t end);
    [[nodiscard]] double weightOf(const Piece& piece) const;
    void mark(const Piece& piece, std::uint32_t number, std::vector<std::uint32_t>& pieceOf) const;

    std::uint32_t m_nodes;
    std::vector<Contents> m_contents; ///< [part][node]
    std::vector<std::uint32_t> m_items;
    std::priority_queue<Piece, std::vector<Piece>, Lighter> m_open;
    std::vector<Piece> m_done; ///< cannot be cut
    std::size_t m_made = 0;
};

} // namespace opscape
