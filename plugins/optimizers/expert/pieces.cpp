// SPDX-License-Identifier: MIT
#include "pieces.h"

#include "layers.h"

#include <opscape/graph/scopes.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace opscape {
namespace {

/// Finds pieces by the name of a forward op or scope.
class PieceNames {
public:
    PieceNames(const Graph& graph, const Pieces& pieces) {
        for (std::size_t i = 0; i < graph.opCount(); ++i) {
            if (pieces.of[i] == Pieces::kNone)
                continue;
            std::string_view name = graph.op(OpId(i)).name;
            for (;;) {
                const auto [it, isNew] = m_piece.try_emplace(name, pieces.of[i]);
                if (!isNew && it->second != pieces.of[i])
                    it->second = Pieces::kNone; // a scope over several pieces says nothing
                const std::size_t slash = name.rfind('/');
                if (slash == std::string_view::npos)
                    break;
                name = name.substr(0, slash);
            }
        }
    }

    /// "layer_0/MatMul_grad/Sum" belongs to the op or scope layer_0/MatMul, else to layer_0.
    [[nodiscard]] std::uint32_t find(std::string_view name) const {
        constexpr std::string_view kGrad = "_grad";
        for (;;) {
            if (const auto it = m_piece.find(name); it != m_piece.end() && it->second != Pieces::kNone)
                return it->second;
            if (name.ends_with(kGrad)) {
                name.remove_suffix(kGrad.size());
                continue;
            }
            const std::size_t slash = name.rfind('/');
            if (slash == std::string_view::npos)
                return Pieces::kNone;
            name = name.substr(0, slash);
        }
    }

private:
    std::unordered_map<std::string_view, std::uint32_t> m_piece;
};

std::uint32_t pieceOfWeight(const Graph& graph, const Pieces& pieces, OpId op) {
    for (const TensorId tensor : graph.inputs(op)) {
        if (!tensor.valid() || graph.producer(tensor).valid() || graph.tensor(tensor).kind == TensorKind::Input)
            continue;
        for (const OpId reader : graph.consumers(tensor)) {
            if (isForward(graph.op(reader)) && pieces.of[reader.index()] != Pieces::kNone)
                return pieces.of[reader.index()];
        }
    }
    return Pieces::kNone;
}

std::uint32_t pieceOfProducers(const Graph& graph, const Pieces& pieces, OpId op,
                               std::span<const std::size_t> position) {
    OpId last;
    for (const TensorId tensor : graph.dataInputs(op)) {
        const OpId producer = graph.producer(tensor);
        if (isForward(graph.op(producer)) && (!last.valid() || position[producer.index()] > position[last.index()]))
            last = producer;
    }
    if (last.valid())
        return pieces.of[last.index()];
    const auto before = graph.predecessors(op);
    return before.empty() ? Pieces::kNone : pieces.of[before[0].index()];
}

} // namespace

void followForward(const Graph& graph, Pieces& pieces, std::uint32_t otherwise) {
    const PieceNames names(graph, pieces);
    const auto order = graph.topologicalOrder();
    std::vector<std::size_t> position(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        position[order[i].index()] = i;
    for (const OpId op : order) {
        std::uint32_t& piece = pieces.of[op.index()];
        if (piece == Pieces::kNone && graph.op(op).phase == Phase::Update)
            piece = pieceOfWeight(graph, pieces, op);
        if (piece == Pieces::kNone)
            piece = names.find(forwardName(graph.op(op).name));
        if (piece == Pieces::kNone)
            piece = pieceOfWeight(graph, pieces, op);
        if (piece == Pieces::kNone)
            piece = pieceOfProducers(graph, pieces, op, position);
        if (piece == Pieces::kNone)
            piece = otherwise;
    }
}

Pieces scopePieces(const Problem& problem, KindId kind, std::size_t parts) {
    const Graph& graph = *problem.graph;
    const ScopeTree tree(graph);
    std::vector<std::int64_t> scopeNs(tree.scopeCount(), 0); // forward ops below
    std::int64_t totalNs = 0;
    bool anyForward = false;
    const auto counts = [&](OpId op) { return !anyForward || isForward(graph.op(op)); };
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        anyForward = anyForward || isForward(graph.op(OpId(i)));
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        if (!counts(OpId(i)))
            continue;
        const std::int64_t ns = problem.cost->opNs(OpId(i), kind);
        totalNs += ns;
        for (ScopeId scope = tree.scopeOf(OpId(i)); scope.valid(); scope = tree.scope(scope).parent)
            scopeNs[scope.index()] += ns;
    }

    Pieces pieces;
    pieces.of.assign(graph.opCount(), Pieces::kNone);
    const auto count = static_cast<std::int64_t>(parts);
    std::vector<ScopeId> open{ScopeTree::root()};
    while (!open.empty()) {
        const ScopeId id = open.back();
        const Scope& scope = tree.scope(id);
        open.pop_back();
        // A scope is opened when a quarter of a device's share would not hold it; a scope without sub-scopes only when
        // it is more than a whole share, since people cut between cells and not inside them.
        const bool isLeaf = scope.scopes.empty();
        if (scopeNs[id.index()] * count * (isLeaf ? 1 : 4) > totalNs) {
            open.insert(open.end(), scope.scopes.begin(), scope.scopes.end());
            for (const OpId op : scope.ops)
                pieces.of[op.index()] = counts(op) ? pieces.count++ : Pieces::kNone;
            continue;
        }
        for (const OpId op : tree.opsBelow(id))
            pieces.of[op.index()] = counts(op) ? pieces.count : Pieces::kNone;
        ++pieces.count;
    }

    // Renumbered by where a piece lies on average, so that branches side by side do not tear it apart.
    const auto order = graph.topologicalOrder();
    std::vector<double> sum(pieces.count, 0), size(pieces.count, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (const std::uint32_t piece = pieces.of[order[i].index()]; piece != Pieces::kNone) {
            sum[piece] += static_cast<double>(i);
            size[piece] += 1;
        }
    }
    std::vector<std::uint32_t> byPlace(pieces.count), number(pieces.count);
    for (std::uint32_t p = 0; p < pieces.count; ++p)
        byPlace[p] = p;
    std::ranges::stable_sort(byPlace, {}, [&](std::uint32_t p) { return size[p] > 0 ? sum[p] / size[p] : 0; });
    for (std::uint32_t i = 0; i < pieces.count; ++i)
        number[byPlace[i]] = i;
    for (std::uint32_t& piece : pieces.of)
        piece = piece == Pieces::kNone ? piece : number[piece];
    return pieces;
}

} // namespace opscape
