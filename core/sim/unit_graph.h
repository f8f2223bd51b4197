// SPDX-License-Identifier: MIT
// What a device runs in one go is a unit: an op, or all ops of a fused group. The graph over units as flat arrays, so
// that the simulator, the bounds and the ranks walk memory in one direction and know nothing of fusion.
#pragma once

#include <opscape/plan/problem.h>

#include <span>

namespace opscape {

/// A slot is something a unit hands on: a tensor that is read outside the unit (or by nobody), or the signal of its
/// control edges, which carries no bytes. The slots of a unit are consecutive, tensors ascending, the signal last.
class UnitGraph {
public:
    using Index = std::uint32_t;
    static constexpr Index kSignal = 0xffffffffu; ///< slotTensor of a control signal

    /// `fusionGroup` as in Plan; empty: every op is a unit of its own, and its id is the unit's.
    void build(const Problem& problem, std::span<const std::uint32_t> fusionGroup);

    [[nodiscard]] Index unitCount() const { return static_cast<Index>(firstOp.size()); }
    [[nodiscard]] Index slotCount() const { return static_cast<Index>(slotTensor.size()); }
    [[nodiscard]] Index residentCount() const { return static_cast<Index>(residentTensor.size()); }
    [[nodiscard]] std::int64_t unitNs(Index unit, KindId kind) const { return timeNs[unit * kindCount + kind.index()]; }

    std::size_t kindCount = 0;
    std::vector<Index> unitOf;                ///< per op
    std::vector<Index> memberFirst;           ///< per unit + 1, into members
    std::vector<OpId> members;                ///< ascending within a unit
    std::vector<Index> firstOp;               ///< per unit: its lowest op. Ascending, so a tie by unit is a tie by op
    std::vector<std::int64_t> timeNs;         ///< [unit][kind]
    std::vector<std::int64_t> workspaceBytes; ///< per unit; its ops run one after the other, so the largest counts
    std::vector<std::int64_t> outputBytes;    ///< per unit: all of its slots, on its own device
    std::vector<Index> awaits;                ///< per unit: slots of other units it waits for
    std::vector<Index> topological;           ///< units, producers before their readers
    std::vector<Index> outFirst;              ///< per unit + 1: its slots
    std::vector<Index> slotUnit, slotTensor;  ///< per slot
    std::vector<std::int64_t> slotBytes;      ///< per slot: to send, and to hold where it was sent
    std::vector<std::int64_t> slotHomeBytes;  ///< per slot: to hold where it was made (resident_view.h)
    std::vector<Index> readerFirst, readers;  ///< per slot + 1: units that wait for it, ascending
    std::vector<Index> inFirst, inputs;       ///< per unit + 1: tensor slots it reads, ascending
    std::vector<Index> inputOfReader;  ///< per place in readers: its place in inputs; kSignal where it is a signal
    std::vector<Index> residentTensor; ///< tensors without a producer that somebody reads
    std::vector<std::int64_t> residentBytes;
    std::vector<Index> residentFirst, residentReaders; ///< per resident tensor + 1: units that read it

private:
    void group(const Graph& graph, std::span<const std::uint32_t> fusionGroup);
    void addSlots(const Problem& problem, Index unit);
    void addResidents(const Graph& graph);
    void invertReaders();
    void sortTopologically();
    void addReader(Index unit, Index stamp);

    std::vector<Index> m_stamp; ///< per unit: the row that has it already
};

} // namespace opscape
