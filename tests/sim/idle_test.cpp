// SPDX-License-Identifier: MIT
#include "sim/textbook.h"

#include <opscape/sim/idle.h>

namespace opscape::test {
namespace {

using Wiring = ClusterShape::Wiring;

/// "input 0-10 b by a, transfer 10-40 b by a, nothing_left 45-60"
std::string idleText(const Problem& problem, const DeviceIdle& idle) {
    std::vector<std::string> spans;
    for (const IdleSpan& span : idle.spans) {
        spans.push_back(fmt::format("{} {}-{}", toString(span.reason), span.startNs, span.endNs));
        if (span.op.valid())
            spans.back() += " " + problem.graph->op(span.op).name;
        if (span.by.valid())
            spans.back() += " by " + problem.graph->op(span.by).name;
    }
    return fmt::format("{}", fmt::join(spans, ", "));
}

TEST(IdleTime, OfTheHeftScheduleOfGraphA) {
    const Problem problem = textbookProblem(graphA(), LinkModel::None);
    const Schedule schedule = simulated(problem, heftOnA());
    const auto idle = idleTimes(problem, heftOnA(), schedule);
    EXPECT_EQ(idleText(problem, idle[0]),
              "input 0-9000 T2 by T1, transfer 9000-27000 T2 by T1, input 40000-42000 T8 by T6, "
              "transfer 42000-57000 T8 by T6, nothing_left 62000-80000");
    EXPECT_EQ(idleText(problem, idle[1]), "input 0-9000 T4 by T1, transfer 9000-18000 T4 by T1, "
                                          "transfer 42000-56000 T9 by T2, transfer 68000-73000 T10 by T8");
    EXPECT_EQ(idleText(problem, idle[2]), "nothing_left 49000-80000");
    EXPECT_EQ(idle[0].of(IdleReason::Transfer), 33000);
    EXPECT_EQ(idle[0].of(IdleReason::Input), 11000);
    EXPECT_EQ(idle[0].of(IdleReason::NothingLeft), 18000);
}

TEST(IdleTime, OfADeviceWithoutOpsIsTheWholeStep) {
    TinyGraph g;
    g.op("a", 10);
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    const Plan plan = placed({0});
    const Schedule schedule = simulated(problem, plan);
    const auto idle = idleTimes(problem, plan, schedule);
    EXPECT_TRUE(idle[0].spans.empty());
    EXPECT_EQ(idleText(problem, idle[1]), "nothing_left 0-10");
    EXPECT_EQ(explain(problem, plan, schedule, DeviceId(1), idle[1].spans[0]),
              "d1 idled 10 ns: nothing was left for it to run.");
}

TEST(IdleTime, TellsTheQueueOfAChannelFromTheWayOverIt) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId b = g.op("b", 10, {a}, 100);
    g.op("readsA", 10, {a});
    g.op("readsB", 10, {b});
    const Problem problem = makeTestProblem(g.build(), {.devices = 3, .wiring = Wiring::SendPort});
    const Plan plan = placed({0, 0, 1, 2});
    const Schedule schedule = simulated(problem, plan);
    const auto idle = idleTimes(problem, plan, schedule);
    EXPECT_EQ(idleText(problem, idle[0]), "nothing_left 20-220");
    EXPECT_EQ(idleText(problem, idle[1]), "input 0-10 readsA by a, transfer 10-110 readsA by a, nothing_left 120-220");
    EXPECT_EQ(idleText(problem, idle[2]),
              "input 0-20 readsB by b, channel 20-110 readsB by b, transfer 110-210 readsB by b");
    const auto sentence = [&](std::size_t span) {
        return explain(problem, plan, schedule, DeviceId(2), idle[2].spans[span]);
    };
    EXPECT_EQ(sentence(0), "d2 idled 20 ns: readsB waited for b to end on d0.");
    EXPECT_EQ(sentence(1),
              "d2 idled 90 ns: readsB waited for b:0 (100 B) in the queue of a channel from d0, behind a:0 (100 B).");
    EXPECT_EQ(sentence(2), "d2 idled 100 ns: readsB waited for b:0 (100 B) on its way from d0.");
}

TEST(IdleTime, BehindASendThatBlocksTheDevice) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    g.op("other", 10);
    g.op("readsA", 10, {a});
    const Problem problem = makeTestProblem(g.build(), {.devices = 2, .blockingSend = true});
    const Plan plan = placed({0, 0, 1});
    const Schedule schedule = simulated(problem, plan);
    const auto idle = idleTimes(problem, plan, schedule);
    EXPECT_EQ(idleText(problem, idle[0]), "send 10-110 other");
    EXPECT_EQ(explain(problem, plan, schedule, DeviceId(0), idle[0].spans[0]),
              "d0 idled 100 ns: other waited while a:0 (100 B) was sent to d1.");
}

