// SPDX-License-Identifier: MIT
#include <opscape/base/hash.h>
#include <opscape/base/paths.h>
#include <opscape/device/cluster.h>

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

namespace opscape {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A cluster of the kind of the textbooks: three unrelated processors, one byte a nanosecond, no latency.
std::string threeProcessors(const std::string& channels, const std::string& routes) {
    return R"({"kinds": {"P": {"memory_bytes": 0, "memory_bandwidth": 1e9, "launch_ns": 0, "peak_flops": {"f32": 1e9}}},
               "devices": [{"name": "P{i}", "kind": "P", "first": 1, "count": 3}],
               "channels": [)" +
           channels + R"(], "routes": [)" + routes + "]}";
}

Cluster parsed(const std::string& json) {
    auto cluster = Cluster::parse(json, "folder/three.json");
    EXPECT_TRUE(cluster) << cluster.error().message;
    return *cluster;
}

std::vector<std::string> route(const Cluster& cluster, std::size_t from, std::size_t to) {
    std::vector<std::string> names;
    for (const ChannelId id : cluster.route(DeviceId(from), DeviceId(to)))
        names.push_back(cluster.channel(id).name);
    return names;
}

const std::string kPerPair =
    threeProcessors(R"({"name": "{from}>{to}", "per_pair": ["*", "*"], "bandwidth": 1e9, "latency_ns": 0})",
                    R"({"from": "*", "to": "*", "via": ["{from}>{to}"]})");

TEST(Cluster, JoinsEveryOrderedPairByAChannelOfItsOwn) {
    const Cluster cluster = parsed(kPerPair);
    EXPECT_EQ(cluster.channelCount(), 6u);
    EXPECT_THAT(route(cluster, 0, 2), ElementsAre("P1>P3"));
    EXPECT_THAT(route(cluster, 2, 0), ElementsAre("P3>P1"));
    EXPECT_TRUE(cluster.route(DeviceId(1), DeviceId(1)).empty());
    EXPECT_EQ(cluster.transferNs(18, DeviceId(0), DeviceId(2)), 18);
    EXPECT_EQ(cluster.transferNs(18, DeviceId(0), DeviceId(0)), 0);
}

TEST(Cluster, GivesEveryDeviceOneSendPortForAllDestinations) {
    const Cluster cluster =
        parsed(threeProcessors(R"({"name": "{device}:out", "per_device": "P*", "bandwidth": 1e9, "latency_ns": 0})",
                               R"({"from": "*", "to": "*", "via": ["{from}:out"]})"));
    EXPECT_EQ(cluster.channelCount(), 3u);
    EXPECT_THAT(route(cluster, 0, 1), ElementsAre("P1:out"));
    EXPECT_EQ(cluster.route(DeviceId(0), DeviceId(1))[0], cluster.route(DeviceId(0), DeviceId(2))[0]);
}

TEST(Cluster, HasDefaultsForAllThatAFileNeedNotSay) {
    const Cluster cluster = parsed(kPerPair);
    EXPECT_EQ(cluster.id(), "three") << "from the file's name";
    EXPECT_EQ(cluster.title(), "three");
    EXPECT_EQ(cluster.linkModel(), LinkModel::Fifo);
    EXPECT_FALSE(cluster.blockingSend());
    EXPECT_EQ(cluster.kind(KindId(0)).type, "gpu");
    EXPECT_DOUBLE_EQ(cluster.kind(KindId(0)).overlap, 0.95);
    EXPECT_EQ(cluster.kind(KindId(0)).memoryBytes, 0);
    const Efficiency nominal = cluster.kind(KindId(0)).efficiency(OpClass::Convolution, DType::F16);
    EXPECT_EQ(nominal.compute, 1);
    EXPECT_EQ(nominal.memory, 1);
    EXPECT_EQ(nominal.halfFlops, 0);
    EXPECT_EQ(nominal.halfBytes, 0);
    EXPECT_EQ(cluster.device(DeviceId(0)).host, "");
    EXPECT_EQ(cluster.source(), kPerPair);
    EXPECT_EQ(cluster.hash(), contentHash(kPerPair));
}

TEST(Cluster, ReadsAllThatAFileMaySay) {
    const Cluster cluster = parsed(R"({
        "id": "mine", "title": "Mine", "about": "A test.", "units": "bytes", "link_model": "fair", "blocking_send": true,
        "sources": {"DS": "A document"},
        "kinds": {
            "A": {"type": "cpu", "memory_bytes": 16e9, "memory_bandwidth": 2.5e9, "overlap": 0.5, "launch_ns": 7,
                  "peak_flops": {"f32": 4e9, "f16": 8e9}, "sources": {"memory_bytes": "DS: 16 GB"}},
            "B": {"memory_bytes": 1, "memory_bandwidth": 1, "launch_ns": 0, "peak_flops": {"f32": 1}}},
        "devices": [{"name": "b", "kind": "B", "host": "h"}, {"name": "a", "kind": "A"}],
        "channels": [{"name": ["x", "y"], "bandwidth": 3, "latency_ns": 2, "sources": {"bandwidth": "DS: 3"}}],
        "routes": [{"from": "a", "to": "b", "via": ["x"]}, {"from": "b", "to": "a", "via": ["y", "x"]}]})");
    EXPECT_EQ(cluster.id(), "mine");
    EXPECT_EQ(cluster.title(), "Mine");
    EXPECT_EQ(cluster.linkModel(), LinkModel::Fair);
    EXPECT_TRUE(cluster.blockingSend());
    EXPECT_EQ(cluster.findDevice("a"), DeviceId(1));
    EXPECT_FALSE(cluster.findDevice("c").valid());
    EXPECT_EQ(cluster.device(DeviceId(0)).host, "h");
    const DeviceKind& a = cluster.kindOf(DeviceId(1));
    EXPECT_EQ(a.name, "A");
    EXPECT_EQ(a.type, "cpu");
    EXPECT_EQ(a.memoryBytes, 16'000'000'000);
    EXPECT_DOUBLE_EQ(a.memoryBandwidth, 2.5e9);
    EXPECT_DOUBLE_EQ(a.overlap, 0.5);
    EXPECT_EQ(a.launchNs, 7);
    EXPECT_DOUBLE_EQ(a.peak(DType::F16), 8e9);
    EXPECT_DOUBLE_EQ(a.peak(DType::BF16), 4e9) << "not given, so that of f32";
    EXPECT_THAT(route(cluster, 0, 1), ElementsAre("y", "x"));
}

TEST(Cluster, WhatIsMoreParticularAboutAnEfficiencyWins) {
    std::string json = kPerPair;
    const std::string_view peaks = R"("peak_flops": {"f32": 1e9})";
    json.insert(json.find(peaks), R"("efficiency": {
        "matrix": {"compute": 0.5, "half_flops": 100, "f16": {"compute": 0.25}, "source": "S"},
        "all": {"compute": 0.75, "memory": 0.8, "half_bytes": 7, "f64": {"memory": 0.6}},
        "convolution": {"compute": 2}}, )");
    const Cluster cluster = parsed(json);
    const auto figures = [&](OpClass opClass, DType type) {
        const Efficiency& e = cluster.kind(KindId(0)).efficiency(opClass, type);
        return std::vector<double>{e.compute, e.memory, e.halfFlops, e.halfBytes};
    };
    EXPECT_THAT(figures(OpClass::Movement, DType::F32), ElementsAre(0.75, 0.8, 0, 7));
    EXPECT_THAT(figures(OpClass::Movement, DType::F64), ElementsAre(0.75, 0.6, 0, 7));
    EXPECT_THAT(figures(OpClass::Matrix, DType::F32), ElementsAre(0.5, 0.8, 100, 7))
        << "whatever the order in the file";
    EXPECT_THAT(figures(OpClass::Matrix, DType::F16), ElementsAre(0.25, 0.8, 100, 7));
    EXPECT_THAT(figures(OpClass::Convolution, DType::F64), ElementsAre(2, 0.6, 0, 7)) << "a fast algorithm";
    for (std::size_t c = 0; c < kOpClassCount; ++c)
        EXPECT_EQ(parseOpClass(toString(static_cast<OpClass>(c))), static_cast<OpClass>(c));
}

