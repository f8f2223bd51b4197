// SPDX-License-Identifier: MIT
#include <opscape/sim/fair_links.h>

#include <algorithm>
#include <cmath>

namespace opscape {

FairLinks::FairLinks(const Cluster& cluster)
    : m_deviceCount(cluster.deviceCount()),
      m_left(cluster.channelCount()),
      m_sharers(cluster.channelCount()) {
    for (std::size_t c = 0; c < cluster.channelCount(); ++c)
        m_bandwidth.push_back(cluster.channel(ChannelId(c)).bandwidth / 1e9);
    for (std::size_t from = 0; from < m_deviceCount; ++from) {
        for (std::size_t to = 0; to < m_deviceCount; ++to) {
            auto& route = m_routes.emplace_back();
            for (const ChannelId channel : cluster.route(DeviceId(from), DeviceId(to)))
                route.push_back(channel.value);
            std::ranges::sort(route); // a channel named twice is shared once
            route.erase(std::unique(route.begin(), route.end()), route.end());
            m_latencyNs.push_back(cluster.routeLatencyNs(DeviceId(from), DeviceId(to)));
        }
    }
}

void FairLinks::clear() {
    m_flows.clear();
    m_nowNs = 0;
    m_nextNs = kNever;
}

void FairLinks::start(std::uint32_t transfer, std::int64_t nowNs, std::int64_t bytes, std::size_t from,
                      std::size_t to) {
    moveTo(nowNs);
    const std::size_t route = from * m_deviceCount + to;
    m_flows.push_back(
        {transfer, static_cast<std::uint32_t>(route), nowNs + m_latencyNs[route], static_cast<double>(bytes), 0});
    share();
}

void FairLinks::advance(std::int64_t nowNs, std::vector<std::uint32_t>& ended) {
    moveTo(nowNs);
    for (const Flow& flow : m_flows) {
        if (flow.joinsNs <= nowNs && endNs(flow) <= nowNs)
            ended.push_back(flow.transfer);
    }
    std::erase_if(m_flows, [&](const Flow& flow) { return flow.joinsNs <= nowNs && endNs(flow) <= nowNs; });
    share();
}

void FairLinks::moveTo(std::int64_t nowNs) {
    const auto elapsedNs = static_cast<double>(nowNs - m_nowNs);
    for (Flow& flow : m_flows)
        flow.bytesLeft -= flow.rate * elapsedNs;
    m_nowNs = nowNs;
}

std::int64_t FairLinks::endNs(const Flow& flow) const {
    if (flow.bytesLeft <= 0)
        return m_nowNs;
    return flow.rate > 0 ? m_nowNs + std::llround(flow.bytesLeft / flow.rate) : kNever;
}

void FairLinks::share() {
    std::ranges::copy(m_bandwidth, m_left.begin());
    std::ranges::fill(m_sharers, 0);
    m_open.clear();
    for (std::uint32_t f = 0; f < m_flows.size(); ++f) {
        m_flows[f].rate = 0;
        if (m_flows[f].joinsNs > m_nowNs)
            continue;
        m_open.push_back(f);
        for (const std::uint32_t channel : m_routes[m_flows[f].route])
            ++m_sharers[channel];
    }
    // The tightest channel gives its flows their final rate; what they take is gone from their other channels.
    while (!m_open.empty()) {
        double tightest = std::numeric_limits<double>::max();
        std::size_t at = 0;
        for (std::size_t c = 0; c < m_left.size(); ++c) {
            if (m_sharers[c] > 0 && m_left[c] / m_sharers[c] < tightest) {
                tightest = m_left[c] / m_sharers[c];
                at = c;
            }
        }
        std::erase_if(m_open, [&](std::uint32_t f) {
            const auto& route = m_routes[m_flows[f].route];
            if (std::ranges::find(route, at) == route.end())
                return false;
            m_flows[f].rate = tightest;
            for (const std::uint32_t channel : route) {
                m_left[channel] = std::max(0.0, m_left[channel] - tightest);
                --m_sharers[channel];
            }
            return true;
        });
    }
    m_nextNs = kNever;
    for (const Flow& flow : m_flows)
        m_nextNs = std::min(m_nextNs, flow.joinsNs > m_nowNs ? flow.joinsNs : endNs(flow));
}

} // namespace opscape
