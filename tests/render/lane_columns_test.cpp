// SPDX-License-Identifier: MIT
#include <opscape/base/random.h>

#include <gtest/gtest.h>
#include <render/lane_columns.h>

#include <map>

namespace opscape {
namespace {

using Bar = GanttData::Bar;

/// Column by column, nanosecond by nanosecond.
std::vector<LaneColumn> bruteForce(const std::vector<Bar>& bars, int startNs, int nsPerColumn, int columns,
                                   int widestNs) {
    std::vector<LaneColumn> result(static_cast<std::size_t>(columns));
    for (int c = 0; c < columns; ++c) {
        std::map<std::uint32_t, int> parts;
        int busy = 0;
        for (int ns = startNs + c * nsPerColumn; ns < startNs + (c + 1) * nsPerColumn; ++ns) {
            for (const Bar& bar : bars) { // the first one that covers it
                if (bar.startNs <= ns && ns < bar.endNs && bar.endNs - bar.startNs <= widestNs) {
                    ++busy;
                    ++parts[bar.device];
                    break;
                }
            }
        }
        LaneColumn& column = result[static_cast<std::size_t>(c)];
        column.busy = static_cast<double>(busy) / nsPerColumn;
        int most = 0;
        for (const auto& [device, part] : parts) {
            if (part > most) {
                most = part;
                column.device = device;
            }
        }
    }
    return result;
}

TEST(LaneColumns, AgreeWithBruteForceOnRandomLanes) {
    Random random(5);
    for (int round = 0; round < 30; ++round) {
        std::vector<Bar> bars;
        std::int64_t now = 0;
        const bool overlapping = round % 3 == 2;
        for (std::uint32_t i = 0; i < 400; ++i) {
            now += random.below(6);
            const std::int64_t length = 1 + random.below(round % 2 == 0 ? 4 : 60);
            bars.push_back({now, now + length, i, random.below(3)});
            now += overlapping ? length / 2 : length;
        }
        const int start = static_cast<int>(random.below(300)), width = 7 + static_cast<int>(random.below(20));
        const auto merged = mergeBars(bars, start, width, 50, 40);
        const auto expected = bruteForce(bars, start, width, 50, 40);
        for (std::size_t c = 0; c < 50; ++c) {
            EXPECT_NEAR(merged[c].busy, expected[c].busy, 1e-9) << "round " << round << " column " << c;
            if (expected[c].busy > 0 && !overlapping) {
                double share = 0, found = 0;
                for (const Bar& bar : bars) {
                    const double left = start + static_cast<double>(c) * width;
                    const double part = std::min<double>(static_cast<double>(bar.endNs), left + width) -
                                        std::max<double>(static_cast<double>(bar.startNs), left);
                    if (part > 0 && bar.endNs - bar.startNs <= 40) {
                        share += bar.device == expected[c].device ? part : 0;
                        found += bar.device == merged[c].device ? part : 0;
                    }
                }
                EXPECT_NEAR(share, found, 1e-9) << "another device may win only a tie";
            }
        }
    }
}

TEST(LaneColumns, AnIdleLaneIsIdleInEveryColumn) {
    for (const LaneColumn& column : mergeBars({}, 0, 10, 20, 100))
        EXPECT_EQ(column.busy, 0);
}

TEST(LaneColumns, ABarThatBeganBeforeTheViewStillCounts) {
    const auto merged = mergeBars({{0, 100, 0, 1}}, 90, 10, 3, 1000);
    EXPECT_DOUBLE_EQ(merged[0].busy, 1);
    EXPECT_EQ(merged[0].device, 1U);
    EXPECT_EQ(merged[1].busy, 0);
}

TEST(LaneColumns, NoColumnIsMoreThanFull) {
    std::vector<Bar> bars(50, Bar{0, 10, 0, 0});
    EXPECT_DOUBLE_EQ(mergeBars(bars, 0, 10, 1, 100)[0].busy, 1);
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
