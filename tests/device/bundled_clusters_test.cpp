// SPDX-License-Identifier: MIT
// The bundled clusters against the data sheets: the figures below were copied from the documents, not from the files.
#include <opscape/base/paths.h>
#include <opscape/device/cluster.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace opscape {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

Cluster load(const std::string& name) {
    auto cluster = Cluster::load(name);
    EXPECT_TRUE(cluster) << cluster.error().message;
    return *cluster;
}

Json file(const std::string& name) {
    const auto text = readFile(dataFolder() / "clusters" / (name + ".json"));
    EXPECT_TRUE(text) << text.error().message;
    return Json::parse(*text);
}

DeviceId device(const Cluster& cluster, std::string_view name) {
    const DeviceId id = cluster.findDevice(name);
    EXPECT_TRUE(id.valid()) << name;
    return id;
}

std::string routeText(const Cluster& cluster, std::string_view from, std::string_view to) {
    std::string names;
    for (const ChannelId id : cluster.route(device(cluster, from), device(cluster, to)))
        names += (names.empty() ? "" : " ") + cluster.channel(id).name;
    return names;
}

double bandwidth(const Cluster& cluster, std::string_view from, std::string_view to) {
    return cluster.routeBandwidth(device(cluster, from), device(cluster, to));
}

std::int64_t latency(const Cluster& cluster, std::string_view from, std::string_view to) {
    return cluster.routeLatencyNs(device(cluster, from), device(cluster, to));
}

constexpr double kPcie3x16 = 8e9 * 16 * 128 / 130 / 8; // transfers a second, lanes, coding, bits

struct DataSheet {
    std::string kind;
    std::int64_t memoryBytes;
    double memoryBandwidth, f16, f32, f64;
};

const DataSheet kP100{"P100", 16281LL * 1024 * 1024 + 786432, 732e9, 18.7e12, 9.3e12, 4.7e12};
const DataSheet kV100{"V100", 16160LL * 1024 * 1024 + 524288, 900e9, 125e12, 15.7e12, 7.8e12};
const DataSheet kA100{"A100", 40441LL * 1024 * 1024 + 393216, 1555e9, 312e12, 19.5e12, 9.7e12};

void expectKind(const Cluster& cluster, DeviceId id, const DataSheet& sheet) {
    const DeviceKind& kind = cluster.kindOf(id);
    EXPECT_EQ(kind.name, sheet.kind);
    EXPECT_EQ(kind.type, "gpu");
    EXPECT_NEAR(static_cast<double>(kind.memoryBytes), static_cast<double>(sheet.memoryBytes), 1024 * 1024);
    EXPECT_DOUBLE_EQ(kind.memoryBandwidth, sheet.memoryBandwidth);
    EXPECT_DOUBLE_EQ(kind.peak(DType::F16), sheet.f16);
    EXPECT_DOUBLE_EQ(kind.peak(DType::F32), sheet.f32);
    EXPECT_DOUBLE_EQ(kind.peak(DType::F64), sheet.f64);
    EXPECT_DOUBLE_EQ(kind.overlap, 0.95);
    EXPECT_EQ(kind.launchNs, 5000);
}

TEST(BundledClusters, AreTheOnesThatTheReadmePromises) {
    EXPECT_EQ(Cluster::bundled(), (std::vector<std::string>{"2hosts_4gpu", "a100x8", "cpu_2gpu", "p100x2", "p100x4",
                                                            "p100x8", "v100x4", "v100x8"}));
    const auto readme = readFile(dataFolder() / "clusters/README.md");
    ASSERT_TRUE(readme);
    for (const std::string& name : Cluster::bundled())
        EXPECT_THAT(*readme, HasSubstr("`" + name + "`"));
}