TEST(IdleTime, BecauseTheOrderPutsFirstWhatIsNotReady) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    g.op("reads", 10, {a});
    const OpId quick = g.op("quick", 5, {}, 0);
    g.op("late", 10, {quick});
    const Problem problem = makeTestProblem(g.build(), {.devices = 3});
    const Plan plan = placed({0, 1, 2, 1}, QueuePolicy::Order, {0, 9, 0, 1});
    const Schedule schedule = simulated(problem, plan);
    const auto idle = idleTimes(problem, plan, schedule);
    EXPECT_EQ(idleText(problem, idle[1]), "input 0-5 reads by a, order 5-110 late by reads");
    EXPECT_EQ(explain(problem, plan, schedule, DeviceId(1), idle[1].spans[1]),
              "d1 idled 105 ns: late was ready, but the plan puts reads first.");
}

/// Holds every span against the trace.
class IdleCheck {
public:
    IdleCheck(const Problem& problem, const Plan& plan, const Schedule& schedule)
        : m_problem(problem),
          m_plan(plan),
          m_schedule(schedule) {}

    void device(DeviceId device, const DeviceIdle& idle) {
        std::int64_t sumNs = 0, beforeNs = 0;
        std::array<std::int64_t, kIdleReasons> byReason{};
        for (const IdleSpan& span : idle.spans) {
            EXPECT_GE(span.startNs, beforeNs) << "in order, and none overlaps another";
            EXPECT_LT(span.startNs, span.endNs);
            beforeNs = span.endNs;
            sumNs += span.endNs - span.startNs;
            byReason[static_cast<std::size_t>(span.reason)] += span.endNs - span.startNs;
            EXPECT_TRUE(explain(m_problem, m_plan, m_schedule, device, span).ends_with('.'));
            isIdle(device, span);
            reason(device, span);
        }
        EXPECT_LE(beforeNs, m_schedule.makespanNs);
        EXPECT_EQ(m_schedule.devices[device.index()].busyNs + sumNs, m_schedule.makespanNs);
        EXPECT_EQ(idle.ns, byReason);
    }

private:
    [[nodiscard]] const OpRun& run(OpId op) const { return m_schedule.ops[op.index()]; }

    void isIdle(DeviceId device, const IdleSpan& span) {
        for (std::size_t i = 0; i < m_schedule.ops.size(); ++i) {
            if (m_plan.device[i] == device) {
                EXPECT_TRUE(run(OpId(i)).endNs <= span.startNs || run(OpId(i)).startNs >= span.endNs);
            }
        }
    }

    void reason(DeviceId device, const IdleSpan& span) {
        std::int64_t readyNs = INT64_MAX; // the first op still to come
        for (std::size_t i = 0; i < m_schedule.ops.size(); ++i) {
            if (m_plan.device[i] == device && run(OpId(i)).startNs >= span.endNs)
                readyNs = std::min(readyNs, run(OpId(i)).readyNs);
        }
        if (span.reason == IdleReason::NothingLeft) {
            EXPECT_EQ(readyNs, INT64_MAX);
            EXPECT_EQ(span.endNs, m_schedule.makespanNs);
            return;
        }
        EXPECT_EQ(m_plan.device[span.op.index()], device);
        EXPECT_GE(run(span.op).startNs, span.endNs);
        if (span.reason == IdleReason::Send) {
            EXPECT_LE(run(span.op).readyNs, span.startNs);
            isBlocked(device, span);
        } else if (span.reason == IdleReason::Order) {
            EXPECT_EQ(m_plan.policy, QueuePolicy::Order);
            EXPECT_LE(run(span.op).readyNs, span.startNs);
            EXPECT_EQ(m_plan.device[span.by.index()], device);
            EXPECT_GE(run(span.by).readyNs, span.endNs);
            EXPECT_GT(m_plan.priority[span.by.index()], m_plan.priority[span.op.index()]);
        } else {
            EXPECT_GE(readyNs, span.endNs) << "there was nothing to run";
            input(device, span);
        }
    }

