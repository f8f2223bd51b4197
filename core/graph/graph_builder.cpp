// SPDX-License-Identifier: MIT
#include <opscape/graph/graph_builder.h>

#include <algorithm>
#include <map>
#include <opscape/base/hash.h>
#include <queue>

namespace opscape {

void GraphBuilder::reserve(std::size_t ops, std::size_t tensors) {
    m_graph.m_ops.reserve(ops);
    m_inputs.reserve(ops);
    m_outputs.reserve(ops);
    m_names.reserve(ops);
    m_graph.m_tensors.reserve(tensors);
    m_graph.m_producer.reserve(tensors);
}

OpId GraphBuilder::addOp(Op op) {
    const OpId id(m_graph.m_ops.size());
    if (op.name.empty()) {
        op.name = fmt::format("{}_{}", op.type.empty() ? "op" : op.type, id.value);
        m_diagnostics.add(Severity::Info, "unnamed-op", "Ops without a name, named by type and number", op.name);
    }
    const std::string wanted = op.name;
    for (int number = 2; !m_names.try_emplace(op.name, 1).second; ++number)
        op.name = fmt::format("{}#{}", wanted, number);
    if (op.name != wanted)
        m_diagnostics.add(Severity::Warning, "duplicate-name", "Ops whose name was taken already, renamed",
                          fmt::format("{} is now {}", wanted, op.name));
    m_graph.m_ops.push_back(std::move(op));
    m_inputs.emplace_back();
    m_outputs.emplace_back();
    return id;
}

TensorId GraphBuilder::addOutput(OpId producer, Tensor tensor) {
    tensor.kind = TensorKind::Activation;
    const TensorId id = addResident(std::move(tensor));
    m_graph.m_producer[id.index()] = producer;
    m_outputs[producer.index()].push_back(id);
    return id;
}

TensorId GraphBuilder::addResident(Tensor tensor) {
    const TensorId id(m_graph.m_tensors.size());
    m_graph.m_tensors.push_back(std::move(tensor));
    m_graph.m_producer.emplace_back();
    return id;
}

void GraphBuilder::addInput(OpId op, TensorId tensor) { m_inputs[op.index()].push_back(tensor); }

void GraphBuilder::addControl(OpId before, OpId after) { m_control.emplace_back(before, after); }

Result<Graph> GraphBuilder::build(Diagnostics& diagnostics) && {
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
    adjacency();
    if (auto sorted = topologicalSort(); !sorted)
        return fail(std::move(sorted.error()));
    colocation();
    g.m_byName.resize(g.m_ops.size());
    for (std::size_t i = 0; i < g.m_ops.size(); ++i)
        g.m_byName[i] = OpId(i);
    std::ranges::sort(g.m_byName, {}, [&g](OpId id) -> const std::string& { return g.op(id).name; });
    hashContent();
    diagnostics.merge(m_diagnostics);
    return std::move(m_graph);
}

void GraphBuilder::adjacency() {
    Graph& g = m_graph;
    const std::size_t ops = g.m_ops.size();
    std::vector<std::vector<OpId>> consumers(g.m_tensors.size());
    for (std::size_t i = 0; i < ops; ++i) {
        g.m_inputs.items.insert(g.m_inputs.items.end(), m_inputs[i].begin(), m_inputs[i].end());
        g.m_inputs.endRow();
        g.m_outputs.items.insert(g.m_outputs.items.end(), m_outputs[i].begin(), m_outputs[i].end());
        g.m_outputs.endRow();
        std::vector<TensorId>& distinct = m_inputs[i];
        std::ranges::sort(distinct);
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        for (const TensorId tensor : distinct) {
            if (!tensor.valid())
                continue;
            consumers[tensor.index()].push_back(OpId(i));
            if (g.producer(tensor).valid())
                g.m_dataInputs.items.push_back(tensor);
        }
        g.m_dataInputs.endRow();
    }
    g.m_dataEdges = g.m_dataInputs.items.size();
    for (const auto& row : consumers) {
        g.m_consumers.items.insert(g.m_consumers.items.end(), row.begin(), row.end());
        g.m_consumers.endRow();
    }

    const std::size_t given = m_control.size();
    std::erase_if(m_control, [](const auto& edge) { return edge.first == edge.second; });
    std::ranges::sort(m_control);
    m_control.erase(std::unique(m_control.begin(), m_control.end()), m_control.end());
    for (std::size_t dropped = m_control.size(); dropped < given; ++dropped)
        m_diagnostics.add(Severity::Info, "redundant-control", "Repeated or self control edges, dropped", "");
    std::vector<std::vector<OpId>> before(ops), after(ops);
    for (const auto& [from, to] : m_control) {
        g.m_controlTo.push_back(to);
        after[from.index()].push_back(to);
        before[to.index()].push_back(from);
    }

    std::vector<OpId> row;
    const auto emit = [&row](Graph::Csr<OpId>& csr) {
        std::ranges::sort(row);
        row.erase(std::unique(row.begin(), row.end()), row.end());
        csr.items.insert(csr.items.end(), row.begin(), row.end());
        csr.endRow();
        row.clear();
    };
    for (std::size_t i = 0; i < ops; ++i) {
        row = before[i];
        emit(g.m_controlIn);
        row = after[i];
        emit(g.m_controlOut);
        row = before[i];
        for (const TensorId tensor : g.dataInputs(OpId(i)))
            row.push_back(g.producer(tensor));
        emit(g.m_predecessors);
        row = after[i];
        for (const TensorId tensor : g.outputs(OpId(i))) {
            const auto readers = g.consumers(tensor);
            row.insert(row.end(), readers.begin(), readers.end());
        }
        emit(g.m_successors);
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

    // Every op left over has a predecessor left over: walking back must come round, and the round is the cycle.
    auto left = std::ranges::find_if(waiting, [](std::uint32_t w) { return w > 0; });
    OpId at(static_cast<std::size_t>(left - waiting.begin()));
    std::vector<OpId> walk;
    std::vector<int> seen(waiting.size(), -1);
    while (seen[at.index()] < 0) {
        seen[at.index()] = static_cast<int>(walk.size());
        walk.push_back(at);
        at = *std::ranges::find_if(g.predecessors(at), [&](OpId p) { return waiting[p.index()] > 0; });
    }
    std::vector<OpId> cycle(walk.begin() + seen[at.index()], walk.end());
    std::ranges::reverse(cycle);
    constexpr std::size_t kShown = 5;
    std::string names;
    for (std::size_t i = 0; i < std::min(cycle.size(), kShown); ++i)
        names += g.op(cycle[i]).name + " -> ";
    if (cycle.size() > kShown)
        names += fmt::format("... ({} more) -> ", cycle.size() - kShown);
    return fail("the graph has a cycle of {} op{}: {}{}; a computation graph must be acyclic.", cycle.size(),
                cycle.size() == 1 ? "" : "s", names, g.op(cycle[0]).name);
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

void GraphBuilder::hashContent() {
    const Graph& g = m_graph;
    Hasher h;
    h.text("opscape-graph-1");
    h.text(g.m_name);
    for (std::size_t i = 0; i < g.m_ops.size(); ++i) {
        const Op& op = g.m_ops[i];
        h.text(op.name);
        h.text(op.type);
        h.value(op.phase);
        h.text(op.colocation);
        h.text(op.requestedDevice);
        h.value(op.flops);
        h.value(op.bytesMoved);
        h.value(op.workspaceBytes);
        h.value(op.timeNs.size());
        for (const auto& [kind, ns] : op.timeNs) {
            h.text(kind);
            h.value(ns);
        }
        h.value(op.attributes.size());
        for (const Attribute& attribute : op.attributes) {
            h.text(attribute.name);
            h.value(attribute.value.index());
            std::visit(
                [&h](const auto& v) {
                    using V = std::decay_t<decltype(v)>;
                    if constexpr (std::is_arithmetic_v<V>)
                        h.value(v);
                    else if constexpr (std::is_same_v<V, std::string>)
                        h.text(v);
                    else {
                        h.value(v.size());
                        h.bytes(v.data(), v.size() * sizeof v[0]);
                    }
                },
                attribute.value);
        }
        const auto ids = [&h](auto row) {
            h.value(row.size());
            for (const auto id : row)
                h.value(id.value);
        };
        ids(g.inputs(OpId(i)));
        ids(g.outputs(OpId(i)));
        ids(g.controlSuccessors(OpId(i)));
    }
    for (const Tensor& tensor : g.m_tensors) {
        h.text(tensor.name);
        h.value(tensor.kind);
        h.value(tensor.dtype);
        h.value(tensor.shapeKnown);
        h.value(tensor.shape.size());
        for (const std::int64_t dim : tensor.shape)
            h.value(dim);
        h.value(tensor.bytes);
    }
    m_graph.m_hash = h.hex();
}

} // namespace opscape
