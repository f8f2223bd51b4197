// SPDX-License-Identifier: MIT
#include <opscape/base/shown_name.h>
#include <opscape/graph/graph_builder.h>
#include <opscape/graph/graph_hash.h>

#include <queue>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

namespace opscape {
namespace {

/// Counting sort of `count` edges into a CSR of `rows` rows; edges of one row keep their order. `rowOf(e)` and
/// `itemOf(e)` say where edge e belongs and what it is there.
template <class Csr, class RowOf, class ItemOf>
void fillRows(Csr& csr, std::size_t rows, std::size_t count, const RowOf& rowOf, const ItemOf& itemOf) {
    csr.first.assign(rows + 1, 0);
    for (std::size_t e = 0; e < count; ++e)
        ++csr.first[rowOf(e) + 1];
    std::partial_sum(csr.first.begin(), csr.first.end(), csr.first.begin());
    csr.items.resize(count);
    std::vector<std::uint32_t> next(csr.first.begin(), csr.first.end() - 1);
    for (std::size_t e = 0; e < count; ++e)
        csr.items[next[rowOf(e)]++] = itemOf(e);
}

/// Sorts what was appended to the last, still open row of a CSR, drops repetitions and closes the row.
template <class Csr>
void closeSorted(Csr& csr) {
    const auto begin = csr.items.begin() + csr.first.back();
    std::sort(begin, csr.items.end());
    csr.items.erase(std::unique(begin, csr.items.end()), csr.items.end());
    csr.endRow();
}

} // namespace

void GraphBuilder::reserve(std::size_t ops, std::size_t tensors) {
    m_graph.m_ops.reserve(ops);
    m_graph.m_tensors.reserve(tensors);
    m_graph.m_producer.reserve(tensors);
}

OpId GraphBuilder::addOp(Op op) {
    for (SharedText* field : {&op.type, &op.colocation, &op.requestedDevice}) {
        if (!field->empty())
            *field = m_texts.try_emplace(*field, *field).first->second;
    }
    m_graph.m_ops.push_back(std::move(op));
    return OpId(m_graph.m_ops.size() - 1);
}

TensorId GraphBuilder::addOutput(OpId producer, Tensor tensor) {
    assert(producer.index() < opCount());
    tensor.kind = TensorKind::Activation;
    return addTensor(producer, std::move(tensor));
}

TensorId GraphBuilder::addResident(Tensor tensor) {
    assert(tensor.kind != TensorKind::Activation);
    return addTensor(OpId(), std::move(tensor));
}

TensorId GraphBuilder::addTensor(OpId producer, Tensor tensor) {
    if (!tensor.shapeKnown)
        tensor.shape.clear();
    m_graph.m_tensors.push_back(std::move(tensor));
    m_graph.m_producer.push_back(producer);
    return TensorId(m_graph.m_tensors.size() - 1);
}

void GraphBuilder::addInput(OpId op, TensorId tensor) {
    assert(op.index() < opCount() && (!tensor.valid() || tensor.index() < m_graph.m_tensors.size()));
    m_inputs.emplace_back(op, tensor);
}

void GraphBuilder::addControl(OpId before, OpId after) {
    assert(before.index() < opCount() && after.index() < opCount());
    m_control.emplace_back(before, after);
}

Result<Graph> GraphBuilder::build(Diagnostics& diagnostics) && {
    makeWritable();
    nameOps();
    if (auto checked = checkFigures(); !checked)
        return fail(std::move(checked.error()));
    sizes();
    dataEdges();
    controlEdges();
    neighbours();
    if (auto sorted = topologicalSort(); !sorted)
        return fail(std::move(sorted.error()));
    colocation();
    m_graph.m_hash = graphHash(m_graph);
    diagnostics.merge(m_diagnostics);
    return std::move(m_graph);
}

void GraphBuilder::nameOps() {
    std::vector<Op>& ops = m_graph.m_ops;
    NameIndex& index = m_graph.m_byName = NameIndex(ops.size());
    std::vector<OpId> repeated, unnamed;
    const auto enter = [&](OpId id) {
        if (index.insert(ops, id).valid())
            repeated.push_back(id);
    };
    for (std::size_t i = 0; i < ops.size(); ++i) {
        if (ops[i].name.empty())
            unnamed.emplace_back(i);
        else
            enter(OpId(i));
    }
    for (const OpId id : unnamed) { // last, so that an op that came with the name keeps it
        Op& op = ops[id.index()];
        op.name = fmt::format("{}_{}", op.type.empty() ? "op" : op.type, id.value);
        m_diagnostics.add(Severity::Info, "unnamed-op", "Ops without a name, named by type and number", op.name);
        enter(id);
    }

    std::unordered_map<std::string, int> lastNumber; // of each repeated name, so that many repetitions stay linear
    for (const OpId id : repeated) {
        std::string& name = ops[id.index()].name;
        const std::string wanted = name;
        int& number = lastNumber.try_emplace(wanted, 1).first->second;
        do {
            name = fmt::format("{}#{}", wanted, ++number);
        } while (index.insert(ops, id).valid());
        m_diagnostics.add(Severity::Warning, "duplicate-name", "Ops whose name was taken already, renamed",
                          fmt::format("{} is now {}", wanted, name));
    }
}

/// Only what every file can hold, so that what is written is read as the same graph: text is UTF-8, and of the many
/// bits of a NaN no text keeps any.
void GraphBuilder::makeWritable() {
    const auto text = [this](auto& bytes) {
        if (isUtf8(bytes))
            return;
        bytes = toUtf8(bytes);
        m_diagnostics.add(Severity::Info, "not-utf8",
                          "Texts that are not UTF-8; U+FFFD stands for each byte that is not", bytes);
    };
    const auto number = [](double& value) {
        if (std::isnan(value))
            value = std::numeric_limits<double>::quiet_NaN();
    };
    text(m_graph.m_name);
    for (Op& op : m_graph.m_ops) {
        text(op.name);
        for (SharedText* field : {&op.type, &op.colocation, &op.requestedDevice})
            text(*field);
        for (Attribute& attribute : op.attributes) {
            text(attribute.name);
            if (auto* value = std::get_if<std::string>(&attribute.value))
                text(*value);
            else if (auto* real = std::get_if<double>(&attribute.value))
                number(*real);
            else if (auto* reals = std::get_if<std::vector<double>>(&attribute.value))
                std::ranges::for_each(*reals, number);
        }
    }
    for (Tensor& tensor : m_graph.m_tensors)
        text(tensor.name);
}

Result<> GraphBuilder::checkFigures() const {
    for (const Op& op : m_graph.m_ops) {
        if (op.workspaceBytes < 0)
            return fail("op {} has a workspace of {} bytes; it cannot be negative.", shown(op.name), op.workspaceBytes);
        for (const auto& [kind, ns] : op.timeNs) {
            if (ns < 0)
                return fail("op {} takes {} ns on {}; a time cannot be negative.", shown(op.name), ns, shown(kind));
        }
    }
    return {};
}

void GraphBuilder::sizes() {
    Graph& g = m_graph;
    g.m_bytes.reserve(g.m_tensors.size());
    for (const Tensor& tensor : g.m_tensors) {
        const auto derived = tensor.shapeKnown ? byteSize(tensor.dtype, tensor.shape) : std::nullopt;
        if (tensor.bytes < 0 && !derived)
            m_diagnostics.add(Severity::Warning, "unknown-size", "Tensors of unknown size, taken as 0 bytes",
                              fmt::format("{}: {} {}", tensor.name, toString(tensor.dtype),
                                          tensor.shapeKnown ? toString(tensor.shape) : "of unknown shape"));
        g.m_bytes.push_back(tensor.bytes >= 0 ? tensor.bytes : derived.value_or(0));
    }
}

void GraphBuilder::dataEdges() {
    Graph& g = m_graph;
    const std::size_t ops = g.m_ops.size();
    fillRows(
        g.m_inputs, ops, m_inputs.size(), [&](std::size_t e) { return m_inputs[e].first.index(); },
        [&](std::size_t e) { return m_inputs[e].second; });

    std::vector<TensorId> produced;
    for (std::size_t t = 0; t < g.m_tensors.size(); ++t) {
        if (g.m_producer[t].valid())
            produced.emplace_back(t);
    }
    fillRows(
        g.m_outputs, ops, produced.size(), [&](std::size_t e) { return g.producer(produced[e]).index(); },
        [&](std::size_t e) { return produced[e]; });

    std::vector<std::pair<TensorId, OpId>> reads; // each reader of each tensor once, by ascending op
    std::vector<OpId> lastReader(g.m_tensors.size());
    for (std::size_t i = 0; i < ops; ++i) {
        for (const TensorId tensor : g.inputs(OpId(i))) {
            if (!tensor.valid() || lastReader[tensor.index()] == OpId(i))
                continue;
            lastReader[tensor.index()] = OpId(i);
            reads.emplace_back(tensor, i);
            if (g.producer(tensor).valid())
                g.m_dataInputs.items.push_back(tensor);
        }
        closeSorted(g.m_dataInputs);
    }
    g.m_dataEdges = g.m_dataInputs.items.size();
    fillRows(
        g.m_consumers, g.m_tensors.size(), reads.size(), [&](std::size_t e) { return reads[e].first.index(); },
        [&](std::size_t e) { return reads[e].second; });
}

void GraphBuilder::controlEdges() {
    Graph& g = m_graph;
    std::ranges::sort(m_control);
    std::vector<std::pair<OpId, OpId>> kept;
    kept.reserve(m_control.size());
    for (const auto& edge : m_control) {
        if (edge.first != edge.second && (kept.empty() || kept.back() != edge))
            kept.push_back(edge);
        else
            m_diagnostics.add(Severity::Info, "redundant-control", "Repeated or self control edges, dropped",
                              fmt::format("{} -> {}", g.op(edge.first).name, g.op(edge.second).name));
    }
    const auto from = [&](std::size_t e) { return kept[e].first; };
    const auto to = [&](std::size_t e) { return kept[e].second; };
    fillRows(
        g.m_controlOut, g.m_ops.size(), kept.size(), [&](std::size_t e) { return from(e).index(); }, to);
    fillRows(
        g.m_controlIn, g.m_ops.size(), kept.size(), [&](std::size_t e) { return to(e).index(); }, from);
}

void GraphBuilder::neighbours() {
    Graph& g = m_graph;
    const auto append = [](std::vector<OpId>& items, std::span<const OpId> more) {
        items.insert(items.end(), more.begin(), more.end());
    };
    for (std::size_t i = 0; i < g.m_ops.size(); ++i) {
        append(g.m_predecessors.items, g.controlPredecessors(OpId(i)));
        for (const TensorId tensor : g.dataInputs(OpId(i)))
            g.m_predecessors.items.push_back(g.producer(tensor));
        closeSorted(g.m_predecessors);
        append(g.m_successors.items, g.controlSuccessors(OpId(i)));
        for (const TensorId tensor : g.outputs(OpId(i)))
            append(g.m_successors.items, g.consumers(tensor));
        closeSorted(g.m_successors);
    }
}

Result<> GraphBuilder::topologicalSort() {
    Graph& g = m_graph;
    std::vector<std::uint32_t> waiting(g.m_ops.size());
    std::priority_queue<OpId, std::vector<OpId>, std::greater<>> ready;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        waiting[i] = static_cast<std::uint32_t>(g.predecessors(OpId(i)).size());
        if (waiting[i] == 0)
            ready.emplace(i);
    }
    g.m_topological.reserve(waiting.size());
    while (!ready.empty()) {
        const OpId id = ready.top();
        ready.pop();
        g.m_topological.push_back(id);
        for (const OpId next : g.successors(id)) {
            if (--waiting[next.index()] == 0)
                ready.push(next);
        }
    }
    if (g.m_topological.size() == g.m_ops.size())
        return {};
    return fail("{}", cycleAmong(waiting));
}