TEST(BundledClusters, HaveTheNumberAndKindOfDevicesInTheirName) {
    const std::vector<std::tuple<std::string, std::size_t, DataSheet>> expected{
        {"p100x2", 2, kP100}, {"p100x4", 4, kP100}, {"p100x8", 8, kP100},     {"v100x4", 4, kV100},
        {"v100x8", 8, kV100}, {"a100x8", 8, kA100}, {"2hosts_4gpu", 8, kV100}};
    for (const auto& [name, count, sheet] : expected) {
        SCOPED_TRACE(name);
        const Cluster cluster = load(name);
        ASSERT_EQ(cluster.deviceCount(), count);
        for (std::size_t i = 0; i < count; ++i)
            expectKind(cluster, DeviceId(i), sheet);
    }
    EXPECT_DOUBLE_EQ(load("a100x8").kind(KindId(0)).peak(DType::BF16), 312e12);
    EXPECT_DOUBLE_EQ(load("a100x8").kind(KindId(0)).peak(DType::I8), 624e12);
    EXPECT_DOUBLE_EQ(load("v100x8").kind(KindId(0)).peak(DType::I8), 15.7e12) << "not given, so that of f32";
}

TEST(BundledClusters, ReachTheMeasuredPartOfTheirPeaks) {
    const Cluster ofV100 = load("v100x4"), ofP100 = load("p100x4");
    const DeviceKind& v100 = ofV100.kind(KindId(0));
    EXPECT_NEAR(v100.memoryBandwidth * v100.efficiency(OpClass::Elementwise, DType::F32).memory, 805e9, 5e9);
    const Efficiency tensorCores = v100.efficiency(OpClass::Matrix, DType::F16);
    EXPECT_NEAR(v100.peak(DType::F16) * tensorCores.compute, 85e12, 1e12);
    const DeviceKind& p100 = ofP100.kind(KindId(0));
    const Efficiency single = p100.efficiency(OpClass::Matrix, DType::F32);
    const auto teraflops = [&](double m, double n, double k) {
        const double flops = 2 * m * n * k;
        const double seconds = (flops + single.halfFlops) / (p100.peak(DType::F32) * single.compute) +
                               static_cast<double>(p100.launchNs) * 1e-9;
        return flops / seconds / 1e12;
    };
    EXPECT_NEAR(teraflops(5124, 9124, 2560), 8.21, 0.1);
    EXPECT_NEAR(teraflops(2560, 64, 2560), 5.31, 0.1);
    const Cluster ofA100 = load("a100x8");
    const DeviceKind& a100 = ofA100.kind(KindId(0));
    EXPECT_NEAR(a100.peak(DType::BF16) * a100.efficiency(OpClass::Matrix, DType::BF16).compute, 267.9e12, 1e12);
    for (const std::string& name : Cluster::bundled()) {
        const Cluster cluster = load(name);
        for (std::size_t k = 0; k < cluster.kindCount(); ++k) {
            for (std::size_t c = 0; c < kOpClassCount; ++c) {
                const Efficiency reached = cluster.kind(KindId(k)).efficiency(static_cast<OpClass>(c), DType::F32);
                EXPECT_LE(reached.compute, 1) << name;
                EXPECT_LT(reached.memory, 1) << name;
            }
        }
    }
}

TEST(PublishedThroughput, NamesTheSourceOfEveryFigure) {
    const auto text = readFile(dataFolder() / "reference/throughput.json");
    ASSERT_TRUE(text) << text.error().message;
    const Json root = Json::parse(*text);
    std::string cited;
    ASSERT_GE(root["entries"].size(), 10u);
    for (const Json& entry : root["entries"]) {
        const std::string source = entry["source"];
        EXPECT_TRUE(root["sources"].contains(source.substr(0, source.find(':')))) << entry;
        cited += " " + source;
        EXPECT_TRUE(entry["device"] == "P100" || entry["device"] == "V100") << entry;
        EXPECT_TRUE(parseDType(entry["precision"].get<std::string>())) << entry;
        EXPECT_GT(entry["figure"].get<double>(), 0) << entry;
        EXPECT_GT(entry["batch"].get<int>(), 0) << entry;
        EXPECT_THAT((std::vector<std::string>{"images", "sentences", "tokens"}),
                    testing::Contains(entry["unit"].get<std::string>()));
    }
    for (const auto& [name, document] : root["sources"].items())
        EXPECT_THAT(cited, HasSubstr(name)) << "a document that nothing cites";
}

