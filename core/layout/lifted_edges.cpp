// SPDX-License-Identifier: MIT
#include <opscape/graph/scopes_order.h>
#include <opscape/layout/lifted_edges.h>

#include <algorithm>
#include <tuple>

namespace opscape {
namespace {

struct Record {
    ScopeId scope;
    std::uint32_t from, to;
    GraphEdge edge;

    [[nodiscard]] auto key() const { return std::tuple(scope, from, to, edge.tensor, edge.producer, edge.consumer); }
};

} // namespace

LiftedEdges::LiftedEdges(const Graph& graph, const ScopeTree& scopes) {
    orderChildren(graph, scopes);
    lift(graph, scopes);
}

void LiftedEdges::orderChildren(const Graph& graph, const ScopeTree& scopes) {
    const std::vector<std::uint32_t> places = readingOrder(graph);
    const std::vector<std::uint32_t> firsts = firstPlaces(scopes, places);
    m_positionOfScope.resize(scopes.scopeCount());
    m_positionOfOp.resize(graph.opCount());
    m_childFirst.push_back(0);
    std::vector<Sibling> siblings;
    std::vector<ScopeChild> children;
    for (std::size_t s = 0; s < scopes.scopeCount(); ++s) {
        const Scope& scope = scopes.scope(ScopeId(s));
        siblings.clear();
        children.clear();
        for (const ScopeId sub : scope.scopes) {
            const auto inSeries = static_cast<std::uint32_t>(children.size());
            siblings.push_back({scope.series ? inSeries : firsts[sub.index()], scopes.scope(sub).name});
            children.push_back({sub, OpId()});
        }
        for (const OpId op : scope.ops) {
            siblings.push_back({places[op.index()], {}});
            children.push_back({ScopeId(), op});
        }
        std::uint32_t position = 0;
        for (const std::uint32_t i : siblingOrder(siblings)) {
            const ScopeChild child = children[i];
            (child.op.valid() ? m_positionOfOp[child.op.index()] : m_positionOfScope[child.scope.index()]) = position++;
            m_children.push_back(child);
        }
        m_childFirst.push_back(static_cast<std::uint32_t>(m_children.size()));
    }
}

void LiftedEdges::lift(const Graph& graph, const ScopeTree& scopes) {
    std::vector<Record> records;
    records.reserve(graph.edgeCount());
    const auto add = [&](OpId producer, OpId consumer, TensorId tensor) {
        if (producer == consumer)
            return;
        ScopeId a = scopes.scopeOf(producer), b = scopes.scopeOf(consumer);
        std::uint32_t from = m_positionOfOp[producer.index()], to = m_positionOfOp[consumer.index()];
        const auto up = [&](ScopeId& scope, std::uint32_t& position) {
            position = m_positionOfScope[scope.index()];
            scope = scopes.scope(scope).parent;
        };
        while (scopes.scope(a).depth > scopes.scope(b).depth)
            up(a, from);
        while (scopes.scope(b).depth > scopes.scope(a).depth)
            up(b, to);
        while (a != b) {
            up(a, from);
            up(b, to);
        }
        records.push_back({a, from, to, {producer, consumer, tensor}});
    };
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const OpId op(i);
        for (const TensorId tensor : graph.dataInputs(op))
            add(graph.producer(tensor), op, tensor);
        for (const OpId before : graph.controlPredecessors(op))
            add(before, op, TensorId());
    }
    std::ranges::sort(records, {}, &Record::key);

    m_graphEdges.reserve(records.size());
    m_edgeFirst.assign(scopes.scopeCount() + 1, 0);
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        const bool same = i > 0 && records[i - 1].scope == record.scope && m_edges.back().from == record.from &&
                          m_edges.back().to == record.to;
        if (!same) {
            m_edges.push_back({record.from, record.to, static_cast<std::uint32_t>(i), 0, 0});
            ++m_edgeFirst[record.scope.index() + 1];
        }
        LiftedEdge& edge = m_edges.back();
        const bool newTensor =
            record.edge.tensor.valid() && (edge.count == 0 || m_graphEdges.back().tensor != record.edge.tensor);
        edge.bytes += newTensor ? graph.tensorBytes(record.edge.tensor) : 0;
        ++edge.count;
        m_graphEdges.push_back(record.edge);
    }
    for (std::size_t s = 0; s < scopes.scopeCount(); ++s)
        m_edgeFirst[s + 1] += m_edgeFirst[s];
}

} // namespace opscape
