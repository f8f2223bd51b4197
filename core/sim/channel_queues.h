// SPDX-License-Identifier: MIT
// When a transfer may start under each link model. `none`: at once. `fifo`: every channel serves its transfers in the
// order they became ready (then by tensor, then by destination), one at a time, and a transfer holds all channels of
// its route together; so it starts when it is first in the queue of every one of them, and nothing overtakes it.
// Because the order is the same on all channels, the start is known as soon as the transfer is ready: when the last
// transfer admitted before it on any of its channels ends.
#pragma once

#include <opscape/device/cluster.h>

#include <algorithm>

namespace opscape {

class ChannelQueues {
public:
    static constexpr std::uint32_t kNobody = 0xffffffffu;

    struct Grant {
        std::int64_t startNs;
        std::int64_t endNs;
        std::uint32_t behind; ///< the transfer that has to end first; kNobody when it starts at once
    };

    explicit ChannelQueues(const Cluster& cluster)
        : m_deviceCount(cluster.deviceCount()),
          m_contended(cluster.linkModel() == LinkModel::Fifo),
          m_freeNs(cluster.channelCount()),
          m_last(cluster.channelCount()) {
        for (std::size_t from = 0; from < m_deviceCount; ++from) {
            for (std::size_t to = 0; to < m_deviceCount; ++to) {
                const DeviceId a(from), b(to);
                Route route{cluster.routeLatencyNs(a, b), cluster.routeBandwidth(a, b), m_channels.size(), 0};
                for (const ChannelId channel : cluster.route(a, b))
                    m_channels.push_back(channel.value);
                route.end = m_channels.size();
                m_routes.push_back(route);
            }
        }
    }

    void clear() {
        std::ranges::fill(m_freeNs, 0);
        std::ranges::fill(m_last, kNobody);
    }

    [[nodiscard]] std::int64_t latencyNs(std::size_t from, std::size_t to) const { return route(from, to).latencyNs; }

    /// How long a transfer takes once it has started; as Cluster::transferNs has it.
    [[nodiscard]] std::int64_t lengthNs(std::int64_t bytes, std::size_t from, std::size_t to) const {
        const Route& r = route(from, to);
        return r.latencyNs + rounded(static_cast<double>(bytes) * 1e9 / r.bandwidth);
    }

    /// Transfers must be admitted in the order in which they became ready.
    Grant admit(std::uint32_t transfer, std::int64_t readyNs, std::int64_t heldNs, std::size_t from, std::size_t to) {
        const Route& r = route(from, to);
        Grant grant{readyNs, 0, kNobody};
        if (m_contended) {
            for (std::size_t i = r.begin; i < r.end; ++i) {
                if (m_freeNs[m_channels[i]] > grant.startNs) {
                    grant.startNs = m_freeNs[m_channels[i]];
                    grant.behind = m_last[m_channels[i]];
                }
            }
            for (std::size_t i = r.begin; i < r.end; ++i) {
                m_freeNs[m_channels[i]] = grant.startNs + heldNs;
                m_last[m_channels[i]] = transfer;
            }
        }
        grant.endNs = grant.startNs + heldNs;
        return grant;
    }

private:
    /// std::llround of a number that is not negative, without the call: as Cluster::transferNs rounds, so that plans
    /// and schedules agree to the nanosecond.
    static std::int64_t rounded(double value) {
        const auto whole = static_cast<std::int64_t>(value);
        return whole + (value - static_cast<double>(whole) >= 0.5 ? 1 : 0);
    }

    struct Route {
        std::int64_t latencyNs;
        double bandwidth;
        std::size_t begin, end; ///< into m_channels
    };

    [[nodiscard]] const Route& route(std::size_t from, std::size_t to) const {
        return m_routes[from * m_deviceCount + to];
    }

    std::size_t m_deviceCount;
    bool m_contended;
    std::vector<Route> m_routes;
    std::vector<std::uint32_t> m_channels;
    std::vector<std::int64_t> m_freeNs; ///< per channel: when what was admitted last ends
    std::vector<std::uint32_t> m_last;  ///< per channel: what was admitted last
};

} // namespace opscape
