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

/// Component of each op: colocation groups and the cycles between them.
std::vector<std::uint32_t> componentOfOps(const Graph& graph) {
    std::vector<std::uint32_t> group(graph.opCount());
    std::iota(group.begin(), group.end(), 0u);
    for (const auto& members : graph.colocationGroups()) {
        for (const OpId op : members)
            group[op.index()] = members[0].value;
    }
    std::vector<std::vector<std::uint32_t>> next(group.size());
    for (std::size_t i = 0; i < group.size(); ++i) {
        for (const OpId to : graph.successors(OpId(i))) {
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

/// Numbers the components so that producers come before consumers, the one with the earliest op first among the ready.
std::size_t numberNodes(const Graph& graph, std::vector<std::uint32_t>& of) {
    std::vector<std::vector<OpId>> members(graph.opCount());
    std::vector<std::uint32_t> waiting(graph.opCount());
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        if (of[i] == kNoNode)
            continue;
        members[of[i]].push_back(OpId(i));
        for (const OpId to : graph.successors(OpId(i)))
            waiting[of[to.index()]] += of[to.index()] != of[i];
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
            for (const OpId to : graph.successors(op)) {
                const std::uint32_t other = of[to.index()];
                if (other != c && --waiting[other] == 0)
                    ready.emplace(members[other][0], other);
            }
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
    std::vector<std::uint32_t> of = componentOfOps(graph);
    reduce(problem, accelerator, cpu, of, result);
    const std::size_t nodeCount = numberNodes(graph, of);
    result.nodes.resize(nodeCount);
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        if (of[i] == kNoNode)
            continue;
        ContractedGraph::Node& node = result.nodes[of[i]];
        node.ops.push_back(OpId(i));
        node.acceleratorNs += accelerator.valid() ? problem.cost->opNs(OpId(i), accelerator) : 0;
        node.cpuNs += cpu.valid() ? problem.cost->opNs(OpId(i), cpu) : 0;
        for (const OpId to : graph.successors(OpId(i))) {
            if (of[to.index()] != of[i])
                node.after.push_back(of[to.index()]);
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
            for (const std::uint32_t reader : readers)
                result.nodes[reader].residentBytes += graph.tensorBytes(id);
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
    for (std::uint32_t n = 0; n < nodeCount; ++n) {
        sortUnique(result.nodes[n].after);
        for (const std::uint32_t to : result.nodes[n].after)
            result.nodes[to].before.push_back(n);
    }
    return result;
}

} // namespace opscape