TEST(Cluster, TransferTakesTheSumOfLatenciesAndTheSmallestBandwidth) {
    const Cluster cluster = parsed(threeProcessors(R"({"name": "slow", "bandwidth": 2e9, "latency_ns": 100},
                                  {"name": "fast", "bandwidth": 8e9, "latency_ns": 30})",
                                                   R"({"from": "*", "to": "*", "via": ["fast"]},
                                  {"from": "P1", "to": "P2", "via": ["fast", "slow"]})"));
    const DeviceId one(0), two(1), three(2);
    EXPECT_EQ(cluster.routeLatencyNs(one, two), 130);
    EXPECT_DOUBLE_EQ(cluster.routeBandwidth(one, two), 2e9);
    EXPECT_EQ(cluster.transferNs(1'000'000, one, two), 500'130);
    EXPECT_EQ(cluster.transferNs(1'000'000, one, three), 125'030);
    EXPECT_EQ(cluster.transferNs(0, one, two), 130) << "a control edge: the latency only";
    EXPECT_EQ(cluster.transferNs(3, one, two), 132) << "1.5 ns rounds up";
    EXPECT_EQ(cluster.transferNs(1, one, three), 30) << "0.125 ns rounds down";
    EXPECT_EQ(cluster.transferNs(1'000'000, two, two), 0);
    EXPECT_EQ(cluster.routeBandwidth(two, two), 0);
    EXPECT_EQ(cluster.routeLatencyNs(two, two), 0);
}

TEST(Cluster, TransferTimeStaysFiniteForAbsurdSizes) {
    const Cluster cluster = parsed(threeProcessors(R"({"name": "x", "bandwidth": 1, "latency_ns": 0})",
                                                   R"({"from": "*", "to": "*", "via": ["x"]})"));
    const std::int64_t longest = cluster.transferNs(std::numeric_limits<std::int64_t>::max(), DeviceId(0), DeviceId(1));
    EXPECT_GT(longest, 1'000'000'000LL * 3600 * 24 * 365);
    EXPECT_LT(longest, std::numeric_limits<std::int64_t>::max() / 64) << "so that sums of such times fit";
}

TEST(Cluster, WildcardsMatchAnyRunOfCharacters) {
    const std::string channel = R"({"name": "x", "bandwidth": 1e9, "latency_ns": 0})";
    const auto matching = [&](const std::string& pattern) {
        const Cluster cluster = parsed(threeProcessors(
            channel + R"(, {"name": "y", "bandwidth": 1e9, "latency_ns": 0})",
            R"({"from": "*", "to": "*", "via": ["x"]}, {"from": ")" + pattern + R"(", "to": "*", "via": ["y"]})"));
        std::string from;
        for (std::size_t f = 0; f < 3; ++f) {
            if (route(cluster, f, f == 0 ? 1 : 0)[0] == "y")
                from += cluster.device(DeviceId(f)).name;
        }
        return from;
    };
    EXPECT_EQ(matching("*"), "P1P2P3");
    EXPECT_EQ(matching("P*"), "P1P2P3");
    EXPECT_EQ(matching("*2"), "P2");
    EXPECT_EQ(matching("P2"), "P2");
    EXPECT_EQ(matching("*P*3*"), "P3");
    EXPECT_EQ(matching("P**1"), "P1");
}

TEST(Cluster, ALaterRouteReplacesAnEarlierOne) {
    const std::string channels = R"({"name": ["x", "y"], "bandwidth": 1e9, "latency_ns": 0})";
    const std::string general = R"({"from": "*", "to": "*", "via": ["x"]})";
    const std::string special = R"({"from": "P1", "to": "*", "via": ["y"]})";
    const Cluster specialLast = parsed(threeProcessors(channels, general + "," + special));
    EXPECT_THAT(route(specialLast, 0, 1), ElementsAre("y"));
    EXPECT_THAT(route(specialLast, 1, 0), ElementsAre("x"));
    const Cluster generalLast = parsed(threeProcessors(channels, special + "," + general));
    EXPECT_THAT(route(generalLast, 0, 1), ElementsAre("x"));
}

TEST(Cluster, ARuleForExistingChannelsLeavesTheOtherPairsAlone) {
    const Cluster cluster = parsed(threeProcessors(R"({"name": "x", "bandwidth": 1e9, "latency_ns": 0},
                           {"name": "{from}>{to}", "links": [["P1", "P3"]], "bandwidth": 1e9, "latency_ns": 0})",
                                                   R"({"from": "*", "to": "*", "via": ["x"]},
                           {"from": "*", "to": "*", "via": ["{from}>{to}"], "where_present": true})"));
    EXPECT_EQ(cluster.channelCount(), 3u) << "a link is a channel each way";
    EXPECT_THAT(route(cluster, 0, 2), ElementsAre("P1>P3"));
    EXPECT_THAT(route(cluster, 2, 0), ElementsAre("P3>P1"));
    EXPECT_THAT(route(cluster, 0, 1), ElementsAre("x"));
}

TEST(Cluster, HostsAndSwitchesGroupChannelsAndRoutes) {
    const Cluster cluster = parsed(R"({
        "kinds": {"G": {"memory_bytes": 1, "memory_bandwidth": 1, "launch_ns": 0, "peak_flops": {"f32": 1}}},
        "devices": [{"name": "g{i}", "kind": "G", "count": 2, "host": "a", "switch": "s0"},
                    {"name": "g{i}", "kind": "G", "first": 2, "host": "a"},
                    {"name": "g{i}", "kind": "G", "first": 3, "host": "a"},
                    {"name": "g{i}", "kind": "G", "first": 4, "host": "b", "switch": "s1"}],
        "channels": [{"name": "near:{from}>{to}", "per_pair": ["*", "*"], "same": "switch", "bandwidth": 1, "latency_ns": 0},
                     {"name": "up:{switch}", "per_switch": "*", "bandwidth": 1, "latency_ns": 0},
                     {"name": "bus", "bandwidth": 1, "latency_ns": 0},
                     {"name": ["{host}:out", "{host}:in"], "per_host": "*", "bandwidth": 1, "latency_ns": 0}],
        "routes": [{"from": "*", "to": "*", "same": "host", "via": ["bus"]},
                   {"from": "g0", "to": "*", "different": "switch", "via": ["up:{from.switch}", "bus"]},
                   {"from": "*", "to": "*", "same": "switch", "via": ["near:{from}>{to}"]},
                   {"from": "*", "to": "*", "different": "host", "via": ["{from.host}:out", "{to.host}:in"]}]})");
    std::vector<std::string> channels;
    for (std::size_t c = 0; c < cluster.channelCount(); ++c)
        channels.push_back(cluster.channel(ChannelId(c)).name);
    EXPECT_THAT(channels,
                ElementsAre("near:g0>g1", "near:g1>g0", "up:s0", "up:s1", "bus", "a:out", "b:out", "a:in", "b:in"));
    EXPECT_THAT(route(cluster, 0, 1), ElementsAre("near:g0>g1"));
    EXPECT_THAT(route(cluster, 0, 2), ElementsAre("up:s0", "bus"));
    EXPECT_THAT(route(cluster, 2, 3), ElementsAre("bus")) << "without a switch they share none";
    EXPECT_THAT(route(cluster, 4, 0), ElementsAre("b:out", "a:in"));
}

TEST(Cluster, ASingleDeviceNeedsNoChannels) {
    const Cluster cluster = parsed(R"({"devices": [{"name": "only", "kind": "K"}],
        "kinds": {"K": {"memory_bytes": 1, "memory_bandwidth": 1, "launch_ns": 0, "peak_flops": {"f32": 1}}}})");
    EXPECT_EQ(cluster.deviceCount(), 1u);
    EXPECT_EQ(cluster.channelCount(), 0u);
    EXPECT_EQ(cluster.transferNs(1000, DeviceId(0), DeviceId(0)), 0);
}

TEST(Cluster, HoldsAFullMeshOfTheMostDevicesThereMayBe) {
    const Cluster cluster = parsed(R"({"devices": [{"name": "g{i}", "kind": "K", "count": 256}],
        "kinds": {"K": {"memory_bytes": 1, "memory_bandwidth": 1, "launch_ns": 0, "peak_flops": {"f32": 1}}},
        "channels": [{"name": "{from}>{to}", "per_pair": ["*", "*"], "bandwidth": 1, "latency_ns": 0}],
        "routes": [{"from": "*", "to": "*", "via": ["{from}>{to}"]}]})");
    EXPECT_EQ(cluster.channelCount(), 256u * 255u);
    EXPECT_THAT(route(cluster, 255, 0), ElementsAre("g255>g0"));
}

