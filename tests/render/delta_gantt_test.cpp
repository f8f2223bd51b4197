// SPDX-License-Identifier: MIT
// The delta Gantt against brute force: nanosecond by nanosecond, what runs where in both plans.
#include "picture_scene.h"

#include <opscape/base/random.h>

#include <render/compared_colours.h>
#include <render/delta_picture.h>
#include <render/memory_overlay.h>

#include <array>
#include <set>

namespace opscape {
namespace {

constexpr QSize kSize{760, 420};

/// Two random schedules of ops without edges on two devices, a few ns long; some ops of no length, some side by side
/// as the ops of a fused kernel are.
struct TwoSchedules {
    std::shared_ptr<const Graph> graph;
    Problem problem;
    std::array<Plan, 2> plan;
    std::array<Schedule, 2> schedule;

    explicit TwoSchedules(std::uint64_t seed, int ops = 24) {
        Random random(seed);
        GraphBuilder builder("two");
        for (int i = 0; i < ops; ++i) {
            Op op;
            op.name = fmt::format("op_{}", i);
            builder.addOp(std::move(op));
        }
        Diagnostics diagnostics;
        graph = std::make_shared<const Graph>(*std::move(builder).build(diagnostics));
        problem = makeProblem(graph, std::make_shared<const Cluster>(testCluster(2)), diagnostics);
        for (std::size_t side = 0; side < 2; ++side) {
            plan[side] = Plan::allOn(DeviceId(0), static_cast<std::size_t>(ops));
            std::array<std::int64_t, 2> now{};
            std::array<OpRun, 2> last{};
            schedule[side].devices.resize(2);
            for (std::size_t i = 0; i < static_cast<std::size_t>(ops); ++i) {
                const std::size_t d = random.below(2);
                plan[side].device[i] = DeviceId(d);
                if (random.below(5) > 0 || now[d] == 0) {
                    const std::int64_t start = now[d] + random.below(4);
                    last[d] = {start, start, start + random.below(9)};
                    now[d] = last[d].endNs;
                }
                schedule[side].ops.push_back(last[d]);
                schedule[side].makespanNs = std::max(schedule[side].makespanNs, now[d]);
            }
        }
    }
    [[nodiscard]] DeltaGantt delta() const {
        return {{&problem, &plan[0], &schedule[0]}, {&problem, &plan[1], &schedule[1]}};
    }
    /// The ops that run on a device at the moment after `ns`.
    [[nodiscard]] std::set<std::size_t> running(std::size_t side, std::size_t device, std::int64_t ns) const {
        std::set<std::size_t> ops;
        for (std::size_t i = 0; i < schedule[side].ops.size(); ++i) {
            const OpRun& run = schedule[side].ops[i];
            if (plan[side].device[i].index() == device && run.startNs <= ns && ns < run.endNs)
                ops.insert(i);
        }
        return ops;
    }
    /// -1 where both idle, else a DeltaGantt::Ran.
    [[nodiscard]] int ranAt(std::size_t device, std::int64_t ns) const {
        const auto a = running(0, device, ns), b = running(1, device, ns);
        if (a.empty() && b.empty())
            return -1;
        if (a.empty() || b.empty())
            return static_cast<int>(b.empty() ? DeltaGantt::Ran::OnlyA : DeltaGantt::Ran::OnlyB);
        const bool same = std::ranges::any_of(a, [&b](std::size_t op) { return b.contains(op); });
        return static_cast<int>(same ? DeltaGantt::Ran::Same : DeltaGantt::Ran::Both);
    }
};

class DeltaGanttTest : public testing::TestWithParam<std::uint64_t> {
protected:
    TwoSchedules m_two{GetParam()};
    DeltaGantt m_delta = m_two.delta();
};

INSTANTIATE_TEST_SUITE_P(Seeds, DeltaGanttTest, testing::Range<std::uint64_t>(1, 25));

TEST_P(DeltaGanttTest, SpansSayWhatRunsAtEveryNanosecond) {
    ASSERT_EQ(m_delta.lanes().size(), 2U);
    for (std::size_t d = 0; d < 2; ++d) {
        const auto& lane = m_delta.lanes()[d];
        std::vector<int> said(static_cast<std::size_t>(m_delta.endNs()), -1);
        std::int64_t before = 0;
        for (const DeltaGantt::Span& span : lane.spans) {
            EXPECT_LE(before, span.startNs) << "spans lie one after another";
            EXPECT_LT(span.startNs, span.endNs);
            before = span.endNs;
            for (std::int64_t ns = span.startNs; ns < span.endNs; ++ns)
                said[static_cast<std::size_t>(ns)] = static_cast<int>(span.ran);
        }
        std::array<std::int64_t, DeltaGantt::kRanKinds> sums{};
        for (std::int64_t ns = 0; ns < m_delta.endNs(); ++ns) {
            const int ran = m_two.ranAt(d, ns);
            EXPECT_EQ(said[static_cast<std::size_t>(ns)], ran) << "device " << d << " at " << ns;
            if (ran >= 0)
                ++sums[static_cast<std::size_t>(ran)];
        }
        EXPECT_EQ(lane.ns, sums);
    }
}

TEST_P(DeltaGanttTest, ColumnsShowTheShareOfEachKind) {
    for (const double nsPerColumn : {0.5, 1.0, 3.7, 16.0}) {
        for (std::size_t d = 0; d < 2; ++d) {
            const std::size_t columns = 40;
            const double start = 3.25;
            const auto shares = spanColumns(m_delta.lanes()[d].spans, start, nsPerColumn, columns);
            for (std::size_t c = 0; c < columns; ++c) {
                const double left = start + static_cast<double>(c) * nsPerColumn, right = left + nsPerColumn;
                RanShares expected{};
                for (auto ns = static_cast<std::int64_t>(left); static_cast<double>(ns) < right; ++ns) {
                    const auto part = static_cast<float>(
                        (std::min(right, static_cast<double>(ns + 1)) - std::max(left, static_cast<double>(ns))) /
                        nsPerColumn);
                    if (const int ran = m_two.ranAt(d, ns); ran >= 0)
                        expected[static_cast<std::size_t>(ran)] += part;
                }
                for (std::size_t kind = 0; kind < expected.size(); ++kind)
                    EXPECT_NEAR(shares[c][kind], expected[kind], 1e-5) << "column " << c << " of " << nsPerColumn;
            }
        }
    }
}

TEST_P(DeltaGanttTest, ColumnsOfBarsShowHowBusyTheyAreAndTheShiftOfMost) {
    for (const double nsPerColumn : {1.0, 4.0, 13.0}) {
        for (const bool inA : {true, false}) {
            const auto& lane = m_delta.lanes()[1];
            const std::size_t columns = 30;
            const auto merged = shiftColumns(inA ? lane.barsA : lane.barsB, 0, nsPerColumn, columns, 1e9);
            for (std::size_t c = 0; c < columns; ++c) {
                double busy = 0;
                std::set<DeltaGantt::Shift> shifts;
                const auto from = static_cast<std::int64_t>(static_cast<double>(c) * nsPerColumn);
                for (std::int64_t ns = from; static_cast<double>(ns - from) < nsPerColumn; ++ns) {
                    const auto ops = m_two.running(inA ? 0 : 1, 1, ns);
                    busy += ops.empty() ? 0 : 1 / nsPerColumn;
                    for (const std::size_t op : ops)
                        shifts.insert(m_delta.shiftOf(OpId(op)));
                }
                EXPECT_NEAR(merged[c].busy, busy, 1e-9) << c;
                EXPECT_TRUE(shifts.empty() || shifts.contains(merged[c].shift)) << c;
            }
        }
    }
}

TEST_P(DeltaGanttTest, ShiftsAreThoseOfTheStarts) {
    for (std::size_t i = 0; i < m_two.schedule[0].ops.size(); ++i) {
        const std::int64_t by = m_two.schedule[1].ops[i].startNs - m_two.schedule[0].ops[i].startNs;
        EXPECT_EQ(m_delta.shiftNs(OpId(i)), by);
        using Shift = DeltaGantt::Shift;
        const Shift shift = m_delta.shiftOf(OpId(i));
        if (m_two.plan[0].device[i] != m_two.plan[1].device[i]) {
            EXPECT_EQ(shift, Shift::Elsewhere);
        } else if (by == 0) {
            EXPECT_EQ(shift, Shift::None);
        } else {
            EXPECT_EQ(shift == Shift::Earlier || shift == Shift::MuchEarlier, by < 0);
        }
    }
}

TEST_P(DeltaGanttTest, ThePictureSaysWhatTheSpansSay) {
    for (const bool dark : {false, true}) {
        const Theme theme = dark ? Theme::darkTheme() : Theme::light();
        DeltaView view;
        view.colourA = planColour(theme, 0);
        view.colourB = planColour(theme, 1);
        QImage image(kSize, QImage::Format_RGB32);
        image.fill(theme.background);
        GanttCamera camera = GanttCamera::fit(m_delta.endNs(), kSize.width());
        {
            QPainter painter(&image);
            paintDelta(painter, kSize, camera, m_delta, view, theme);
        }
        for (std::size_t d = 0; d < 2; ++d) {
            const auto& lane = m_delta.lanes()[d];
            for (std::int64_t ns = 0; ns < m_delta.endNs(); ++ns) {
                const bool isEnd = ns == m_two.schedule[0].makespanNs || ns == m_two.schedule[1].makespanNs;
                const QPoint at(static_cast<int>(camera.toX(static_cast<double>(ns) + 0.5)),
                                static_cast<int>(kDeltaTop + lane.top + 9));
                const QRgb pixel = image.pixel(at);
                const int ran = m_two.ranAt(d, ns);
                if (isEnd)
                    continue; // the dashed line of an end may lie there
                if (ran == static_cast<int>(DeltaGantt::Ran::OnlyA)) {
                    EXPECT_EQ(pixel, view.colourA.rgb()) << ns;
                } else if (ran == static_cast<int>(DeltaGantt::Ran::OnlyB)) {
                    EXPECT_EQ(pixel, view.colourB.rgb()) << ns;
                } else {
                    EXPECT_TRUE(pixel != view.colourA.rgb() && pixel != view.colourB.rgb()) << ns;
                }
            }
        }
    }
}

TEST_P(DeltaGanttTest, WhatLiesUnderThePointerIsTheOpThatRunsThere) {
    const GanttCamera camera = GanttCamera::fit(m_delta.endNs(), kSize.width());
    for (std::size_t d = 0; d < 2; ++d) {
        const auto& lane = m_delta.lanes()[d];
        for (std::int64_t ns = 0; ns < m_delta.endNs(); ++ns) {
            for (const int row : {0, 1, 2}) {
                const double y = kDeltaTop + lane.top + std::array{9.0, 27.0, 45.0}[static_cast<std::size_t>(row)];
                const DeltaHit hit = deltaHit(m_delta, camera, {camera.toX(static_cast<double>(ns) + 0.5), y});
                EXPECT_EQ(hit.lane, static_cast<int>(d));
                EXPECT_EQ(hit.row, row);
                if (row == 0)
                    continue;
                const auto ops = m_two.running(row == 1 ? 0 : 1, d, ns);
                const auto& bars = row == 1 ? lane.barsA : lane.barsB;
                if (!ops.empty()) {
                    ASSERT_GE(hit.bar, 0);
                    EXPECT_TRUE(ops.contains(bars[static_cast<std::size_t>(hit.bar)].op));
                }
            }
        }
    }
}

TEST(DeltaGanttLanes, DevicesOfOneNameShareALaneAndOthersHaveTheirOwn) {
    TwoSchedules two(5);
    Diagnostics diagnostics;
    const Problem wide = makeProblem(two.graph, std::make_shared<const Cluster>(testCluster(3)), diagnostics);
    const DeltaGantt delta({&two.problem, &two.plan[0], &two.schedule[0]}, {&wide, &two.plan[1], &two.schedule[1]});
    ASSERT_EQ(delta.lanes().size(), 3U);
    EXPECT_TRUE(delta.lanes()[0].a.valid() && delta.lanes()[0].b.valid());
    EXPECT_FALSE(delta.lanes()[2].a.valid());
    EXPECT_EQ(delta.lanes()[2].label, "gpu:2");
}

TEST(MemoryOverlayTest, ACurveIsDrawnAtTheBytesInUse) {
    TwoSchedules two(7);
    std::array<Schedule, 2> schedules = two.schedule;
    Random random(9);
    for (Schedule& schedule : schedules) {
        schedule.makespanNs = 100;
        for (DeviceReport& device : schedule.devices) {
            for (std::int64_t ns = 0; ns < 100; ns += 10) {
                device.memory.push_back({ns, 1000 + random.below(9000)});
                device.peakBytes = std::max(device.peakBytes, device.memory.back().bytes);
            }
        }
    }
    const MemoryOverlay overlay({&two.problem, &two.problem}, {&schedules[0], &schedules[1]});
    ASSERT_EQ(overlay.lanes().size(), 2U);
    ASSERT_EQ(overlay.lanes()[0].curves.size(), 2U);
    const Theme theme = Theme::light();
    QImage image(kSize, QImage::Format_RGB32);
    image.fill(theme.background);
    const GanttCamera camera = GanttCamera::fit(overlay.endNs(), kSize.width());
    {
        QPainter painter(&image);
        paintMemory(painter, kSize, camera, overlay, {"one", "two"}, theme);
    }
    for (const MemoryOverlay::Lane& lane : overlay.lanes()) {
        const MemoryOverlay::Curve& first = lane.curves.front(); // drawn as a whole line
        for (std::int64_t ns = 5; ns < 100; ns += 10) {
            const std::int64_t bytes = first.report->memory[static_cast<std::size_t>(ns / 10)].bytes;
            EXPECT_EQ(bytesAt(*first.report, static_cast<double>(ns)), bytes);
            const double y =
                kMemoryTop + lane.y + lane.height * (1 - static_cast<double>(bytes) / static_cast<double>(lane.top));
            bool found = false;
            for (int dy = -2; dy <= 2; ++dy) {
                const QColor pixel =
                    image.pixelColor(static_cast<int>(camera.toX(static_cast<double>(ns))), static_cast<int>(y) + dy);
                const QColor line = planColour(theme, 0);
                found = found || std::abs(pixel.red() - line.red()) + std::abs(pixel.green() - line.green()) +
                                         std::abs(pixel.blue() - line.blue()) <
                                     120;
            }
            EXPECT_TRUE(found || lane.curves[1].report->memory[static_cast<std::size_t>(ns / 10)].bytes == bytes)
                << ns << " ns, " << bytes << " bytes";
        }
    }
}

} // namespace
} // namespace opscape
