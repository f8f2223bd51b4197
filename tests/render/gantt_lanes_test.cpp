// SPDX-License-Identifier: MIT
// Lanes as a person arranges them, bars that overlap, fused groups, and what is counted in a range of time.
#include "picture_scene.h"

#include <opscape/base/random.h>
#include <opscape/sim/simulator.h>

#include <gtest/gtest.h>
#include <render/gantt_statistics.h>

namespace opscape {
namespace {

std::vector<std::string> shownKeys(const GanttData& data, const LaneStack& stack) {
    std::vector<std::string> keys;
    for (const LaneStack::Slot& slot : stack.inOrder()) {
        if (slot.isShown)
            keys.push_back(data.lanes()[static_cast<std::size_t>(slot.lane)].key);
    }
    return keys;
}

class GanttLanes : public testing::Test {
protected:
    PictureScene m_scene;
    Schedule m_schedule = m_scene.schedule();
    GanttData m_data{m_scene.problem, m_scene.plan, m_schedule};
};

TEST_F(GanttLanes, AreOrderedHiddenAndPinnedAsChosen) {
    EXPECT_EQ(shownKeys(m_data, LaneStack(m_data)),
              (std::vector<std::string>{"device gpu:0", "device gpu:1", "device gpu:2", "channel bus"}));
    LaneChoice choice;
    choice.order = {"channel bus", "device gpu:2", "device gpu:0", "device gpu:1"};
    choice.hidden = {"device gpu:0"};
    choice.pinned = {"device gpu:1"};
    const LaneStack stack(m_data, choice);
    EXPECT_EQ(shownKeys(m_data, stack), (std::vector<std::string>{"channel bus", "device gpu:2", "device gpu:1"}));
    EXPECT_EQ(stack.shownCount(), 3U);
    const LaneStack::Slot& pinned = stack.slotOf(1);
    EXPECT_TRUE(pinned.isPinned);
    for (const double scroll : {0.0, 40.0}) {
        EXPECT_EQ(stack.laneAt(stack.yOf(pinned, scroll) + 1, scroll), 1) << "it stays at the top";
        EXPECT_GE(stack.yOf(stack.slotOf(2), 0), kGanttAxisHeight + stack.pinnedHeight());
    }
    EXPECT_EQ(stack.laneAt(stack.yOf(stack.slotOf(2), 0) + 1, 0), 2);
    EXPECT_LT(stack.height(), LaneStack(m_data).height());
}

TEST_F(GanttLanes, OnesThatNobodyMovedStayBehindTheirNeighbour) {
    LaneChoice choice;
    choice.order = {"device gpu:2", "device gpu:0"};
    const std::vector<int> order = orderedLanes(m_data, choice);
    EXPECT_EQ(order, (std::vector<int>{2, 3, 0, 1}));
    choice.order = {"device of another cluster"};
    EXPECT_EQ(orderedLanes(m_data, choice), (std::vector<int>{0, 1, 2, 3}));
}

TEST_F(GanttLanes, AChannelThatCarriesNothingIsShownOnlyWhenWanted) {
    Schedule quiet = m_schedule;
    quiet.transfers.clear();
    const GanttData data(m_scene.problem, m_scene.plan, quiet);
    EXPECT_EQ(LaneStack(data).shownCount(), 3U);
    LaneChoice choice;
    choice.wanted = {"channel bus"};
    EXPECT_EQ(LaneStack(data, choice).shownCount(), 4U);
}

TEST_F(GanttLanes, BarsThatOverlapHaveRowsOfTheirOwn) {
    Schedule crowded = m_schedule;
    crowded.transfers.clear();
    Random random(4);
    for (int i = 0; i < 300; ++i) {
        Transfer transfer = m_schedule.transfers[0];
        transfer.startNs = random.below(150'000);
        transfer.endNs = transfer.startNs + 1 + random.below(2'000);
        crowded.transfers.push_back(transfer);
    }
    const GanttData data(m_scene.problem, m_scene.plan, crowded);
    const GanttData::Lane& lane = data.lanes()[3];
    EXPECT_GT(lane.rows.size(), 1U);
    EXPECT_LE(lane.rows.size(), GanttData::kMostRows);
    for (std::size_t r = 0; r < lane.rows.size(); ++r) {
        std::int64_t until = 0;
        for (const GanttData::Span& span : lane.rows[r].spans) {
            EXPECT_GE(span.startNs, until);
            until = span.endNs;
        }
        if (r + 1 == GanttData::kMostRows)
            continue; // the rest shares it
        for (const GanttData::Bar& a : lane.bars) {
            for (const GanttData::Bar& b : lane.bars) {
                if (&a != &b && a.row == r && b.row == r) {
                    EXPECT_FALSE(a.startNs < b.endNs && b.startNs < a.endNs);
                }
            }
        }
    }
    // What is busy at all is counted once.
    std::vector<std::uint8_t> busy(160'000);
    for (const Transfer& transfer : crowded.transfers)
        std::fill(busy.begin() + transfer.startNs, busy.begin() + transfer.endNs, std::uint8_t{1});
    for (int round = 0; round < 50; ++round) {
        const std::int64_t from = random.below(100'000), to = from + random.below(50'000);
        EXPECT_EQ(lane.busyNs(from, to), std::count(busy.begin() + from, busy.begin() + to, 1));
    }
}

TEST_F(GanttLanes, AFusedGroupIsOneBarWithItsPartsInside) {
    Plan plan = Plan::allOn(DeviceId(0), 4);
    plan.fusionGroup = {Plan::kNotFused, 7, 7, 7};
    const Schedule schedule = *simulate(m_scene.problem, plan);
    const GanttData data(m_scene.problem, plan, schedule);
    const GanttData::Lane& lane = data.lanes()[0];
    ASSERT_EQ(lane.bars.size(), 2U);
    EXPECT_TRUE(data.isFused(lane.bars[1]));
    EXPECT_EQ(data.opsOf(lane.bars[1]).size(), 3U);
    for (const std::size_t op : {1, 2, 3})
        EXPECT_EQ(data.barOf(OpId(op)).bar, 1U) << "the bar of each is that of the group";
    ASSERT_EQ(lane.rows[0].spans.size(), 4U);
    EXPECT_EQ(lane.rows[0].spans.front().endNs, lane.rows[0].spans[1].startNs);
    EXPECT_EQ(lane.rows[0].spans.back().endNs, lane.bars[1].endNs) << "the parts fill it";
    const auto length = [&](std::size_t i) {
        return static_cast<double>(lane.rows[0].spans[i].endNs - lane.rows[0].spans[i].startNs);
    };
    EXPECT_NEAR(length(2) / length(1), 1.5, 0.01) << "each as long as its work: 30 us to 20 us";
}

TEST_F(GanttLanes, StatisticsAgreeWithCountingByHand) {
    const TimeRange range{5'000, 100'000};
    const RangeStatistics found = rangeStatistics(m_data, range);
    ASSERT_EQ(found.lanes.size(), 4U);
    std::int64_t opNs = 0;
    std::size_t ops = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const OpRun& run = m_schedule.ops[i];
        const auto part =
            std::max<std::int64_t>(0, std::min(run.endNs, range.toNs) - std::max(run.startNs, range.fromNs));
        opNs += part;
        ops += part > 0 ? 1 : 0;
    }
    EXPECT_EQ(found.opNs, opNs);
    EXPECT_EQ(found.opCount, ops);
    EXPECT_EQ(found.lanes[0].busyNs, 25'000) << "op a from 5 us on, then b";
    EXPECT_EQ(found.lanes[0].idleNs, 70'000);
    EXPECT_EQ(found.lanes[0].bars, 2U);
    EXPECT_EQ(found.lanes[3].busyNs, 50'000) << "the first transfer, from 30 to 80 us";
    EXPECT_EQ(found.lanes[3].bytes, 1 << 20);
    ASSERT_EQ(found.ops.size(), 3U);
    EXPECT_EQ(found.ops[0].op, OpId(1));
    EXPECT_EQ(rangeStatistics(m_data, range, 1).ops.size(), 1U);
    const RangeStatistics half = rangeStatistics(m_data, {30'000, 55'000});
    EXPECT_EQ(half.lanes[3].bytes, 1 << 19) << "half of the transfer's time, half of its bytes";
    const RangeStatistics all = rangeStatistics(m_data, {0, m_schedule.makespanNs});
    for (std::size_t d = 0; d < 3; ++d)
        EXPECT_EQ(all.lanes[d].busyNs, m_schedule.devices[d].busyNs);
}

TEST_F(GanttLanes, TransfersAreFoundFromBothEnds) {
    ASSERT_EQ(m_schedule.transfers.size(), 2U);
    EXPECT_EQ(m_data.sentBy(OpId(1)).size(), 1U);
    EXPECT_EQ(m_data.sentBy(OpId(0)).size(), 0U);
    EXPECT_EQ(m_data.receivedFor(OpId(2)), std::vector<std::uint32_t>{0});
    EXPECT_EQ(m_data.receivedFor(OpId(3)), std::vector<std::uint32_t>{1});
    EXPECT_EQ(m_data.barOfTransfer(1).lane, 3U);
    EXPECT_EQ(m_data.bar(m_data.barOfTransfer(1)).index, 1U);
}

TEST_F(GanttLanes, ArrowsLeadToTheSelectedOpAndFromIt) {
    const std::vector<OpId> selected{OpId(2)};
    GanttView view;
    const GanttCamera camera = GanttCamera::fit(m_schedule.makespanNs, 900);
    const QImage plain = drawGantt(m_data, view, camera, {900, 220}, Theme::light());
    view.selected = &selected;
    const QImage image = drawGantt(m_data, view, camera, {900, 220}, Theme::light());
    const QRectF all(140, 30, 760, 190);
    EXPECT_EQ(shareOf(plain, all, Theme::light().inputHighlight), 0);
    EXPECT_GT(shareOf(image, all, Theme::light().inputHighlight), 0);
    EXPECT_GT(shareOf(image, all, Theme::light().outputHighlight), 0);
}

TEST_F(GanttLanes, RangeRulerMarksAndFoundOpsAreDrawn) {
    const GanttCamera camera = GanttCamera::fit(m_schedule.makespanNs, 900);
    GanttView view;
    view.ruler = TimeRange{10'000, 60'000};
    const QRectF all(140, 30, 760, 190);
    EXPECT_GT(shareOf(drawGantt(m_data, view, camera, {900, 220}, Theme::light()), all, Theme::light().inputHighlight),
              0);
    view.ruler.reset();
    const std::vector<TimeMark> marks{{40'000, "here"}};
    view.marks = marks;
    EXPECT_GT(shareOf(drawGantt(m_data, view, camera, {900, 220}, Theme::light()), all, Theme::light().outputHighlight),
              0);
    view.marks = {};
    const std::vector<std::uint8_t> found{0, 0, 1, 0};
    view.found = &found;
    const QImage image = drawGantt(m_data, view, camera, {900, 220}, Theme::light());
    const LaneStack stack(m_data);
    for (int l = 0; l < 4; ++l) {
        const LaneStack::Slot& slot = stack.slotOf(l);
        const QRectF box(140, stack.yOf(slot, 0) - 2, 760, 4);
        EXPECT_EQ(shareOf(image, box, Theme::light().inputHighlight) > 0, l == 1 || l == 3)
            << "its own bar and that of what it sends, lane " << l;
    }
}

} // namespace
} // namespace opscape
