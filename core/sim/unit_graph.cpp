// SPDX-License-Identifier: MIT
#include <opscape/sim/fused_cost.h>
#include <opscape/sim/resident_view.h>
#include <opscape/sim/unit_graph.h>

#include <algorithm>
#include <unordered_map>

namespace opscape {

void UnitGraph::build(const Problem& problem, std::span<const std::uint32_t> fusionGroup) {
    const Graph& graph = *problem.graph;
    const Cluster& cluster = *problem.cluster;
    group(graph, fusionGroup);

    kindCount = cluster.kindCount();
    timeNs.clear();
    workspaceBytes.assign(unitCount(), 0);
    for (Index u = 0; u < unitCount(); ++u) {
        const std::span<const OpId> ops(members.data() + memberFirst[u], members.data() + memberFirst[u + 1]);
        for (std::size_t k = 0; k < kindCount; ++k)
            timeNs.push_back(fusedNs(problem, ops, KindId(k)));
        for (const OpId op : ops)
            workspaceBytes[u] = std::max(workspaceBytes[u], problem.cost->cost(op).workspaceBytes);
    }

    m_stamp.assign(unitCount(), kSignal);
    outFirst.assign(1, 0);
    readerFirst.assign(1, 0);
    outputBytes.assign(unitCount(), 0);
    slotUnit.clear();
    slotTensor.clear();
    slotBytes.clear();
    slotHomeBytes.clear();
    readers.clear();
    for (Index u = 0; u < unitCount(); ++u)
        addSlots(problem, u);
    invertReaders();
    sortTopologically();
    addResidents(graph);
}

void UnitGraph::group(const Graph& graph, std::span<const std::uint32_t> fusionGroup) {
    const auto ops = static_cast<Index>(graph.opCount());
    unitOf.resize(ops);
    firstOp.clear();
    std::unordered_map<std::uint32_t, Index> unitOfGroup;
    for (Index op = 0; op < ops; ++op) {
        const auto fresh = static_cast<Index>(firstOp.size());
        unitOf[op] = fresh;
        if (!fusionGroup.empty() && fusionGroup[op] != Plan::kNotFused)
            unitOf[op] = unitOfGroup.try_emplace(fusionGroup[op], fresh).first->second;
        if (unitOf[op] == fresh)
            firstOp.push_back(op);
    }
    memberFirst.assign(firstOp.size() + 1, 0);
    for (Index op = 0; op < ops; ++op)
        ++memberFirst[unitOf[op] + 1];
    for (std::size_t u = 1; u < memberFirst.size(); ++u)
        memberFirst[u] += memberFirst[u - 1];
    members.resize(ops);
    awaits.assign(memberFirst.begin(), memberFirst.end() - 1); // where the next member goes, for now
    for (Index op = 0; op < ops; ++op)
        members[awaits[unitOf[op]]++] = OpId(op);
}

void UnitGraph::addReader(Index unit, Index stamp) {
    if (m_stamp[unit] == stamp)
        return;
    m_stamp[unit] = stamp;
    readers.push_back(unit);
}

void UnitGraph::addSlots(const Problem& problem, Index unit) {
    const Graph& graph = *problem.graph;
    const std::span<const OpId> ops(members.data() + memberFirst[unit], members.data() + memberFirst[unit + 1]);
    const auto endRow = [&](Index tensor, std::int64_t bytes, std::int64_t homeBytes) {
        std::sort(readers.begin() + readerFirst.back(), readers.end());
        readerFirst.push_back(static_cast<Index>(readers.size()));
        slotUnit.push_back(unit);
        slotTensor.push_back(tensor);
        slotBytes.push_back(bytes);
        slotHomeBytes.push_back(homeBytes);
        outputBytes[unit] += homeBytes;
    };
    std::vector<TensorId> tensors;
    for (const OpId op : ops)
        tensors.insert(tensors.end(), graph.outputs(op).begin(), graph.outputs(op).end());
    std::ranges::sort(tensors);
    for (const TensorId tensor : tensors) {
        const auto consumers = graph.consumers(tensor);
        for (const OpId consumer : consumers) {
            if (unitOf[consumer.index()] != unit)
                addReader(unitOf[consumer.index()], slotCount());
        }
        if (consumers.empty() || readers.size() > readerFirst.back())
            endRow(tensor.value, graph.tensorBytes(tensor), homeBytes(problem, tensor));
    }
    for (const OpId op : ops) {
        for (const OpId next : graph.controlSuccessors(op)) {
            if (unitOf[next.index()] != unit)
                addReader(unitOf[next.index()], slotCount());
        }
    }
    if (readers.size() > readerFirst.back())
        endRow(kSignal, 0, 0);
    outFirst.push_back(slotCount());
}

void UnitGraph::invertReaders() {
    awaits.assign(unitCount(), 0);
    inFirst.assign(unitCount() + 1, 0);
    for (Index s = 0; s < slotCount(); ++s) {
        for (Index i = readerFirst[s]; i < readerFirst[s + 1]; ++i) {
            ++awaits[readers[i]];
            inFirst[readers[i] + 1] += slotTensor[s] != kSignal ? 1 : 0;
        }
    }
    for (Index u = 0; u < unitCount(); ++u)
        inFirst[u + 1] += inFirst[u];
    inputs.resize(inFirst.back());
    inputOfReader.assign(readers.size(), kSignal);
    std::vector<Index> at(inFirst.begin(), inFirst.end() - 1);
    for (Index s = 0; s < slotCount(); ++s) {
        if (slotTensor[s] == kSignal)
            continue;
        for (Index i = readerFirst[s]; i < readerFirst[s + 1]; ++i) {
            inputOfReader[i] = at[readers[i]]++;
            inputs[inputOfReader[i]] = s;
        }
    }
}

void UnitGraph::sortTopologically() {
    std::vector<Index> left = awaits;
    topological.clear();
    for (Index u = 0; u < unitCount(); ++u) {
        if (left[u] == 0)
            topological.push_back(u);
    }
    for (std::size_t done = 0; done < topological.size(); ++done) {
        const Index unit = topological[done];
        for (Index i = readerFirst[outFirst[unit]]; i < readerFirst[outFirst[unit + 1]]; ++i) {
            if (--left[readers[i]] == 0)
                topological.push_back(readers[i]);
        }
    }
}

void UnitGraph::addResidents(const Graph& graph) {
    residentTensor.clear();
    residentBytes.clear();
    residentFirst.assign(1, 0);
    residentReaders.clear();
    m_stamp.assign(unitCount(), kSignal);
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
        const TensorId tensor(t);
        if (graph.producer(tensor).valid() || graph.consumers(tensor).empty())
            continue;
        for (const OpId consumer : graph.consumers(tensor)) {
            const Index unit = unitOf[consumer.index()];
            if (m_stamp[unit] != t)
                residentReaders.push_back(unit);
            m_stamp[unit] = static_cast<Index>(t);
        }
        residentTensor.push_back(tensor.value);
        residentBytes.push_back(graph.tensorBytes(tensor));
        residentFirst.push_back(static_cast<Index>(residentReaders.size()));
    }
}

} // namespace opscape
