// SPDX-License-Identifier: MIT
// The pipeline objective on a graph small enough to add up by hand.
#include "sim/test_problem.h"

#include <opscape/sim/pipeline.h>

#include <gmock/gmock.h>

namespace opscape::test {
namespace {

/// Two accelerators of 100 bytes and a CPU that takes ten times as long; a byte takes a nanosecond.
std::shared_ptr<const Cluster> acceleratorsAndCpu() {
    const auto cluster = Cluster::parse(R"({
        "link_model": "fifo",
        "kinds": {"K": {"type": "gpu", "memory_bytes": 100, "memory_bandwidth": 1e9, "launch_ns": 0,
                        "peak_flops": {"f32": 1e9}},
                  "C": {"type": "cpu", "memory_bytes": 0, "memory_bandwidth": 1e9, "launch_ns": 0,
                        "peak_flops": {"f32": 1e9}}},
        "devices": [{"name": "acc:{i}", "kind": "K", "count": 2}, {"name": "cpu:0", "kind": "C"}],
        "channels": [{"name": "{from}>{to}", "per_pair": ["*", "*"], "bandwidth": 1e9, "latency_ns": 0}],
        "routes": [{"from": "*", "to": "*", "via": ["{from}>{to}"]}]})",
                                        "test");
    EXPECT_TRUE(cluster.has_value()) << (cluster ? "" : cluster.error().message);
    return std::make_shared<const Cluster>(*cluster);
}

/// a (100 ns, 8 bytes) is read by b, c and d; b and c are read by d.
class Pipeline : public testing::Test {
protected:
    Pipeline() {
        TinyGraph graph;
        const OpId a = graph.op("a", 100, {}, 8);
        const OpId b = graph.op("b", 30, {a}, 5);
        const OpId c = graph.op("c", 40, {a}, 3);
        const OpId d = graph.op("d", 50, {a, b, c}, 99);
        for (const OpId op : {a, b, c, d})
            graph.edit(op).timeNs["C"] = 10 * graph.edit(op).timeNs["K"];
        graph.weight("small", 60, {a});
        graph.weight("shared", 50, {b, c});
        Diagnostics diagnostics;
        m_problem = makeProblem(graph.build(), acceleratorsAndCpu(), diagnostics);
    }
    Problem m_problem;
};

TEST_F(Pipeline, ChargesATensorOnceWhereItIsSentAndOncePerDeviceThatReadsIt) {
    const PipelineReport report = pipelineReport(m_problem, placed({0, 1, 1, 1}));
    EXPECT_EQ(report.devices[0].computeNs, 100);
    EXPECT_EQ(report.devices[0].sendNs, 8) << "three readers on one device";
    EXPECT_EQ(report.devices[1].computeNs, 120);
    EXPECT_EQ(report.devices[1].receiveNs, 8);
    EXPECT_EQ(report.devices[1].sendNs, 0) << "nobody else reads what d writes";
    EXPECT_EQ(report.periodNs, 128);
    EXPECT_EQ(report.bottleneck, DeviceId(1));
}

TEST_F(Pipeline, ChargesACpuForItsOpsAlone) {
    const PipelineReport report = pipelineReport(m_problem, placed({0, 1, 2, 1}));
    EXPECT_EQ(report.devices[0].sendNs, 8) << "two devices read it, it is sent once";
    EXPECT_EQ(report.devices[1].receiveNs, 8 + 3);
    EXPECT_EQ(report.devices[1].sendNs, 0);
    EXPECT_EQ(report.devices[2].totalNs(), 400);
    EXPECT_EQ(report.periodNs, 400);
}

TEST_F(Pipeline, CountsTheResidentBytesOfADeviceOnce) {
    const PipelineReport fits = pipelineReport(m_problem, placed({0, 1, 1, 1}));
    EXPECT_EQ(fits.devices[0].residentBytes, 60);
    EXPECT_EQ(fits.devices[1].residentBytes, 50) << "b and c share theirs";
    EXPECT_TRUE(fits.feasible);
    EXPECT_EQ(outOfMemoryReport(*m_problem.cluster, fits), "");
    EXPECT_TRUE(pipelineReport(m_problem, placed({2, 2, 2, 2})).feasible) << "the CPU has all it needs";
    const PipelineReport over = pipelineReport(m_problem, placed({0, 0, 1, 1}));
    EXPECT_FALSE(over.feasible);
    EXPECT_EQ(over.devices[0].overBytes, 10);
    EXPECT_EQ(over.devices[1].overBytes, 0);
    EXPECT_EQ(outOfMemoryReport(*m_problem.cluster, over), "acc:0 is to keep 110 B resident, there is room for 100 B.");
}

TEST_F(Pipeline, NamesWhatTheBusiestDeviceIsBusyWith) {
    const Plan plan = placed({0, 1, 1, 1});
    std::vector<Delay> found{{Delay::Kind::Channel, OpId(0), OpId(0), {}}};
    pipelineDelays(m_problem, plan, pipelineReport(m_problem, plan), found);
    std::vector<std::tuple<Delay::Kind, std::uint32_t, std::uint32_t>> seen;
    for (const Delay& delay : found)
        seen.emplace_back(delay.kind, delay.op.value, delay.by.value);
    using Kind = Delay::Kind;
    EXPECT_THAT(seen,
                testing::UnorderedElementsAre(std::tuple(Kind::Transfer, 1u, 0u), std::tuple(Kind::Transfer, 2u, 0u),
                                              std::tuple(Kind::Transfer, 3u, 0u), std::tuple(Kind::Device, 1u, 1u),
                                              std::tuple(Kind::Device, 2u, 2u), std::tuple(Kind::Device, 3u, 3u)));
}

} // namespace
} // namespace opscape::test