class EveryBundledCluster : public testing::TestWithParam<std::string> {};

TEST_P(EveryBundledCluster, IsNamedAfterItsFileAndHasAFifoRouteForEveryPair) {
    const Cluster cluster = load(GetParam());
    EXPECT_EQ(cluster.id(), GetParam());
    EXPECT_NE(cluster.title(), GetParam()) << "a title for people is missing";
    EXPECT_EQ(cluster.linkModel(), LinkModel::Fifo);
    EXPECT_FALSE(cluster.blockingSend());
    for (std::size_t f = 0; f < cluster.deviceCount(); ++f) {
        for (std::size_t t = 0; t < cluster.deviceCount(); ++t) {
            EXPECT_EQ(cluster.route(DeviceId(f), DeviceId(t)).empty(), f == t);
            EXPECT_EQ(cluster.routeLatencyNs(DeviceId(f), DeviceId(t)),
                      cluster.routeLatencyNs(DeviceId(t), DeviceId(f)));
            EXPECT_EQ(cluster.routeBandwidth(DeviceId(f), DeviceId(t)),
                      cluster.routeBandwidth(DeviceId(t), DeviceId(f)));
        }
    }
}

TEST_P(EveryBundledCluster, UsesEveryChannelItHas) {
    const Cluster cluster = load(GetParam());
    std::vector<int> uses(cluster.channelCount());
    for (std::size_t f = 0; f < cluster.deviceCount(); ++f) {
        for (std::size_t t = 0; t < cluster.deviceCount(); ++t) {
            for (const ChannelId id : cluster.route(DeviceId(f), DeviceId(t)))
                ++uses[id.index()];
        }
    }
    for (std::size_t c = 0; c < uses.size(); ++c)
        EXPECT_GT(uses[c], 0) << cluster.channel(ChannelId(c)).name;
}

TEST_P(EveryBundledCluster, GivesTheSourceOfEveryFigure) {
    const Json root = file(GetParam());
    EXPECT_THAT(root["units"].get<std::string>(), HasSubstr("1 GB is 10^9 bytes"));
    EXPECT_GT(root["about"].get<std::string>().size(), 40u);
    const Json& documents = root["sources"];
    std::string cited = root["about"];
    const auto check = [&](const Json& entry, const std::string& place, const std::vector<std::string>& figures) {
        for (const std::string& figure : figures) {
            if (!entry.contains(figure))
                continue;
            ASSERT_TRUE(entry.contains("sources") && entry["sources"].contains(figure)) << place << "." << figure;
            const std::string source = entry["sources"][figure];
            EXPECT_TRUE(documents.contains(source.substr(0, source.find(':'))))
                << place << "." << figure << ": " << source;
            cited += " " + source;
        }
    };
    for (const auto& [name, kind] : root["kinds"].items()) {
        ASSERT_TRUE(kind.contains("efficiency")) << name;
        for (const auto& [opClass, figures] : kind["efficiency"].items()) {
            const std::string source = figures.value("source", "");
            // Several sources may stand in one text, for one element type each: "f16 MATMUL: ...".
            const bool named = std::ranges::any_of(documents.items(), [&](const auto& document) {
                return source.find(document.key() + ":") != std::string::npos;
            });
            EXPECT_TRUE(named) << name << "." << opClass << ": " << source;
            cited += " " + source;
        }
        check(kind, "kinds." + name, {"memory_bytes", "memory_bandwidth", "launch_ns", "peak_flops", "overlap"});
    }
    for (const Json& channel : root["channels"])
        check(channel, channel["name"].dump(), {"bandwidth", "latency_ns"});
    for (const auto& [name, document] : documents.items()) {
        EXPECT_THAT(cited, HasSubstr(name)) << "a document that nothing cites";
        EXPECT_GT(document.get<std::string>().size(), 20u) << name;
    }
}

