// SPDX-License-Identifier: MIT
#include "picture_scene.h"

#include <opscape/base/random.h>

namespace opscape {
namespace {

constexpr QSize kSize{900, 400};

class GanttPicture : public testing::TestWithParam<bool> {
protected:
    PictureScene m_picture;
    Schedule m_schedule = m_picture.schedule();
    Theme m_theme = GetParam() ? Theme::darkTheme() : Theme::light();

    static QPoint point(const GanttData& data, const GanttCamera& camera, int lane, double ns) {
        const QRectF box = boxOf(data, lane);
        return {static_cast<int>(camera.toX(ns)), static_cast<int>(box.top() + box.height() * 0.15 - camera.scrollY)};
    }
    /// Where a lane lies before scrolling, over the whole width.
    static QRectF boxOf(const GanttData& data, int lane) {
        const LaneStack stack(data);
        const LaneStack::Slot& slot = stack.slotOf(lane);
        return {0, stack.yOf(slot, 0), static_cast<double>(kSize.width()), slot.height};
    }
    static GanttHit hitAt(const GanttData& data, const GanttCamera& camera, QPointF at) {
        return ganttHit(data, LaneStack(data), camera, at);
    }
};

INSTANTIATE_TEST_SUITE_P(Themes, GanttPicture, testing::Bool(),
                         [](const auto& test) { return test.param ? "dark" : "light"; });

TEST_P(GanttPicture, LanesAreDevicesThenChannelsThatCarryAnything) {
    const GanttData data(m_picture.problem, m_picture.plan, m_schedule);
    ASSERT_EQ(data.lanes().size(), 4U);
    EXPECT_EQ(data.lanes()[0].label, "gpu:0");
    EXPECT_EQ(data.lanes()[3].kind, GanttData::LaneKind::Channel);
    EXPECT_EQ(data.lanes()[3].label, "bus");
    EXPECT_EQ(data.lanes()[0].bars.size(), 2U);
    EXPECT_EQ(data.lanes()[3].bars.size(), 2U);
    EXPECT_EQ(data.laneOf(GanttData::LaneKind::Device, 2), 2);
    EXPECT_EQ(data.laneOf(GanttData::LaneKind::Channel, 7), -1);
    EXPECT_EQ(data.nameOf(data.lanes()[3], data.lanes()[3].bars[0]), "enc/b:0");
    for (int i = 1; i < 4; ++i)
        EXPECT_GE(boxOf(data, i).top(), boxOf(data, i - 1).bottom());
}

TEST_P(GanttPicture, ABarLiesWhereItsOpRunsInItsDevicesColour) {
    const GanttData data(m_picture.problem, m_picture.plan, m_schedule);
    const GanttCamera camera = GanttCamera::fit(m_schedule.makespanNs, kSize.width());
    const QImage image = drawGantt(data, {}, camera, kSize, m_theme);
    for (std::size_t i = 0; i < 4; ++i) {
        const auto device = m_picture.plan.device[i];
        const OpRun& run = m_schedule.ops[i];
        const double quarter = static_cast<double>(run.endNs - run.startNs) / 4;
        const int lane = static_cast<int>(device.index());
        EXPECT_EQ(image.pixel(point(data, camera, lane, static_cast<double>(run.startNs) + quarter)),
                  m_theme.device(device).rgb());
        EXPECT_EQ(image.pixel(point(data, camera, lane, static_cast<double>(run.endNs) - quarter)),
                  m_theme.device(device).rgb());
    }
    // idle before its first op, and the transfer in its producer's colour
    EXPECT_EQ(image.pixel(point(data, camera, 2, 5'000)), m_theme.frameFill.rgb());
    EXPECT_EQ(image.pixel(point(data, camera, 3, static_cast<double>(m_schedule.transfers[1].startNs) + 20'000)),
              m_theme.device(DeviceId(1)).rgb());
}

TEST_P(GanttPicture, ZoomedInTheBarIsStillWhereItShouldBe) {
    const GanttData data(m_picture.problem, m_picture.plan, m_schedule);
    GanttCamera camera = GanttCamera::fit(m_schedule.makespanNs, kSize.width());
    camera.nsPerPixel = 0.01;
    camera.startNs = static_cast<double>(m_schedule.ops[3].startNs) - 3; // 300 pixels before it begins
    const QImage image = drawGantt(data, {}, camera, kSize, m_theme);
    EXPECT_EQ(image.pixel(point(data, camera, 2, camera.startNs + 1)), m_theme.frameFill.rgb());
    EXPECT_EQ(image.pixel(point(data, camera, 2, camera.startNs + 4)), m_theme.device(DeviceId(2)).rgb());
}

/// One op lane of many short ops; what is drawn is compared with what runs, pixel column by pixel column.
struct DenseLane {
    std::shared_ptr<const Graph> graph;
    Problem problem;
    Plan plan;
    Schedule schedule;

    DenseLane(std::uint64_t seed, int ops, double load) {
        Random random(seed);
        GraphBuilder builder("dense");
        for (int i = 0; i < ops; ++i) {
            Op op;
            op.name = fmt::format("op_{}", i);
            builder.addOp(std::move(op));
        }
        Diagnostics diagnostics;
        graph = std::make_shared<const Graph>(*std::move(builder).build(diagnostics));
        problem = makeProblem(graph, std::make_shared<const Cluster>(testCluster(1)), diagnostics);
        plan = Plan::allOn(DeviceId(0), static_cast<std::size_t>(ops));
        std::int64_t now = 0;
        for (int i = 0; i < ops; ++i) {
            const auto busy = 1 + static_cast<std::int64_t>(random.below(100) * load);
            now += static_cast<std::int64_t>(random.below(100) * (1 - load) * (i / 500 % 3));
            schedule.ops.push_back({now, now, now + busy});
            now += busy;
        }
        schedule.makespanNs = now;
        schedule.devices.resize(1);
        schedule.channels.resize(1);
    }
};

TEST_P(GanttPicture, AColumnOverManyBarsShowsTheShareOfBusyTime) {
    for (const double load : {0.2, 0.6, 0.95}) {
        const DenseLane dense(3, 20'000, load);
        const GanttData data(dense.problem, dense.plan, dense.schedule);
        const GanttCamera camera = GanttCamera::fit(dense.schedule.makespanNs, kSize.width());
        const QImage image = drawGantt(data, {}, camera, kSize, m_theme);
        const double columns = static_cast<double>(dense.schedule.makespanNs) / camera.nsPerPixel;
        ASSERT_GT(columns, 500);
        for (int c = 0; c < static_cast<int>(columns) - 1; ++c) {
            const double left = c * camera.nsPerPixel, right = left + camera.nsPerPixel;
            double busy = 0;
            for (const OpRun& run : dense.schedule.ops)
                busy += std::max(0.0, std::min(right, static_cast<double>(run.endNs)) -
                                          std::max(left, static_cast<double>(run.startNs)));
            const double share = busy / camera.nsPerPixel;
            const QColor expected = share <= 0
                                        ? m_theme.frameFill
                                        : Theme::mix(m_theme.device(DeviceId(0)), m_theme.frameFill, 0.2 + 0.8 * share);
            const QColor found(image.pixel(static_cast<int>(camera.labelWidth) + c, point(data, camera, 0, 0).y()));
            ASSERT_NEAR(found.red(), expected.red(), 1) << "column " << c << " load " << load;
            ASSERT_NEAR(found.green(), expected.green(), 1) << "column " << c;
            ASSERT_NEAR(found.blue(), expected.blue(), 1) << "column " << c;
        }
    }
}

TEST_P(GanttPicture, ZoomingNeverShowsABarThatIsNotThere) {
    const DenseLane dense(4, 3'000, 0.1);
    const GanttData data(dense.problem, dense.plan, dense.schedule);
    for (double zoom = 1; zoom < 3000; zoom *= 2.7) {
        GanttCamera camera = GanttCamera::fit(dense.schedule.makespanNs, kSize.width());
        camera.nsPerPixel /= zoom;
        camera.startNs = static_cast<double>(dense.schedule.makespanNs) * 0.4;
        const QImage image = drawGantt(data, {}, camera, kSize, m_theme);
        for (int x = static_cast<int>(camera.labelWidth) + 1; x < kSize.width(); ++x) {
            const double left = camera.toNs(x - 1), right = camera.toNs(x + 2); // an edge may be smoothed over a pixel
            bool any = right >= static_cast<double>(dense.schedule.makespanNs);
            for (const OpRun& run : dense.schedule.ops)
                any = any || (static_cast<double>(run.startNs) < right && static_cast<double>(run.endNs) > left);
            if (!any) {
                ASSERT_EQ(image.pixel(x, point(data, camera, 0, 0).y()), m_theme.frameFill.rgb())
                    << "x " << x << " zoom " << zoom;
            }
        }
    }
}

TEST_P(GanttPicture, TheCapacityLineIsThereOnlyWhenItMatters) {
    // the test cluster has 1,000,000 bytes per device
    for (const std::int64_t peak : {100'000, 900'000}) {
        Schedule schedule = m_schedule;
        schedule.devices[0].peakBytes = peak;
        schedule.devices[0].memory = {{0, peak / 2}, {50'000, peak}, {100'000, 0}};
        const GanttData data(m_picture.problem, m_picture.plan, schedule);
        ASSERT_EQ(data.lanes()[1].kind, GanttData::LaneKind::Memory);
        const QImage image = drawGantt(data, {}, GanttCamera::fit(schedule.makespanNs, kSize.width()), kSize, m_theme);
        const QRectF lane = boxOf(data, 1);
        const QRectF box(200, lane.top(), 650, lane.height());
        EXPECT_EQ(shareOf(image, box, m_theme.capacity) > 0, peak > 500'000) << peak;
    }
}

TEST_P(GanttPicture, MemoryAboveTheCapacityIsMarked) {
    Schedule schedule = m_schedule;
    schedule.devices[0].peakBytes = 2'000'000;
    schedule.devices[0].overBytes = 1'000'000;
    schedule.devices[0].memory = {{0, 0}, {50'000, 2'000'000}, {100'000, 0}};
    const GanttData data(m_picture.problem, m_picture.plan, schedule);
    const GanttCamera camera = GanttCamera::fit(schedule.makespanNs, kSize.width());
    const QImage image = drawGantt(data, {}, camera, kSize, m_theme);
    const QRectF lane = boxOf(data, 1);
    const QPoint inside(static_cast<int>(camera.toX(75'000.0)), static_cast<int>(lane.top() + lane.height() * 0.25));
    EXPECT_EQ(image.pixel(inside), m_theme.capacity.rgb());
    const QPoint after(static_cast<int>(camera.toX(150'000.0)), inside.y());
    EXPECT_NE(image.pixel(after), m_theme.capacity.rgb());
}

TEST_P(GanttPicture, SelectedOpsAndTheirTransfersAreOutlined) {
    const GanttData data(m_picture.problem, m_picture.plan, m_schedule);
    const GanttCamera camera = GanttCamera::fit(m_schedule.makespanNs, kSize.width());
    const std::vector<OpId> selected{OpId(1)};
    GanttView view;
    view.selected = &selected;
    const QImage image = drawGantt(data, view, camera, kSize, m_theme);
    const auto lane = [&](int i) { return boxOf(data, i); };
    EXPECT_GT(shareOf(image, lane(0).adjusted(150, 0, 0, 0), m_theme.selection), 0);
    EXPECT_GT(shareOf(image, lane(3), m_theme.outputHighlight), 0);
    EXPECT_EQ(shareOf(image, lane(1).adjusted(150, 0, 0, 0), m_theme.selection), 0) << "the reader is not selected";
}

TEST_P(GanttPicture, TheCriticalPathIsDrawnOverTheBars) {
    const GanttData data(m_picture.problem, m_picture.plan, m_schedule);
    const GanttCamera camera = GanttCamera::fit(m_schedule.makespanNs, kSize.width());
    CriticalSegment op;
    op.op = OpId(0);
    op.device = DeviceId(0);
    op.endNs = 10'000;
    CriticalSegment transfer;
    transfer.kind = CriticalSegment::Kind::Transfer;
    transfer.startNs = m_schedule.transfers[0].startNs;
    transfer.endNs = m_schedule.transfers[0].endNs;
    const std::vector<CriticalSegment> critical{op, transfer};
    GanttView view;
    view.critical = &critical;
    const QImage image = drawGantt(data, view, camera, kSize, m_theme);
    EXPECT_EQ(image.pixel(static_cast<int>(camera.toX(5'000.0)), static_cast<int>(boxOf(data, 0).bottom() - 2)),
              m_theme.critical.rgb());
    EXPECT_EQ(image.pixel(static_cast<int>(camera.toX(static_cast<double>(transfer.startNs) + 25'000)),
                          static_cast<int>(boxOf(data, 3).bottom() - 2)),
              m_theme.critical.rgb());
}

TEST_P(GanttPicture, EveryBarIsHitAtItsMiddleAndIdleTimeIsNot) {
    const GanttData data(m_picture.problem, m_picture.plan, m_schedule);
    for (const double scroll : {0.0, 20.0}) {
        GanttCamera camera = GanttCamera::fit(m_schedule.makespanNs, kSize.width());
        camera.scrollY = scroll;
        for (std::size_t l = scroll > 0 ? 1 : 0; l < data.lanes().size(); ++l) {
            const GanttData::Lane& lane = data.lanes()[l];
            for (std::size_t b = 0; b < lane.bars.size(); ++b) {
                const double middle = static_cast<double>(lane.bars[b].startNs + lane.bars[b].endNs) / 2;
                const GanttHit hit = hitAt(data, camera, point(data, camera, static_cast<int>(l), middle));
                EXPECT_EQ(hit.lane, static_cast<int>(l));
                EXPECT_EQ(hit.bar, static_cast<int>(b));
            }
        }
        EXPECT_EQ(hitAt(data, camera, point(data, camera, 2, 20'000)).bar, -1);
        EXPECT_EQ(hitAt(data, camera, point(data, camera, 2, 20'000)).lane, 2);
        EXPECT_EQ(hitAt(data, camera, QPointF(500, 10)).lane, -1) << "the axis is no lane";
        EXPECT_EQ(hitAt(data, camera, QPointF(500, 5000)).lane, -1);
    }
}

TEST_P(GanttPicture, TheBarOfEveryOpIsFound) {
    const GanttData data(m_picture.problem, m_picture.plan, m_schedule);
    for (std::size_t i = 0; i < 4; ++i) {
        const GanttHit hit = ganttBarOf(data, OpId(i));
        ASSERT_GE(hit.bar, 0);
        EXPECT_EQ(data.lanes()[static_cast<std::size_t>(hit.lane)].bars[static_cast<std::size_t>(hit.bar)].index, i);
    }
    EXPECT_EQ(ganttBarOf(data, OpId(99)).lane, -1);
}

TEST_P(GanttPicture, AnEmptyScheduleIsDrawnToo) {
    const Schedule nothing;
    const GanttData data(m_picture.problem, m_picture.plan, nothing);
    EXPECT_EQ(data.lanes().size(), 4U);
    EXPECT_FALSE(drawGantt(data, {}, GanttCamera::fit(0, kSize.width()), kSize, m_theme).isNull());
    EXPECT_GT(ganttHeight(data), kGanttAxisHeight);
    EXPECT_GE(ganttLabelWidth(data), 110);
}

TEST_P(GanttPicture, LabelsStayInsideTheirBars) {
    // Text is drawn in black or white only; right of the last bar of a lane there must be none.
    const GanttData data(m_picture.problem, m_picture.plan, m_schedule);
    for (double zoom = 1; zoom < 6; zoom *= 1.3) {
        GanttCamera camera = GanttCamera::fit(m_schedule.makespanNs, kSize.width());
        camera.nsPerPixel /= zoom;
        const QImage image = drawGantt(data, {}, camera, kSize, m_theme);
        const double end = camera.toX(static_cast<double>(m_schedule.ops[1].endNs)) + 2;
        const QRectF lane = boxOf(data, 0);
        const QRectF rest(end, lane.top() + 1, std::max(0.0, 700 - end), lane.height() - 2);
        if (rest.width() > 5) {
            EXPECT_EQ(shareOf(image, rest, m_theme.frameFill), 1) << zoom;
        }
    }
}

} // namespace
} // namespace opscape
