// SPDX-License-Identifier: MIT
// Placement unit by unit. Devices are described by what choosing them would mean, never by their number, so that a
// policy treats identical devices alike and carries over to other clusters.
#pragma once

#include <opscape/task/task_episode.h>
#include <opscape/task/unit_edges.h>

#include <array>

namespace opscape {

class PlacementEpisode final : public PlainEpisode {
public:
    PlacementEpisode(const DecisionTask& task, const Problem& problem, const DecisionUnits& units);

    [[nodiscard]] int featureCount() const override { return kFeatures; }
    void setRoom(double share) override { m_room = share; }
    void restart(const Plan& soFar) override;
    void look(std::span<std::uint8_t> mask, std::span<float> features) override;
    void take(int action) override;

private:
    static constexpr int kFeatures = 23;

    /// What the unit at hand would meet on one device; times as shares of the mean unit's.
    struct Outlook {
        double readyAt = 0, endsAt = 0;
        double incoming = 0, outgoing = 0; ///< transfers, added up
        double readShare = 0, writeShare = 0;
        double newBytes = 0; ///< of resident tensors that are not there yet
    };

    void measureUnits();
    void findResidents();
    void measureLinks();
    [[nodiscard]] Outlook outlook(std::size_t device);
    /// Of the memory of a device, with the unit at hand: what is resident and what is kept for the backward pass. Less
    /// than a plan takes, which also has gradients and what arrived from elsewhere.
    [[nodiscard]] double fullness(std::size_t device) const {
        return (m_bytes[device] + m_kept[at()] + m_outlooks[device].newBytes) / m_capacity[device];
    }
    /// Devices without room for the unit at hand are illegal, unless none has room.
    void leaveOutFull(std::span<std::uint8_t> mask) const;
    /// When the transfer ends; takes the channels of its route and notes in m_taken when they were free before.
    double send(std::size_t from, std::size_t to, std::int64_t bytes, double readyAt);
    [[nodiscard]] double transferTime(std::size_t from, std::size_t to, std::int64_t bytes) const {
        const Link& link = m_links[from * m_devices + to];
        return link.latency + link.perByte * static_cast<double>(bytes);
    }

    struct Link {
        double latency = 0, perByte = 0;
    };

    std::size_t m_devices;
    UnitEdges m_edges;
    bool m_contention;                 ///< channels serve one transfer at a time
    double m_unitNs = 1;               ///< mean time of a unit, ns: what times are relative to
    double m_total = 1, m_longest = 1; ///< all units on a mean device; the longest path with transfers
    double m_bound = 1;                ///< no plan is faster
    std::vector<double> m_time;        ///< [unit][device]
    std::vector<double> m_meanTime;    ///< per unit
    std::vector<double> m_rank;        ///< per unit: from its start to the end of the step
    std::vector<double> m_kept;        ///< per unit: bytes kept for the backward pass
    std::vector<double> m_readBytes, m_writtenBytes;
    std::vector<Link> m_links; ///< [from][to]
    std::vector<double> m_capacity;
    std::vector<std::uint32_t> m_residentFirst, m_residents; ///< per unit + 1: resident tensors it reads
    std::vector<double> m_residentBytes;                     ///< per unit

    // Of the walk under way.
    std::vector<double> m_load, m_bytes, m_freeAt, m_recent; ///< per device
    std::vector<double> m_channelFreeAt;
    std::vector<std::pair<std::size_t, double>> m_taken; ///< channels and when they were free before
    std::vector<double> m_endsAt;                        ///< per unit
    std::vector<std::uint8_t> m_present;                 ///< [tensor][device]
    std::vector<double> m_layerLoad;                     ///< [layer][device]
    std::vector<int> m_lastOfLayer;
    std::vector<Outlook> m_outlooks; ///< per device, of the unit at hand
    double m_placed = 0;
    double m_room = 0; ///< share of a memory that may be filled; 0: any
};

} // namespace opscape
