// SPDX-License-Identifier: MIT
// Max-min fair sharing worked out from the definition: the rate of all transfers under way rises together; a transfer
// stops rising when one of its channels is full. When something joins or leaves, all of it starts afresh.
#pragma once

#include "sim/test_problem.h"

#include <cmath>
#include <limits>

namespace opscape::test {

/// When each of these transfers ends, given when it starts: at the whole nanosecond nearest to its last byte.
inline std::vector<std::int64_t> fairEnds(const Cluster& cluster, const std::vector<Transfer>& transfers) {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    struct Flow {
        double joinsNs = 0, left = 0, rate = 0;
        std::vector<std::size_t> channels;
        bool done = false;
    };
    std::vector<Flow> flows;
    for (const Transfer& t : transfers) {
        Flow flow;
        flow.joinsNs = static_cast<double>(t.startNs + cluster.routeLatencyNs(t.from, t.to));
        flow.left = static_cast<double>(t.bytes);
        for (const ChannelId channel : cluster.route(t.from, t.to))
            flow.channels.push_back(channel.index());
        flows.push_back(flow);
    }
    std::vector<std::int64_t> endNs(flows.size(), 0);
    for (double nowNs = 0; nowNs < kNever;) {
        std::vector<Flow*> rising;
        for (Flow& flow : flows) {
            if (!flow.done && flow.joinsNs <= nowNs)
                rising.push_back(&flow);
        }
        std::vector<double> full(cluster.channelCount(), 0); // bytes per ns of those that rise no more
        while (!rising.empty()) {
            std::vector<double> level(full.size(), kNever);
            for (std::size_t c = 0; c < level.size(); ++c) {
                const auto sharers = std::ranges::count_if(
                    rising, [c](const Flow* f) { return std::ranges::count(f->channels, c) > 0; });
                if (sharers > 0)
                    level[c] = (cluster.channel(ChannelId(c)).bandwidth / 1e9 - full[c]) / static_cast<double>(sharers);
            }
            const double lowest = *std::ranges::min_element(level);
            std::erase_if(rising, [&](Flow* flow) {
                if (std::ranges::none_of(flow->channels,
                                         [&](std::size_t c) { return level[c] <= lowest * (1 + 1e-12); }))
                    return false;
                flow->rate = lowest;
                for (const std::size_t c : flow->channels)
                    full[c] += lowest;
                return true;
            });
        }
        double nextNs = kNever;
        for (const Flow& flow : flows) {
            if (flow.done)
                continue;
            nextNs = std::min(nextNs, flow.joinsNs > nowNs ? flow.joinsNs : std::round(nowNs + flow.left / flow.rate));
        }
        for (std::size_t i = 0; i < flows.size() && nextNs < kNever; ++i) {
            Flow& flow = flows[i];
            if (flow.done || flow.joinsNs > nowNs)
                continue;
            flow.done = std::round(nowNs + flow.left / flow.rate) <= nextNs;
            endNs[i] = static_cast<std::int64_t>(nextNs);
            flow.left -= flow.rate * (nextNs - nowNs);
        }
        nowNs = nextNs;
    }
    return endNs;
}

} // namespace opscape::test