    void input(DeviceId device, const IdleSpan& span) {
        const Transfer& transfer = m_schedule.transfers[span.transfer];
        EXPECT_EQ(transfer.to, device);
        EXPECT_NE(transfer.from, device);
        EXPECT_EQ(run(transfer.producer).endNs, run(span.by).endNs);
        EXPECT_EQ(transfer.endNs, run(span.op).readyNs);
        if (span.reason == IdleReason::Input) {
            EXPECT_LE(span.endNs, transfer.readyNs);
        } else if (span.reason == IdleReason::Channel) {
            EXPECT_GE(span.startNs, transfer.readyNs);
            EXPECT_LE(span.endNs, transfer.startNs);
        } else {
            EXPECT_GE(span.startNs, transfer.startNs);
            EXPECT_LE(span.endNs, transfer.endNs);
        }
    }

    /// At every moment of the span, something is being sent from the device or waits to be.
    void isBlocked(DeviceId device, const IdleSpan& span) {
        EXPECT_TRUE(m_problem.cluster->blockingSend());
        std::vector<Transfer> sends;
        std::ranges::copy_if(m_schedule.transfers, std::back_inserter(sends),
                             [device](const Transfer& t) { return t.from == device && t.tensor.valid(); });
        std::ranges::sort(sends, {}, &Transfer::readyNs);
        std::int64_t untilNs = span.startNs;
        for (const Transfer& send : sends) {
            if (send.readyNs <= untilNs)
                untilNs = std::max(untilNs, send.endNs);
        }
        EXPECT_GE(untilNs, span.endNs);
        EXPECT_EQ(m_schedule.transfers[span.transfer].from, device);
    }

    const Problem& m_problem;
    const Plan& m_plan;
    const Schedule& m_schedule;
};

TEST(IdleTime, ByReasonAndBusyTimeAddUpToTheMakespan) {
    constexpr std::uint64_t kRounds = 400;
    std::array<std::size_t, kIdleReasons> seen{};
    for (std::uint64_t seed = 1; seed <= kRounds && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        Random random(seed);
        const auto graph = randomGraph(random, 1 + random.below(60), random.below(2) == 0);
        const Problem problem = makeTestProblem(graph, randomShape(random));
        const Plan plan = randomPlan(problem, random);
        const Schedule schedule = simulated(problem, plan);
        const auto idle = idleTimes(problem, plan, schedule);
        ASSERT_EQ(idle.size(), problem.cluster->deviceCount());
        for (std::size_t d = 0; d < idle.size(); ++d) {
            SCOPED_TRACE(fmt::format("device {}: {}", d, idleText(problem, idle[d])));
            IdleCheck(problem, plan, schedule).device(DeviceId(d), idle[d]);
            for (std::size_t reason = 0; reason < kIdleReasons; ++reason)
                seen[reason] += idle[d].ns[reason] > 0 ? 1 : 0;
        }
    }
    for (std::size_t reason = 0; reason < kIdleReasons; ++reason)
        EXPECT_GT(seen[reason], 0U) << "no random case has: " << toString(static_cast<IdleReason>(reason));
}

TEST(IdleTime, AddsUpWhereOpsTakeNoTime) {
    for (std::uint64_t seed = 1; seed <= 200 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        Random random(seed);
        TinyGraph g;
        for (int i = 0; i < 15; ++i) {
            std::vector<OpId> reads;
            for (int k = 0; k < i && k < 3; ++k) {
                if (random.below(2) == 0)
                    reads.emplace_back(random.below(static_cast<std::uint32_t>(i)));
            }
            std::ranges::sort(reads);
            reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
            g.op(fmt::format("op{}", i), random.below(2) * 10, reads, random.below(3) * 10);
        }
        ClusterShape shape = randomShape(random);
        shape.devices = 2;
        shape.kinds = {"K"};
        const Problem problem = makeTestProblem(g.build(), shape);
        const Plan plan = randomPlan(problem, random, false);
        const Schedule schedule = simulated(problem, plan);
        const auto idle = idleTimes(problem, plan, schedule);
        for (std::size_t d = 0; d < idle.size(); ++d)
            IdleCheck(problem, plan, schedule).device(DeviceId(d), idle[d]);
    }
}

} // namespace
} // namespace opscape::test
