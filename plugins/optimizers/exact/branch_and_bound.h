// SPDX-License-Identifier: MIT
// A depth-first search over schedules without contention, built in order of start times: a unit whose producers are
// placed goes to a device, after everything there, as early as it can. So every placement and every order of the units
// on each device comes up, each once, and a branch ends as soon as its lower bound reaches the limit.
#pragma once

#include "dominance.h"
#include "step_model.h"

#include <functional>

namespace opscape {

class BranchAndBound {
public:
    /// What is searched. Fastest: one schedule that is fastest without contention and without regard to memory;
    /// schedules that cannot be better than another are passed over. Every: all placements and orders, except those
    /// whose weights do not fit, because the judge of the finished schedules knows more than this search does.
    enum class Mode { Fastest, Every };

    struct Placed {
        std::uint32_t unit;
        std::uint16_t device;
        std::int64_t startNs, endNs;
    };
    /// Gets every finished schedule that is faster than the limit, and tells the limit from then on.
    using OnSchedule = std::function<std::int64_t(std::span<const Placed> schedule, std::int64_t makespanNs)>;

    BranchAndBound(const StepModel& model, Mode mode, bool exchangesTwins);

    /// Nothing that was searched is faster than what it returns. `mayGoOn` is asked once for every partial schedule;
    /// when it never says no, this is the last limit.
    std::int64_t run(std::int64_t limitNs, const OnSchedule& onSchedule, const std::function<bool()>& mayGoOn);

private:
    struct Child {
        std::int64_t boundNs, wholeNs; ///< wholeNs: its end and its tail
        Placed placed;
    };

    void expand(std::int64_t boundNs);
    void findChildren(std::vector<Child>& children);
    [[nodiscard]] bool mayRunOn(std::size_t unit, std::size_t device) const;
    [[nodiscard]] bool isWorthTrying(const Placed& placed, std::int64_t inputsNs) const;
    [[nodiscard]] bool comesTooLate(const Placed& placed) const;
    [[nodiscard]] bool fitsAGap(const Placed& placed, std::int64_t inputsNs) const;
    [[nodiscard]] bool hasRoom(const Placed& placed) const;
    [[nodiscard]] bool isSuperfluous();
    [[nodiscard]] std::int64_t readyNs(std::size_t unit, std::size_t device) const;
    std::int64_t lowerBound();
    std::int64_t workBound();
    [[nodiscard]] std::int64_t levelOf(std::int64_t workNs) const;
    void place(const Placed& placed);
    void unplace();
    [[nodiscard]] bool isPlaced(std::size_t unit) const { return (m_placed >> unit & 1) != 0; }
    [[nodiscard]] std::int64_t lastStartNs() const { return m_schedule.empty() ? 0 : m_schedule.back().startNs; }

    const StepModel& m_model;
    Mode m_mode;
    bool m_exchangesTwins;
    DominanceTable m_seen;
    const OnSchedule* m_onSchedule = nullptr;
    const std::function<bool()>* m_mayGoOn = nullptr;
    std::int64_t m_limitNs = 0, m_openNs = 0; ///< m_openNs: the least bound of what was left out when it stopped
    bool m_stopped = false;

    std::uint64_t m_placed = 0; ///< a bit per unit
    std::vector<Placed> m_schedule;
    std::int64_t m_sumOfStartsNs = 0;
    std::vector<std::uint32_t> m_awaits;         ///< per unit: inputs not placed yet
    std::vector<std::vector<Placed>> m_lanes;    ///< per device
    std::vector<std::int64_t> m_arrivesNs;       ///< [slot][device]; of units not placed: at the earliest
    std::vector<std::uint32_t> m_groupPlaced;    ///< per group: how many of its units
    std::vector<DeviceId> m_groupDevice;         ///< per group: where its units have to go
    std::vector<std::uint32_t> m_residentReader; ///< [resident][device]: placed units that read it there
    std::vector<std::int64_t> m_roomBytes;       ///< per device
    std::vector<std::vector<Child>> m_children;  ///< per depth
    std::vector<std::int64_t> m_endNs, m_headNs, m_state;
};

} // namespace opscape
