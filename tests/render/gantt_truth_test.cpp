// SPDX-License-Identifier: MIT
// What the picture of a schedule shows is compared with what runs, column by column and row by row, for random
// schedules at many zooms: how strong a column is says how busy it is, how high each colour reaches says its share of
// that.
#include "picture_scene.h"

#include <opscape/base/random.h>

#include <gtest/gtest.h>
#include <render/raster_surface.h>

#include <map>

namespace opscape {
namespace {

constexpr QSize kSize{700, 120};

/// One device, ops of five types and very different lengths, in bursts.
struct RandomLane {
    std::shared_ptr<const Graph> graph;
    Problem problem;
    Plan plan;
    Schedule schedule;

    RandomLane(std::uint64_t seed, int ops) {
        Random random(seed);
        GraphBuilder builder("random");
        for (int i = 0; i < ops; ++i) {
            Op op;
            op.name = fmt::format("op_{}", i);
            op.type = fmt::format("Type{}", random.below(5));
            builder.addOp(std::move(op));
        }
        Diagnostics diagnostics;
        graph = std::make_shared<const Graph>(*std::move(builder).build(diagnostics));
        problem = makeProblem(graph, std::make_shared<const Cluster>(testCluster(1)), diagnostics);
        plan = Plan::allOn(DeviceId(0), static_cast<std::size_t>(ops));
        std::int64_t now = 0;
        for (int i = 0; i < ops; ++i) {
            now += i / 60 % 2 == 0 ? random.below(40) : i % 61 == 0 ? random.below(20'000) : 0;
            const std::int64_t busy = random.below(30) == 0 ? 500 + random.below(9'000) : 1 + random.below(120);
            schedule.ops.push_back({now, now, now + busy});
            now += busy;
        }
        schedule.makespanNs = now;
        schedule.devices.resize(1);
        schedule.channels.resize(1);
    }
};

class GanttTruth : public testing::TestWithParam<bool> {
protected:
    Theme m_theme = GetParam() ? Theme::darkTheme() : Theme::light();

    /// Every pixel of the lane that no name and no edge of a bar may cover.
    void check(const RandomLane& lane, const OpColours& colours, int isolated, const GanttCamera& camera) {
        const GanttData data(lane.problem, lane.plan, lane.schedule);
        const LaneStack stack(data);
        GanttView view;
        view.colours = &colours;
        view.isolated = isolated;
        const QImage image = drawGantt(data, view, camera, kSize, m_theme);
        const int top = static_cast<int>(stack.yOf(stack.slotOf(0), 0)),
                  height = static_cast<int>(stack.slotOf(0).height);
        for (int x = static_cast<int>(camera.labelWidth); x < kSize.width(); ++x) {
            const double left = camera.toNs(x), right = camera.toNs(x + 1);
            if (left < 0 || right > static_cast<double>(lane.schedule.makespanNs) - 3 * camera.nsPerPixel)
                continue; // beyond the step and beside its end there is another ground
            std::map<int, double> shares;
            double busy = 0;
            bool decorated = false;
            for (std::size_t i = 0; i < lane.schedule.ops.size(); ++i) {
                const auto start = static_cast<double>(lane.schedule.ops[i].startNs);
                const auto end = static_cast<double>(lane.schedule.ops[i].endNs);
                decorated = decorated || ((end - start) / camera.nsPerPixel >= 4.9 && start < right &&
                                          end > left - 2 * camera.nsPerPixel);
                const double part = std::min(right, end) - std::max(left, start);
                if (part <= 0)
                    continue;
                shares[colours.classOf(OpId(i))] += part / camera.nsPerPixel;
                busy += part / camera.nsPerPixel;
            }
            if (decorated)
                continue;
            double reached = 0;
            int row = height - 1;
            ++m_columns;
            m_mixed += shares.size() > 1 ? 1 : 0;
            if (shares.empty()) {
                for (int y = 0; y < height; ++y)
                    ASSERT_EQ(image.pixel(x, top + y), m_theme.frameFill.rgb()) << "a bar that is not there, at " << x;
                continue;
            }
            for (const auto& [of, share] : shares) {
                QColor fill = colours.colour(m_theme, of);
                if (isolated >= 0 && of != isolated)
                    fill = Theme::mix(fill, m_theme.background, 0.14);
                const QColor expected = Theme::mix(fill, m_theme.frameFill, columnStrength(std::min(1.0, busy)));
                reached += share / busy * height;
                for (; row >= 0 && height - row <= reached + 1e-6; --row) { // rows that are all of this colour
                    const QColor found(image.pixel(x, top + row));
                    ASSERT_NEAR(found.red(), expected.red(), 1) << "column " << x << " row " << row;
                    ASSERT_NEAR(found.green(), expected.green(), 1) << "column " << x << " row " << row;
                    ASSERT_NEAR(found.blue(), expected.blue(), 1) << "column " << x << " row " << row;
                }
                if (row >= 0 && reached > height - row - 1 + 1e-6)
                    --row; // shared with the next colour
            }
            ASSERT_LE(row, 0);
        }
    }

    int m_columns = 0, m_mixed = 0;
};

INSTANTIATE_TEST_SUITE_P(Themes, GanttTruth, testing::Bool(),
                         [](const auto& test) { return test.param ? "dark" : "light"; });

TEST_P(GanttTruth, EveryColumnShowsTheShareOfBusyTimeAndOfEachColour) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const RandomLane lane(seed, 1500);
        const OpColours colours(ColourBy::OpType, {lane.graph.get(), nullptr, nullptr, nullptr, nullptr});
        Random random(seed + 100);
        for (double zoom = 1; zoom < 20'000; zoom *= 2.3) {
            GanttCamera camera = GanttCamera::fit(lane.schedule.makespanNs, kSize.width());
            camera.nsPerPixel /= zoom;
            camera.startNs = random.uniform() * static_cast<double>(lane.schedule.makespanNs) * (1 - 1 / zoom);
            check(lane, colours, static_cast<int>(zoom) % 3 == 0 ? 1 : -1, camera);
        }
    }
    EXPECT_GT(m_columns, 5'000) << "most of it is compared";
    EXPECT_GT(m_mixed, 700) << "with several colours in a column";
}

TEST_P(GanttTruth, AFileOfShapesHasEveryWideBarWhereItRuns) {
    const RandomLane lane(9, 300);
    const GanttData data(lane.problem, lane.plan, lane.schedule);
    const GanttCamera camera = GanttCamera::fit(lane.schedule.makespanNs, kSize.width());
    struct Recorder : Surface {
        std::vector<QRectF> rects;
        void rect(const QRectF& r, const QColor&) override { rects.push_back(r); }
        void box(const QRectF&, double, const QColor&, const QColor&, double) override {}
        void dashedBox(const QRectF&, double, const QColor&, double) override {}
        void line(std::span<const QPointF>, bool, const QColor&, double, bool) override {}
        void triangle(const std::array<QPointF, 3>&, const QColor&) override {}
        void text(QPointF, const QString&, int, bool, const QColor&) override {}
    } recorder;
    paintGantt(recorder, kSize, camera, data, {}, m_theme);
    int wide = 0;
    for (const OpRun& run : lane.schedule.ops) {
        const double left = camera.toX(run.startNs), width = camera.toX(run.endNs) - left;
        if (width < 3)
            continue;
        ++wide;
        EXPECT_TRUE(std::ranges::any_of(recorder.rects, [&](const QRectF& r) {
            return std::abs(r.left() - left) < 1e-6 && std::abs(r.width() - width) < 1e-6;
        })) << left;
    }
    EXPECT_GT(wide, 3);
}

} // namespace
} // namespace opscape
