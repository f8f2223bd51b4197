// SPDX-License-Identifier: MIT
#include "lesson_clusters.h"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

using Json = nlohmann::json;

/// Where each kind of device is described.
constexpr std::array<std::pair<std::string_view, const char*>, 3> kSources{
    {{"P100", "p100x4"}, {"V100", "v100x8"}, {"A100", "a100x8"}}};
constexpr std::array kBandwidths{4e9, 12e9, 50e9, 200e9};
constexpr std::array kCounts{2, 3, 4, 4, 6, 8, 8, 12, 16}; ///< the usual ones twice
constexpr double kBundledShare = .25, kMixedShare = .15, kPairedShare = .4;
constexpr std::int64_t kLatencyNs = 2500; ///< of each end of a link

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return text;
}

/// The description of a kind, as in the bundled cluster.
Result<Json> describe(const std::string& kind) {
    const auto source = std::ranges::find(kSources, kind, [](const auto& s) { return s.first; });
    if (source == kSources.end())
        return fail("there is no kind of device {} to make a cluster of.", kind);
    const auto cluster = Cluster::load(source->second);
    if (!cluster)
        return fail(cluster.error());
    return Json::parse(cluster->source()).at("kinds").at(kind);
}

} // namespace

std::string ClusterShape::name() const {
    return fmt::format("{} x {}{}, {} GB/s", devices, lower(fmt::format("{}", fmt::join(kinds, "+"))),
                       paired ? " in pairs" : "", bandwidth / 1e9);
}

Result<Cluster> makeCluster(const ClusterShape& shape) {
    Json kinds = Json::object(), devices = Json::array();
    for (const std::string& kind : shape.kinds) {
        auto described = describe(kind);
        if (!described)
            return fail(described.error());
        kinds[kind] = std::move(*described);
    }
    for (int i = 0; i < shape.devices; ++i) {
        Json device{{"name", fmt::format("gpu:{}", i)},
                    {"kind", shape.kinds[static_cast<std::size_t>(i) % shape.kinds.size()]}};
        if (shape.paired)
            device["switch"] = fmt::format("s{}", i / 2);
        devices.push_back(std::move(device));
    }
    Json channels = Json::array({{{"name", {"link:{device}:out", "link:{device}:in"}},
                                  {"per_device", "gpu:*"},
                                  {"bandwidth", shape.bandwidth},
                                  {"latency_ns", kLatencyNs}}});
    Json routes = Json::array({{{"from", "gpu:*"}, {"to", "gpu:*"}, {"via", {"link:{from}:out", "link:{to}:in"}}}});
    if (shape.paired) {
        channels.push_back({{"name", {"switch:{switch}:up", "switch:{switch}:down"}},
                            {"per_switch", "*"},
                            {"bandwidth", shape.bandwidth},
                            {"latency_ns", 0}});
        routes.push_back(
            {{"from", "gpu:*"},
             {"to", "gpu:*"},
             {"different", "switch"},
             {"via", {"link:{from}:out", "switch:{from.switch}:up", "switch:{to.switch}:down", "link:{to}:in"}}});
    }
    const std::string name = shape.name();
    const Json cluster{{"id", name},         {"title", name},        {"kinds", kinds},
                       {"devices", devices}, {"channels", channels}, {"routes", routes}};
    return Cluster::parse(cluster.dump(), name);
}

Result<LessonClusters::Named> LessonClusters::bundled(const std::string& id) {
    std::shared_ptr<const Cluster>& made = m_made[id];
    if (!made) {
        auto cluster = Cluster::load(id);
        if (!cluster)
            return fail(cluster.error());
        made = std::make_shared<const Cluster>(std::move(*cluster));
    }
    return Named{id, made};
}

Result<LessonClusters::Named> LessonClusters::draw(Random& random) {
    const auto any = [&random](const auto& values) {
        return values[random.below(static_cast<std::uint32_t>(values.size()))];
    };
    if (!std::exchange(m_lookedFor, true)) {
        for (const std::string& id : Cluster::bundled()) {
            const auto named = bundled(id);
            if (!named)
                return fail(named.error());
            const auto devices = static_cast<int>(named->cluster->deviceCount());
            if (devices >= m_least && devices <= m_most)
                m_bundled.push_back(id);
        }
    }
    if (random.uniform() < kBundledShare && !m_bundled.empty())
        return bundled(any(m_bundled));
    std::vector<int> counts;
    std::ranges::copy_if(kCounts, std::back_inserter(counts), [this](int n) { return n >= m_least && n <= m_most; });
    ClusterShape shape;
    shape.devices = counts.empty() ? m_least : any(counts);
    shape.kinds = {std::string(any(kSources).first)};
    if (random.uniform() < kMixedShare) {
        const std::string other(any(kSources).first);
        if (other != shape.kinds[0])
            shape.kinds.push_back(other);
    }
    shape.bandwidth = any(kBandwidths);
    shape.paired = shape.devices > 2 && random.uniform() < kPairedShare;
    const std::string name = shape.name();
    std::shared_ptr<const Cluster>& made = m_made[name];
    if (!made) {
        auto cluster = makeCluster(shape);
        if (!cluster)
            return fail(cluster.error());
        made = std::make_shared<const Cluster>(std::move(*cluster));
    }
    return Named{name, made};
}

} // namespace opscape