TEST(Cluster, ChangesItsLinkModelOnACopy) {
    const Cluster cluster = parsed(kPerPair);
    const Cluster free = cluster.withLinkModel(LinkModel::None);
    EXPECT_EQ(free.linkModel(), LinkModel::None);
    EXPECT_EQ(cluster.linkModel(), LinkModel::Fifo);
    EXPECT_EQ(free.channelCount(), cluster.channelCount());
}

TEST(Cluster, LinkModelsHaveNames) {
    for (const LinkModel model : {LinkModel::None, LinkModel::Fifo, LinkModel::Fair})
        EXPECT_EQ(parseLinkModel(toString(model)), model);
    EXPECT_EQ(parseLinkModel("FIFO"), std::nullopt);
}

TEST(ClusterLoad, TakesAPathAndTheNameOfABundledCluster) {
    const auto byName = Cluster::load("p100x4");
    ASSERT_TRUE(byName) << byName.error().message;
    const auto byPath = Cluster::load((dataFolder() / "clusters/p100x4.json").string());
    ASSERT_TRUE(byPath) << byPath.error().message;
    EXPECT_EQ(byName->hash(), byPath->hash());
}

TEST(ClusterLoad, NamesTheBundledClustersWhenThereIsNoneOfAName) {
    const auto missing = Cluster::load("p100x3");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message,
                HasSubstr("p100x3: no such cluster; give a .json file or one of: 2hosts_4gpu, "));
    const auto noFile = Cluster::load("nowhere/p100x3.json");
    ASSERT_FALSE(noFile);
    EXPECT_EQ(noFile.error().message, "nowhere/p100x3.json: cannot be opened: No such file or directory.");
}

} // namespace
} // namespace opscape
