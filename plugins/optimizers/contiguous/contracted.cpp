// SPDX-License-Identifier: MIT
#include "contracted.h"

#include <queue>

#include <algorithm>
#include <numeric>

namespace opscape {
namespace {

/// Strongly connected components over the groups (Tarjan 1972, without recursion); returns the component of each.
std::vector<std::uint32_t> components(const std::vector<std::vector<std::uint32_t>>& next) {
    const std::size_t n = next.size();
    constexpr std::uint32_t kNone = 0xffffffffu;
    std::vector<std::uint32_t> index(n, kNone), low(n), component(n, kNone), stack;
    std::vector<std::pair<std::uint32_t, std::size_t>> calls;
    std::uint32_t counter = 0, count = 0;
    for (std::uint32_t root = 0; root < n; ++root) {
        if (index[root] != kNone)
            continue;
        calls.emplace_back(root, 0);
        while (!calls.empty()) {
            auto& [v, edge] = calls.back();
            if (edge == 0) {
                index[v] = low[v] = counter++;
                stack.push_back(v);
            }
            if (edge < next[v].size()) {
                const std::uint32_t w = next[v][edge++];
                if (index[w] == kNone)
                    calls.emplace_back(w, 0);
                else if (component[w] == kNone)
                    low[v] = std::min(low[v], index[w]);
                continue;
            }
            const std::uint32_t done = v;
            calls.pop_back();
            if (low[done] == index[done]) {
                while (component[done] == kNone) {
                    component[stack.back()] = count;
                    stack.pop_back();
                }
                ++count;
            }
            if (!calls.empty())
                low[calls.back().first] = std::min(low[calls.back().first], low[done]);
        }
    }
    return component;
}

void sortUnique(std::vector<std::uint32_t>& ids) {
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

constexpr std::uint32_t kNoNode = 0xffffffffu;

using OpsAfter = std::vector<std::vector<OpId>>;

/// For each op the ops that come after it in the order of the split, which is that of the graph unless backward ops are
/// colocated with forward ones (see the header).
OpsAfter orderOf(const Graph& graph) {
    enum : std::uint8_t { kHasForward = 1, kHasBackward = 2 };
    const auto phaseOf = [&](OpId op) { return graph.op(op).phase == Phase::Forward ? kHasForward : kHasBackward; };
    std::vector<std::uint8_t> phases(graph.opCount()); // of the op and those colocated with it
    for (std::size_t i = 0; i < phases.size(); ++i)
        phases[i] = phaseOf(OpId(i));
    bool isFolded = false;
    for (const auto& members : graph.colocationGroups()) {
        std::uint8_t all = 0;
        for (const OpId op : members)
            all |= phaseOf(op);
        for (const OpId op : members)
            phases[op.index()] = all;
        isFolded = isFolded || all == (kHasForward | kHasBackward);
    }
    OpsAfter after(graph.opCount());
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const OpId from(i);
        for (const OpId to : graph.successors(from)) {
            if (!isFolded || (phaseOf(from) == kHasForward && phaseOf(to) == kHasForward))
                after[i].push_back(to);
            else if (phaseOf(from) == kHasBackward && phaseOf(to) == kHasBackward &&
                     (phases[i] == kHasBackward || phases[to.index()] == kHasBackward))
                after[to.index()].push_back(from);
        }
    }
    return after;
}

/// Component of each op: colocation groups and the cycles between them.
std::vector<std::uint32_t> componentOfOps(const Graph& graph, const OpsAfter& after) {
    std::vector<std::uint32_t> group(graph.opCount());
    std::iota(group.begin(), group.end(), 0u);
    for (const auto& members : graph.colocationGroups()) {
        for (const OpId op : members)
            group[op.index()] = members[0].value;
    }
    std::vector<std::vector<std::uint32_t>> next(group.size());
    for (std::size_t i = 0; i < group.size(); ++i) {
        for (const OpId to : after[i]) {
            if (group[to.index()] != group[i])
                next[group[i]].push_back(group[to.index()]);
        }
    }
    const std::vector<std::uint32_t> component = components(next);
    for (std::uint32_t& g : group)
        g = component[g];
    return group;
}

bool takesNothing(const Problem& problem, OpId op, KindId accelerator, KindId cpu) {
    return (!accelerator.valid() || problem.cost->opNs(op, accelerator) == 0) &&
           (!cpu.valid() || problem.cost->opNs(op, cpu) == 0);
}

bool carriesNothing(const Graph& graph, OpId op) {
    return std::ranges::all_of(graph.outputs(op), [&](TensorId t) { return graph.tensorBytes(t) == 0; }) &&
           std::ranges::all_of(graph.inputs(op), [&](TensorId t) { return !t.valid() || graph.tensorBytes(t) == 0; });
}

/// Takes the sources and leaves described in the header out of their components, where those consist of one op.
void reduce(const Problem& problem, KindId accelerator, KindId cpu, std::vector<std::uint32_t>& of,
            ContractedGraph& result) {
    const Graph& graph = *problem.graph;
    std::vector<std::uint32_t> size(graph.opCount());
    for (const std::uint32_t c : of)
        ++size[c];
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const OpId op(i);
        if (size[of[i]] == 1 && graph.predecessors(op).empty() && takesNothing(problem, op, accelerator, cpu) &&
            carriesNothing(graph, op)) {
            result.followers.push_back({op, graph.successors(op).empty() ? OpId() : graph.successors(op)[0]});
            of[i] = kNoNode;
        }
    }
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const OpId op(i);
        if (of[i] == kNoNode || size[of[i]] != 1 || !graph.successors(op).empty() ||
            !takesNothing(problem, op, accelerator, cpu))
            continue;
        std::uint32_t before = kNoNode;
        bool one = true;
        for (const OpId from : graph.predecessors(op)) {
            const std::uint32_t c = of[from.index()];
            one = one && (c == kNoNode || before == kNoNode || c == before);
            before = c != kNoNode ? c : before;
        }
        if (one && before != kNoNode)
            of[i] = before;
    }
}