TEST_P(EveryBundledCluster, DescribesAKindAndADocumentAsEveryOtherFileDoes) {
    const Json mine = file(GetParam());
    for (const std::string& other : Cluster::bundled()) {
        const Json theirs = file(other);
        EXPECT_EQ(mine["units"], theirs["units"]) << other;
        for (const std::string key : {"kinds", "sources"}) {
            for (const auto& [name, entry] : mine[key].items()) {
                EXPECT_EQ(entry, theirs[key].value(name, entry)) << key << "." << name << " in " << other;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(BundledClusters, EveryBundledCluster, testing::ValuesIn(Cluster::bundled()),
                         [](const auto& test) { return test.param; });

TEST(BundledClusters, P100sBelowOneSwitchBypassTheLinkToTheCpu) {
    EXPECT_EQ(routeText(load("p100x2"), "gpu:0", "gpu:1"), "pcie:gpu:0:out pcie:gpu:1:in");
    for (const std::string name : {"p100x4", "p100x8"}) {
        const Cluster cluster = load(name);
        EXPECT_EQ(routeText(cluster, "gpu:2", "gpu:3"), "pcie:gpu:2:out pcie:gpu:3:in");
        EXPECT_EQ(routeText(cluster, "gpu:3", "gpu:0"), "pcie:gpu:3:out pcie:plx1:up pcie:plx0:down pcie:gpu:0:in");
        EXPECT_NEAR(bandwidth(cluster, "gpu:3", "gpu:0"), kPcie3x16, 1);
        EXPECT_EQ(latency(cluster, "gpu:3", "gpu:0"), 5700);
    }
    EXPECT_EQ(routeText(load("p100x8"), "gpu:7", "gpu:4"), "pcie:gpu:7:out pcie:plx3:up pcie:plx2:down pcie:gpu:4:in");
}

/// Links of a DGX-1 with V100 between each pair, as nvidia-smi prints them.
constexpr int kDgx1Links[8][8] = {{0, 1, 1, 2, 2, 0, 0, 0}, {1, 0, 2, 1, 0, 2, 0, 0}, {1, 2, 0, 2, 0, 0, 1, 0},
                                  {2, 1, 2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 1, 1, 2}, {0, 2, 0, 0, 1, 0, 2, 1},
                                  {0, 0, 1, 0, 1, 2, 0, 2}, {0, 0, 0, 1, 2, 1, 2, 0}};

TEST(BundledClusters, V100x8IsTheHybridCubeMeshOfADgx1) {
    const Cluster cluster = load("v100x8");
    for (std::size_t f = 0; f < 8; ++f) {
        int ports = 0;
        for (std::size_t t = 0; t < 8; ++t) {
            ports += kDgx1Links[f][t];
            if (f == t)
                continue;
            SCOPED_TRACE(testing::Message() << f << " to " << t);
            const auto route = cluster.route(DeviceId(f), DeviceId(t));
            if (kDgx1Links[f][t] > 0) {
                ASSERT_EQ(route.size(), 1u);
                EXPECT_DOUBLE_EQ(cluster.channel(route[0]).bandwidth, 25e9 * kDgx1Links[f][t]);
                EXPECT_EQ(cluster.channel(route[0]).latencyNs, 3400);
            } else {
                EXPECT_EQ(route.size(), 4u) << "over PCIe";
                EXPECT_NEAR(cluster.routeBandwidth(DeviceId(f), DeviceId(t)), kPcie3x16, 1);
                EXPECT_EQ(cluster.routeLatencyNs(DeviceId(f), DeviceId(t)), 5700);
            }
        }
        EXPECT_EQ(ports, 6) << "a V100 has six NVLinks";
    }
}

TEST(BundledClusters, V100x4IsTheFirstQuadOfADgx1) {
    const Cluster cluster = load("v100x4");
    for (std::size_t f = 0; f < 4; ++f) {
        for (std::size_t t = 0; t < 4; ++t) {
            EXPECT_DOUBLE_EQ(cluster.routeBandwidth(DeviceId(f), DeviceId(t)), 25e9 * kDgx1Links[f][t]);
        }
    }
}

TEST(BundledClusters, A100sShareOnlyTheirOwnPortOfTheSwitch) {
    const Cluster cluster = load("a100x8");
    EXPECT_EQ(cluster.channelCount(), 16u);
    EXPECT_EQ(routeText(cluster, "gpu:0", "gpu:7"), "nvlink:gpu:0:out nvlink:gpu:7:in");
    EXPECT_DOUBLE_EQ(bandwidth(cluster, "gpu:0", "gpu:7"), 12 * 25e9);
    EXPECT_EQ(latency(cluster, "gpu:0", "gpu:7"), 3400);
}

TEST(BundledClusters, TheCpuIsADeviceOnTheLinksOfTheGpus) {
    const Cluster cluster = load("cpu_2gpu");
    ASSERT_EQ(cluster.deviceCount(), 3u);
    const DeviceKind& cpu = cluster.kindOf(device(cluster, "cpu:0"));
    EXPECT_EQ(cpu.type, "cpu");
    EXPECT_DOUBLE_EQ(cpu.peak(DType::F32), 20 * 2.2e9 * 2 * 2 * 8) << "cores, cycles, units, multiply and add, lanes";
    EXPECT_DOUBLE_EQ(cpu.peak(DType::F64), 20 * 2.2e9 * 2 * 2 * 4);
    EXPECT_DOUBLE_EQ(cpu.memoryBandwidth, 4 * 2400e6 * 8) << "channels, transfers a second, bytes";
    EXPECT_EQ(cpu.memoryBytes, 256LL << 30);
    expectKind(cluster, device(cluster, "gpu:1"), kP100);
    EXPECT_EQ(routeText(cluster, "cpu:0", "gpu:1"), "pcie:gpu:1:in");
    EXPECT_EQ(routeText(cluster, "gpu:1", "cpu:0"), "pcie:gpu:1:out");
    EXPECT_EQ(routeText(cluster, "gpu:1", "gpu:0"), "pcie:gpu:1:out pcie:gpu:0:in");
}

TEST(BundledClusters, TheNetworkCardIsSharedPerHostAndDirection) {
    const Cluster cluster = load("2hosts_4gpu");
    EXPECT_EQ(cluster.device(device(cluster, "b/gpu:3")).host, "b");
    EXPECT_EQ(routeText(cluster, "a/gpu:0", "b/gpu:3"), "pcie:a/gpu:0:out nic:a:out nic:b:in pcie:b/gpu:3:in");
    EXPECT_EQ(routeText(cluster, "a/gpu:2", "b/gpu:1"), "pcie:a/gpu:2:out nic:a:out nic:b:in pcie:b/gpu:1:in");
    EXPECT_EQ(routeText(cluster, "b/gpu:1", "a/gpu:2"), "pcie:b/gpu:1:out nic:b:out nic:a:in pcie:a/gpu:2:in");
    EXPECT_EQ(routeText(cluster, "b/gpu:1", "b/gpu:2"), "nvlink:b/gpu:1>b/gpu:2");
    EXPECT_DOUBLE_EQ(bandwidth(cluster, "a/gpu:0", "b/gpu:3"), 100e9 / 8);
    EXPECT_EQ(latency(cluster, "a/gpu:0", "b/gpu:3"), 9600);
    EXPECT_DOUBLE_EQ(bandwidth(cluster, "a/gpu:0", "a/gpu:3"), 2 * 25e9);
}

} // namespace
} // namespace opscape
