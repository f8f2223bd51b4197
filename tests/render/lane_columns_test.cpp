// SPDX-License-Identifier: MIT
#include <opscape/base/random.h>

#include <gtest/gtest.h>
#include <render/gantt_picture.h>
#include <render/lane_columns.h>

#include <map>

namespace opscape {
namespace {

using Span = GanttData::Span;
using Columns = std::vector<std::map<int, double>>; ///< per column: class and share of its time

Columns columnsOf(const std::vector<Span>& spans, const ColumnRequest& request) {
    Columns columns(request.columns);
    std::size_t reached = 0;
    mergeSpans(spans, request, nullptr, [&](const ColumnRun& run) {
        EXPECT_GE(run.from, reached) << "from left to right, no column twice";
        EXPECT_LT(run.from, run.to);
        EXPECT_LE(run.to, request.columns);
        double busy = 0;
        for (std::size_t i = 0; i < run.parts.size(); ++i) {
            EXPECT_GT(run.parts[i].share, 0);
            EXPECT_TRUE(i == 0 || run.parts[i - 1].of < run.parts[i].of) << "by class";
            busy += run.parts[i].share;
        }
        EXPECT_NEAR(busy, run.busy, 1e-9);
        for (std::size_t c = run.from; c < run.to; ++c) {
            for (const ColumnPart& part : run.parts)
                columns[c][part.of] = part.share;
        }
        reached = run.to;
    });
    return columns;
}

/// Column by column, nanosecond by nanosecond.
Columns bruteForce(const std::vector<Span>& spans, int startNs, int nsPerColumn, std::size_t columns, int leaveOutNs) {
    Columns result(columns);
    for (std::size_t c = 0; c < columns; ++c) {
        const int from = startNs + static_cast<int>(c) * nsPerColumn;
        for (int ns = from; ns < from + nsPerColumn; ++ns) {
            for (const Span& span : spans) {
                if (span.startNs <= ns && ns < span.endNs &&
                    (leaveOutNs == 0 || span.endNs - span.startNs < leaveOutNs))
                    result[c][static_cast<int>(span.device)] += 1.0 / nsPerColumn;
            }
        }
    }
    return result;
}

TEST(LaneColumns, AgreeWithBruteForceOnRandomLanes) {
    Random random(5);
    for (int round = 0; round < 60; ++round) {
        std::vector<Span> spans;
        std::int64_t now = 0;
        for (std::uint32_t i = 0; i < 300; ++i) {
            now += random.below(round % 4 == 3 ? 60 : 6);
            const std::int64_t length = 1 + random.below(round % 2 == 0 ? 4 : 90);
            spans.push_back({now, now + length, i, random.below(3)});
            now += length;
        }
        const int start = static_cast<int>(random.below(300)), width = 1 + static_cast<int>(random.below(27));
        const int leaveOut = round % 3 == 0 ? 40 : 0;
        ColumnRequest request;
        request.startNs = start;
        request.nsPerColumn = width;
        request.columns = 50;
        request.leaveOutNs = leaveOut;
        const Columns merged = columnsOf(spans, request);
        const Columns expected = bruteForce(spans, start, width, 50, leaveOut);
        for (std::size_t c = 0; c < 50; ++c) {
            ASSERT_EQ(merged[c].size(), expected[c].size()) << "round " << round << " column " << c;
            for (const auto& [of, share] : expected[c])
                ASSERT_NEAR(merged[c].at(of), share, 1e-9) << "round " << round << " column " << c;
        }
    }
}

TEST(LaneColumns, AnIdleLaneTellsNothing) {
    for (const auto& column : columnsOf({}, {0, 10, 20, 0}))
        EXPECT_TRUE(column.empty());
}

TEST(LaneColumns, ASpanThatBeganBeforeTheViewStillCounts) {
    const Columns columns = columnsOf({{0, 100, 0, 1}}, {90, 10, 3, 0});
    EXPECT_DOUBLE_EQ(columns[0].at(1), 1);
    EXPECT_TRUE(columns[1].empty());
}

TEST(LaneColumns, WhatIsBesideTheViewIsNotInIt) {
    const Columns columns = columnsOf({{0, 50, 0, 1}, {80, 90, 1, 2}}, {50, 10, 3, 0});
    for (const auto& column : columns)
        EXPECT_TRUE(column.empty());
}

TEST(MemoryColumns, EachColumnHasTheLeastAndTheMostInUse) {
    Random random(6);
    std::vector<MemoryStep> steps;
    std::int64_t now = 0;
    for (int i = 0; i < 3000; ++i) {
        steps.push_back({now, static_cast<std::int64_t>(random.below(1000))});
        now += 1 + random.below(i % 400 < 300 ? 3 : 200);
    }
    GanttCamera camera;
    camera.labelWidth = 100;
    camera.startNs = static_cast<double>(now) * 0.1;
    camera.nsPerPixel = static_cast<double>(now) / 700;
    const auto columns = mergeMemory(steps, camera, 100, 600);
    ASSERT_FALSE(columns.empty());
    double reached = 100;
    for (const MemoryColumn& column : columns) {
        EXPECT_EQ(column.left, reached) << "no gap, no overlap";
        reached = column.right;
        double least = -1, most = -1;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const double from = static_cast<double>(steps[i].timeNs);
            const double to = i + 1 < steps.size() ? static_cast<double>(steps[i + 1].timeNs) : 1e18;
            if (to <= camera.toNs(column.left) || from >= camera.toNs(column.right))
                continue;
            const auto bytes = static_cast<double>(steps[i].bytes);
            least = least < 0 ? bytes : std::min(least, bytes);
            most = std::max(most, bytes);
        }
        EXPECT_EQ(column.least, least);
        EXPECT_EQ(column.most, most);
    }
    EXPECT_EQ(reached, 600);
}

TEST(MemoryColumns, AnEmptyCurveIsLevelAtZero) {
    const auto columns = mergeMemory({}, GanttCamera(), 140, 300);
    ASSERT_EQ(columns.size(), 1U);
    EXPECT_EQ(columns[0].most, 0);
    EXPECT_EQ(columns[0].right, 300);
}

} // namespace
} // namespace opscape