/// Numbers the components so that what comes before has a smaller number, the one with the earliest op first among the
/// ready.
std::size_t numberNodes(const OpsAfter& after, std::vector<std::uint32_t>& of) {
    std::vector<std::vector<OpId>> members(of.size());
    std::vector<std::uint32_t> waiting(of.size());
    const auto forNext = [&](OpId op, const auto& visit) {
        for (const OpId to : after[op.index()]) {
            const std::uint32_t next = of[to.index()];
            if (next != of[op.index()] && next != kNoNode)
                visit(next);
        }
    };
    for (std::size_t i = 0; i < of.size(); ++i) {
        if (of[i] == kNoNode)
            continue;
        members[of[i]].push_back(OpId(i));
        forNext(OpId(i), [&](std::uint32_t next) { ++waiting[next]; });
    }
    using Ready = std::pair<OpId, std::uint32_t>;
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    for (std::uint32_t c = 0; c < members.size(); ++c) {
        if (!members[c].empty() && waiting[c] == 0)
            ready.emplace(members[c][0], c);
    }
    std::vector<std::uint32_t> number(members.size());
    std::uint32_t count = 0;
    while (!ready.empty()) {
        const std::uint32_t c = ready.top().second;
        ready.pop();
        number[c] = count++;
        for (const OpId op : members[c]) {
            forNext(op, [&](std::uint32_t next) {
                if (--waiting[next] == 0)
                    ready.emplace(members[next][0], next);
            });
        }
    }
    for (std::uint32_t& node : of)
        node = node == kNoNode ? kNoNode : number[node];
    return count;
}

} // namespace

ContractedGraph contract(const Problem& problem, KindId accelerator, KindId cpu) {
    const Graph& graph = *problem.graph;
    ContractedGraph result;
    const OpsAfter after = orderOf(graph);
    std::vector<std::uint32_t> of = componentOfOps(graph, after);
    reduce(problem, accelerator, cpu, of, result);
    const std::size_t nodeCount = numberNodes(after, of);
    result.nodes.resize(nodeCount);
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        if (of[i] == kNoNode)
            continue;
        ContractedGraph::Node& node = result.nodes[of[i]];
        node.ops.push_back(OpId(i));
        node.acceleratorNs += accelerator.valid() ? problem.cost->opNs(OpId(i), accelerator) : 0;
        node.cpuNs += cpu.valid() ? problem.cost->opNs(OpId(i), cpu) : 0;
        for (const OpId to : after[i]) {
            if (of[to.index()] != of[i] && of[to.index()] != kNoNode)
                result.nodes[of[to.index()]].before.push_back(of[i]);
        }
    }
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
        const TensorId id(t);
        std::vector<std::uint32_t> readers;
        for (const OpId consumer : graph.consumers(id))
            readers.push_back(of[consumer.index()]);
        sortUnique(readers);
        std::erase(readers, kNoNode); // sources carry no bytes
        const OpId producer = graph.producer(id);
        if (!producer.valid()) {
            if (readers.size() == 1) {
                result.nodes[readers[0]].residentBytes += graph.tensorBytes(id);
                continue;
            }
            for (const std::uint32_t reader : readers)
                result.nodes[reader].shared.push_back(static_cast<std::uint32_t>(result.sharedBytes.size()));
            if (!readers.empty())
                result.sharedBytes.push_back(graph.tensorBytes(id));
            continue;
        }
        const std::uint32_t from = of[producer.index()];
        std::erase(readers, from);
        if (readers.empty() || from == kNoNode)
            continue;
        const auto index = static_cast<std::uint32_t>(result.tensors.size());
        result.nodes[from].written.push_back(index);
        for (const std::uint32_t reader : readers)
            result.nodes[reader].read.push_back(index);
        result.tensors.push_back({graph.tensorBytes(id), from, std::move(readers)});
    }
    for (ContractedGraph::Node& node : result.nodes)
        sortUnique(node.before);
    return result;
}

} // namespace opscape
