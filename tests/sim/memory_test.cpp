// SPDX-License-Identifier: MIT
#include "sim/test_problem.h"

namespace opscape::test {
namespace {

std::string curveText(const DeviceReport& device) {
    std::string text;
    for (const MemoryStep& step : device.memory)
        text += fmt::format("{}:{} ", step.timeNs, step.bytes);
    return text;
}

std::string aliveText(const Problem& problem, const DeviceReport& device) {
    std::string text;
    for (const TensorId tensor : device.alive)
        text += problem.graph->tensor(tensor).name + " ";
    return text;
}

TEST(Memory, ThePeakCountsInputsAndOutputsOfTheOpThatRuns) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId b = g.op("b", 10, {a}, 40);
    g.op("c", 10, {b}, 1);
    g.edit(b).workspaceBytes = 7;
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    const Schedule schedule = simulated(problem, placed({0, 0, 0}));
    EXPECT_EQ(curveText(schedule.devices[0]), "0:100 10:147 20:41 30:0 ");
    EXPECT_EQ(schedule.devices[0].peakBytes, 147);
    EXPECT_EQ(schedule.devices[0].peakNs, 10);
    EXPECT_EQ(aliveText(problem, schedule.devices[0]), "a:0 b:0 ");
}

TEST(Memory, ATensorLivesUntilItsLastReaderEnds) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId b = g.op("b", 10, {a}, 5);
    g.op("c", 10, {b, a}, 3);
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    EXPECT_EQ(curveText(simulated(problem, placed({0, 0, 0})).devices[0]), "0:100 10:105 20:108 30:0 ");
}

TEST(Memory, AReceivedCopyIsChargedFromTheStartOfItsTransferAndFreedAfterItsLastReader) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId b = g.op("b", 10, {a}, 8);
    g.op("c", 10, {a, b}, 4);
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    const Schedule schedule = simulated(problem, placed({0, 1, 1}));
    EXPECT_EQ(curveText(schedule.devices[0]), "0:100 110:0 ") << "the source lives until its send has ended";
    EXPECT_EQ(curveText(schedule.devices[1]), "0:0 10:100 110:108 120:112 130:0 ");
}

TEST(Memory, ATransferThatWaitsForItsChannelIsNotChargedYet) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId b = g.op("b", 10, {a}, 50);
    g.op("readsA", 10, {a});
    g.op("readsB", 10, {b});
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    const Schedule schedule = simulated(problem, placed({0, 0, 1, 1}));
    EXPECT_EQ(curveText(schedule.devices[1]), "0:0 10:100 110:150 120:50 170:0 ");
    EXPECT_EQ(curveText(schedule.devices[0]), "0:100 10:150 110:50 160:0 ");
}

TEST(Memory, TheSourceLivesUntilItsLastLocalReaderAndItsLastSendHaveEnded) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    g.op("local", 500, {a});
    g.op("remote", 10, {a});
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    EXPECT_EQ(curveText(simulated(problem, placed({0, 0, 1})).devices[0]), "0:100 510:0 ");
}

TEST(Memory, ATensorNobodyReadsGoesWithItsProducer) {
    TinyGraph g;
    g.op("a", 10, {}, 100);
    g.op("b", 10, {}, 30);
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    EXPECT_EQ(curveText(simulated(problem, placed({0, 0})).devices[0]), "0:100 10:30 20:0 ");
}

TEST(Memory, AWeightIsThereAllTheTimeOnceOnEveryDeviceThatReadsIt) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 1);
    const OpId b = g.op("b", 10, {}, 1);
    const OpId c = g.op("c", 10, {}, 1);
    g.op("d", 10, {}, 1);
    g.weight("shared", 1000, {a, b, c});
    const Problem problem = makeTestProblem(g.build(), {.devices = 3});
    const Schedule schedule = simulated(problem, placed({0, 0, 1, 2}));
    EXPECT_EQ(schedule.devices[0].residentBytes, 1000);
    EXPECT_EQ(schedule.devices[1].residentBytes, 1000);
    EXPECT_EQ(schedule.devices[2].residentBytes, 0);
    EXPECT_EQ(schedule.devices[0].peakBytes, 1001);
    EXPECT_EQ(aliveText(problem, schedule.devices[0]), "shared a:0 ");
}