std::string GraphBuilder::cycleAmong(const std::vector<std::uint32_t>& waiting) const {
    // Every op left over has a predecessor left over: walking back must come round, and the round is the cycle.
    const Graph& g = m_graph;
    const auto left = std::ranges::find_if(waiting, [](std::uint32_t w) { return w > 0; });
    OpId at(static_cast<std::size_t>(left - waiting.begin()));
    std::vector<OpId> walk;
    std::vector<std::uint32_t> seen(waiting.size(), OpId::kInvalid);
    while (seen[at.index()] == OpId::kInvalid) {
        seen[at.index()] = static_cast<std::uint32_t>(walk.size());
        walk.push_back(at);
        at = *std::ranges::find_if(g.predecessors(at), [&](OpId p) { return waiting[p.index()] > 0; });
    }
    std::vector<OpId> cycle(walk.begin() + seen[at.index()], walk.end());
    std::ranges::reverse(cycle);
    std::rotate(cycle.begin(), std::ranges::min_element(cycle), cycle.end());
    constexpr std::size_t kShown = 5;
    std::string names;
    for (std::size_t i = 0; i < std::min(cycle.size(), kShown); ++i)
        names += shown(g.op(cycle[i]).name) + " -> ";
    if (cycle.size() > kShown)
        names += fmt::format("... ({} more) -> ", cycle.size() - kShown);
    return fmt::format("the graph has a cycle of {} op{}: {}{}; a computation graph must be acyclic.", cycle.size(),
                       cycle.size() == 1 ? "" : "s", names, shown(g.op(cycle[0]).name));
}

void GraphBuilder::colocation() {
    Graph& g = m_graph;
    std::map<std::string_view, std::vector<OpId>> groups;
    for (std::size_t i = 0; i < g.m_ops.size(); ++i) {
        if (!g.m_ops[i].colocation.empty())
            groups[g.m_ops[i].colocation].push_back(OpId(i));
    }
    g.m_colocationOf.assign(g.m_ops.size(), -1);
    for (auto& [name, members] : groups) {
        if (members.size() < 2)
            continue;
        for (const OpId id : members)
            g.m_colocationOf[id.index()] = static_cast<int>(g.m_colocationGroups.size());
        g.m_colocationGroups.push_back(std::move(members));
    }
}

} // namespace opscape
