// SPDX-License-Identifier: MIT
// A cluster: devices of a few kinds, and the channels that join them. A transfer from one device to another takes a
// route, a list of channels which it holds together. Read from JSON (format: data/clusters/README.md), where every
// figure stands beside its source.
#pragma once

#include <opscape/base/ids.h>
#include <opscape/base/result.h>
#include <opscape/device/efficiency.h>
#include <opscape/graph/types.h>

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace opscape {

/// How transfers share a channel. None: latency + bytes/bandwidth, no contention. Fifo: one transfer at a time per
/// channel, in the order they became ready. Fair: max-min fair share of the bandwidth.
enum class LinkModel : std::uint8_t { None, Fifo, Fair };

[[nodiscard]] std::string_view toString(LinkModel model);
[[nodiscard]] std::optional<LinkModel> parseLinkModel(std::string_view name);

struct DeviceKind {
    std::string name;                   ///< e.g. "P100"
    std::string type;                   ///< "gpu", "cpu", ...
    std::int64_t memoryBytes = 0;       ///< capacity; 0 is unlimited
    double memoryBandwidth = 0;         ///< bytes per second
    double overlap = 0.95;              ///< rho of the roofline: 1 = max(compute, memory), 0 = their sum
    std::int64_t launchNs = 0;          ///< fixed cost of starting one op, ns
    std::array<double, 32> peakFlops{}; ///< by DType, FLOP per second; 0 where the file gives none
    /// By OpClass and DType; all 1 where the file does not say.
    std::array<std::array<Efficiency, 32>, kOpClassCount> efficiencies{};
    [[nodiscard]] const Efficiency& efficiency(OpClass opClass, DType dtype) const {
        return efficiencies[static_cast<std::size_t>(opClass)][static_cast<std::size_t>(dtype)];
    }
    /// Peak for a type; where the file gives none, that of f32 (an integer or half op on the f32 pipes).
    [[nodiscard]] double peak(DType dtype) const;
};

struct Device {
    std::string name; ///< e.g. "gpu:0"
    KindId kind;
    std::string host; ///< machine it is in; may be empty
};

struct Channel {
    std::string name;
    double bandwidth = 0;       ///< bytes per second
    std::int64_t latencyNs = 0; ///< ns
};

class Cluster {
public:
    /// Builds from the text of a cluster file; `origin` names it in errors.
    [[nodiscard]] static Result<Cluster> parse(std::string_view json, std::string_view origin);
    /// By path, or by the name of a bundled cluster such as "p100x4" (dataFolder()/clusters/p100x4.json).
    [[nodiscard]] static Result<Cluster> load(const std::string& pathOrName);
    /// Names of the bundled clusters, sorted.
    [[nodiscard]] static std::vector<std::string> bundled();

    [[nodiscard]] const std::string& id() const { return m_id; }         ///< short name, e.g. "p100x4"
    [[nodiscard]] const std::string& title() const { return m_title; }   ///< for people
    [[nodiscard]] const std::string& source() const { return m_source; } ///< the JSON text it was made from
    [[nodiscard]] const std::string& hash() const { return m_hash; }     ///< contentHash(source())
    [[nodiscard]] LinkModel linkModel() const { return m_linkModel; }
    [[nodiscard]] bool blockingSend() const { return m_blockingSend; }
    /// The same cluster under another link model.
    [[nodiscard]] Cluster withLinkModel(LinkModel model) const;

    [[nodiscard]] std::size_t deviceCount() const { return m_devices.size(); }
    [[nodiscard]] std::size_t kindCount() const { return m_kinds.size(); }
    [[nodiscard]] std::size_t channelCount() const { return m_channels.size(); }
    [[nodiscard]] const Device& device(DeviceId id) const { return m_devices[id.index()]; }
    [[nodiscard]] const DeviceKind& kind(KindId id) const { return m_kinds[id.index()]; }
    [[nodiscard]] const DeviceKind& kindOf(DeviceId id) const { return kind(device(id).kind); }
    [[nodiscard]] const Channel& channel(ChannelId id) const { return m_channels[id.index()]; }
    [[nodiscard]] DeviceId findDevice(std::string_view name) const;

    /// Channels from one device to another, in order; empty for a device to itself. Every pair has a route.
    [[nodiscard]] std::span<const ChannelId> route(DeviceId from, DeviceId to) const {
        return m_routes[from.index() * m_devices.size() + to.index()];
    }
    /// Sum of the latencies on the route, ns.
    [[nodiscard]] std::int64_t routeLatencyNs(DeviceId from, DeviceId to) const;
    /// Smallest bandwidth on the route, bytes per second; 0 for a device to itself.
    [[nodiscard]] double routeBandwidth(DeviceId from, DeviceId to) const;
    /// Sum of latencies + bytes / smallest bandwidth, rounded to ns; 0 for a device to itself.
    [[nodiscard]] std::int64_t transferNs(std::int64_t bytes, DeviceId from, DeviceId to) const;

private:
    friend class ClusterParser;

    std::string m_id, m_title, m_source, m_hash;
    LinkModel m_linkModel = LinkModel::Fifo;
    bool m_blockingSend = false;
    std::vector<DeviceKind> m_kinds;
    std::vector<Device> m_devices;
    std::vector<Channel> m_channels;
    std::vector<std::vector<ChannelId>> m_routes;
};

} // namespace opscape