/// A weight of 1000 bytes, the op that hands it out, one that uses it for 100 ns, and its update.
struct WithVariable {
    TinyGraph g;
    OpId read, use, update;

    WithVariable() {
        read = g.op("read", 5, {}, 1000);
        use = g.op("use", 100, {read}, 10);
        update = g.op("update", 20, {use}, 1);
        g.edit(read).type = "ReadVariable";
        g.weight("w", 1000, {read, update});
    }
};

TEST(Memory, AWeightThatIsHandedOutOnItsOwnDeviceCountsOnce) {
    WithVariable v;
    const Problem problem = makeTestProblem(v.g.build(), {.devices = 1});
    const Schedule schedule = simulated(problem, placed({0, 0, 0}));
    EXPECT_EQ(curveText(schedule.devices[0]), "0:1000 5:1010 105:1011 125:1000 ");
    EXPECT_EQ(aliveText(problem, schedule.devices[0]), "w use:0 update:0 ");
}

TEST(Memory, AWeightThatIsSentTakesAllItsBytesWhereItArrives) {
    WithVariable v;
    const Problem problem = makeTestProblem(v.g.build(), {.devices = 2});
    const Schedule schedule = simulated(problem, placed({0, 1, 0}));
    EXPECT_EQ(schedule.transfers[0].bytes, 1000);
    EXPECT_EQ(schedule.transfers[0].endNs - schedule.transfers[0].startNs, 1000);
    EXPECT_EQ(curveText(schedule.devices[1]), "0:0 5:1000 1005:1010 1105:10 1115:0 ");
    EXPECT_EQ(schedule.devices[0].peakBytes, 1011);
    EXPECT_EQ(aliveText(problem, schedule.devices[1]), "read:0 use:0 ");
}

TEST(Memory, WhatMovesBytesOrReadsMoreThanStateIsNoView) {
    {
        WithVariable v;
        v.g.edit(v.read).type = "Test"; // costed by bytes
        EXPECT_EQ(simulated(makeTestProblem(v.g.build(), {.devices = 1}), placed({0, 0, 0})).peakBytes, 2010);
    }
    {
        TinyGraph g;
        const OpId a = g.op("a", 10, {}, 1000);
        const OpId b = g.op("b", 10, {a}, 1000);
        g.edit(b).type = "Reshape"; // a view of what will be freed is counted as a copy
        EXPECT_EQ(simulated(makeTestProblem(g.build(), {.devices = 1}), placed({0, 0})).peakBytes, 2000);
    }
    {
        TinyGraph g;
        const OpId a = g.op("a", 10, {}, 1000);
        g.edit(a).bytesMoved = 0;
        g.weight("seed", 8, {a}); // what it writes is not what it reads
        EXPECT_EQ(simulated(makeTestProblem(g.build(), {.devices = 1}), placed({0})).peakBytes, 1008);
    }
}

TEST(Memory, OutOfMemoryIsSimulatedAndReportedInASentence) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 600);
    g.op("b", 10, {a}, 500);
    const auto graph = g.build();
    const Problem tight = makeTestProblem(graph, {.devices = 2, .memoryBytes = 1024});
    const Schedule schedule = simulated(tight, placed({0, 0}));
    EXPECT_FALSE(schedule.feasible);
    EXPECT_EQ(schedule.makespanNs, 20);
    EXPECT_EQ(schedule.peakBytes, 1100);
    EXPECT_EQ(schedule.devices[0].overBytes, 76);
    EXPECT_EQ(schedule.devices[1].overBytes, 0);
    EXPECT_EQ(outOfMemoryReport(*tight.cluster, schedule),
              "d0 runs out of memory at 10 ns: 1.07 KiB needed, 1.00 KiB there.");

    const Problem enough = makeTestProblem(graph, {.devices = 2, .memoryBytes = 1100});
    EXPECT_TRUE(simulated(enough, placed({0, 0})).feasible);
    const Problem unlimited = makeTestProblem(graph, {.devices = 2, .memoryBytes = 0});
    EXPECT_TRUE(simulated(unlimited, placed({0, 0})).feasible);
    EXPECT_EQ(outOfMemoryReport(*unlimited.cluster, simulated(unlimited, placed({0, 0}))), "");
}

} // namespace
} // namespace opscape::test
