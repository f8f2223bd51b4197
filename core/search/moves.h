// SPDX-License-Identifier: MIT
// The small changes by which local search walks: some ops to other devices, or the priority of one op. A move is made
// on the plan at once and can be taken back. Half of them (by default) start from what held up the last op of the step.
#pragma once

#include <opscape/base/random.h>
#include <opscape/search/groups.h>
#include <opscape/sim/simulator.h>

namespace opscape {

class Moves {
public:
    Moves(const Problem& problem, const OpGroups& groups, Random& random);

    /// Moves groups of one level; false when nothing changed. `delays` of the plan (Simulator::delays) say where it
    /// hurts; empty: anywhere.
    bool moveGroups(Plan& plan, std::size_t level, std::span<const Delay> delays);
    /// Changes the priority of one op that waits for its device on the way to the end; false when none does.
    bool movePriority(Plan& plan, std::span<const Delay> delays);
    /// Takes the last move back.
    void undo(Plan& plan);

private:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    [[nodiscard]] DeviceId deviceOf(std::uint32_t group) const;
    [[nodiscard]] DeviceId anyDevice();
    [[nodiscard]] DeviceId leastLoaded() const;
    [[nodiscard]] std::uint32_t anyGroup() { return m_random.below(m_level->groupCount()); }
    [[nodiscard]] bool chance(double probability) { return m_random.uniform() < probability; }
    void assign(std::uint32_t group, DeviceId device);
    void setPriority(OpId op, std::int64_t priority);

    void easeDelay(const Delay& delay);
    void moveRun();
    void swapTwo();
    void gather();
    void joinNeighbour();
    void moveRestOfLayer();
    void swapDevicesInWindow();

    const Problem& m_problem;
    const OpGroups& m_groups;
    Random& m_random;
    std::array<std::vector<std::uint32_t>, OpGroups::kLevels> m_leads; ///< per group: an op that may move, or kNone
    std::uint32_t m_devices;

    const GroupLevel* m_level = nullptr; ///< of the move under way
    std::size_t m_levelIndex = 0;
    Plan* m_plan = nullptr;
    std::vector<std::pair<OpId, DeviceId>> m_moved;       ///< and where it was
    std::vector<std::pair<OpId, std::int64_t>> m_rekeyed; ///< and its priority before
};

} // namespace opscape
