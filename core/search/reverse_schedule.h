// SPDX-License-Identifier: MIT
// A placed step run backwards: the readers of a unit before the unit, every transfer in the opposite direction over the
// same channels. When a unit ends in that schedule is how much time has to be left for it in the forward one.
#pragma once

#include <opscape/sim/unit_graph.h>

namespace opscape {

class ReverseSchedule {
public:
    /// `graph` must stay as it is.
    ReverseSchedule(const Problem& problem, const UnitGraph& graph);

    /// List schedule on the devices of the plan: of the units whose readers are done, the one with the highest key
    /// first. Both vectors are per unit.
    void run(const Plan& plan, std::span<const std::int64_t> keys, std::vector<std::int64_t>& finishNs);

private:
    struct Event {
        std::int64_t timeNs;
        std::uint32_t unit;
        bool arrival; ///< a transfer to the unit ends; else the unit does
        friend auto operator<=>(const Event&, const Event&) = default;
    };
    struct Waiting {
        std::int64_t key;
        std::uint32_t unit;
        friend auto operator<=>(const Waiting&, const Waiting&) = default;
    };

    void prepare(const Plan& plan);
    void end(std::uint32_t unit, std::int64_t nowNs);
    void release(std::uint32_t unit);
    [[nodiscard]] std::int64_t arrivalNs(std::uint32_t slot, std::uint32_t from, std::uint32_t to, std::int64_t nowNs);

    const Problem& m_problem;
    const UnitGraph& m_graph;
    std::vector<std::uint32_t> m_readsFirst, m_reads; ///< per unit + 1: slots it waits for
    std::span<const std::int64_t> m_keys;
    std::vector<std::uint32_t> m_deviceOf;                ///< per unit
    std::vector<std::uint32_t> m_awaits;                  ///< per unit: readers on its device and transfers to come
    std::vector<std::uint32_t> m_copyFirst, m_copyDevice; ///< per slot + 1: the other devices with readers
    std::vector<std::uint32_t> m_copyReaders;             ///< per copy: readers not done yet
    std::vector<std::vector<Waiting>> m_queues;           ///< per device, heaps
    std::vector<std::uint8_t> m_busy;
    std::vector<std::int64_t> m_channelFreeNs;
    std::vector<Event> m_events; ///< heap, earliest first
};

} // namespace opscape
