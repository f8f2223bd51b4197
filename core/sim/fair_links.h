// SPDX-License-Identifier: MIT
// The link model `fair`: transfers under way share the bandwidth of every channel max-min fairly (progressive filling:
// Bertsekas and Gallager, "Data Networks", 1992, section 6.5). A transfer first waits for the latency of its route,
// then moves its bytes at a rate that changes whenever a transfer joins or leaves. Bytes left are kept as reals; a
// transfer ends at the whole nanosecond nearest to when its last byte arrives.
#pragma once

#include <opscape/device/cluster.h>

#include <limits>

namespace opscape {

class FairLinks {
public:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    explicit FairLinks(const Cluster& cluster);

    void clear();
    /// A transfer gets under way at `nowNs`, which is not before any time given so far.
    void start(std::uint32_t transfer, std::int64_t nowNs, std::int64_t bytes, std::size_t from, std::size_t to);
    /// When something happens next; kNever when nothing is under way.
    [[nodiscard]] std::int64_t nextNs() const { return m_nextNs; }
    /// Goes on to `nowNs` == nextNs(); appends the transfers that end then, in the order in which they started.
    void advance(std::int64_t nowNs, std::vector<std::uint32_t>& ended);

private:
    struct Flow {
        std::uint32_t transfer;
        std::uint32_t route;
        std::int64_t joinsNs; ///< end of the latency
        double bytesLeft;
        double rate; ///< bytes per ns; 0 during the latency
    };

    void moveTo(std::int64_t nowNs);
    void share();
    [[nodiscard]] std::int64_t endNs(const Flow& flow) const;

    std::size_t m_deviceCount;
    std::vector<double> m_bandwidth; ///< per channel, bytes per ns
    std::vector<std::vector<std::uint32_t>> m_routes;
    std::vector<std::int64_t> m_latencyNs; ///< per route
    std::vector<Flow> m_flows;             ///< in the order of their start
    std::int64_t m_nowNs = 0, m_nextNs = kNever;
    std::vector<double> m_left;                   ///< scratch of share(), per channel: bandwidth not given away
    std::vector<std::uint32_t> m_sharers, m_open; ///< per channel: flows not yet given a rate; those flows
};

} // namespace opscape
