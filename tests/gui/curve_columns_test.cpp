// SPDX-License-Identifier: MIT
// The points that are drawn make the same picture as all points: checked against a reckoning of every column.
#include "gui/models/curve_columns.h"
#include "gui/models/curve_spread.h"
#include "gui/views/label_spread.h"

#include <opscape/base/random.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace opscape::test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// What a column of pixels shows of a line.
struct Extent {
    double first = 0, low = 0, high = 0, last = 0;
    friend bool operator==(const Extent&, const Extent&) = default;
};

std::map<int, Extent> extents(const std::vector<double>& x, const std::vector<double>& y, double from, double to,
                              int columns) {
    std::map<int, Extent> found;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] < from || x[i] > to || std::isnan(y[i]))
            continue;
        const int column = static_cast<int>(std::floor((x[i] - from) * (columns / (to - from))));
        const auto [it, isNew] = found.try_emplace(column, Extent{y[i], y[i], y[i], y[i]});
        it->second = {it->second.first, std::min(it->second.low, y[i]), std::max(it->second.high, y[i]), y[i]};
    }
    return found;
}

struct Curve {
    std::vector<double> x, y;
};

Curve randomCurve(std::uint64_t seed, std::size_t points) {
    Random random(seed);
    Curve curve;
    double x = 0;
    for (std::size_t i = 0; i < points; ++i) {
        x += random.below(3) == 0 ? 0 : random.below(1000) / 100.0; // several points at one place, and gaps
        curve.x.push_back(x);
        curve.y.push_back(random.below(20) == 0 ? kNaN : random.below(100'000) / 7.0 - 5000);
    }
    return curve;
}

TEST(SampledCurve, ShowsInEveryColumnWhatAllPointsShow) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Curve all = randomCurve(seed, 50 + seed * 150);
        Random random(seed + 1000);
        const double end = all.x.back();
        const double from = seed % 4 == 0 ? -5 : random.below(50) / 100.0 * end;
        const double to = seed % 3 == 0 ? end + 3 : from + (0.01 + random.below(50) / 100.0) * end;
        const int columns = static_cast<int>(1 + random.below(700));
        const CurveSample few = sampled(all.x, CurveSeries(all.y), {from, to, columns});
        EXPECT_EQ(extents(few.x, few.y, from, to, columns), extents(all.x, all.y, from, to, columns)) << seed;
        EXPECT_LE(few.x.size(), static_cast<std::size_t>(4 * (columns + 1) + 2)) << seed;
        EXPECT_TRUE(std::ranges::is_sorted(few.x)) << seed;
    }
}

TEST(SampledCurve, ShowsOnALogarithmicAxisWhatAllPointsShow) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Curve all = randomCurve(seed, 50 + seed * 150);
        const double from = 0.5 + static_cast<double>(seed), to = all.x.back();
        const CurveSample few = sampled(all.x, CurveSeries(all.y), {from, to, 200, true});
        const auto logs = [](std::vector<double> x) {
            for (double& value : x)
                value = std::log(value);
            return x;
        };
        EXPECT_EQ(extents(logs(few.x), few.y, std::log(from), std::log(to), 200),
                  extents(logs(all.x), all.y, std::log(from), std::log(to), 200))
            << seed;
        EXPECT_TRUE(few.x.empty() || few.x.front() > 0) << "there is no place for 0";
    }
}

TEST(SampledCurve, ReachesBeyondBothBordersSoThatTheLineDoesToo) {
    const Curve all{{0, 1, 2, 3, 4, 5}, {10, 11, kNaN, 13, kNaN, 15}};
    const CurveSample few = sampled(all.x, CurveSeries(all.y), {2.5, 3.5, 100});
    EXPECT_THAT(few.x, ElementsAre(1, 3, 5));
    EXPECT_THAT(few.y, ElementsAre(11, 13, 15));
}

TEST(SampledCurve, IsTheCurveItselfWhereThereIsRoom) {
    const Curve all{{0, 1, 2, 3}, {5, 4, 6, 2}};
    EXPECT_EQ(sampled(all.x, CurveSeries(all.y), {0, 3, 500}).y, all.y);
}

TEST(SampledCurve, OfNothingOrOfOnePointIsThat) {
    EXPECT_TRUE(sampled({}, {}, {0, 1, 100}).x.empty());
    const std::vector<double> x{3}, y{7}, none{kNaN};
    EXPECT_THAT(sampled(x, CurveSeries(y), {3, 3, 100}).y, ElementsAre(7));
    EXPECT_TRUE(sampled(x, CurveSeries(none), {0, 10, 100}).x.empty());
}

CurvePoint at(std::int64_t update, double seconds, std::int64_t simulations, std::int64_t bestNs) {
    CurvePoint point;
    point.update = update;
    point.seconds = seconds;
    point.simulations = simulations;
    point.bestNs = bestNs;
    point.kl = static_cast<double>(update) / 2;
    return point;
}

TEST(CurveColumns, GrowPieceByPiece) {
    CurveColumns columns;
    columns.append(std::vector{at(1, .5, 10, -1), at(2, 1, 20, 700)});
    columns.append(std::vector{at(3, 1.5, 30, 600)});
    EXPECT_THAT(columns.x(CurveAxis::Updates), ElementsAre(1, 2, 3));
    EXPECT_THAT(columns.x(CurveAxis::Seconds), ElementsAre(.5, 1, 1.5));
    EXPECT_THAT(columns.x(CurveAxis::Simulations), ElementsAre(10, 20, 30));
    EXPECT_TRUE(std::isnan(columns.y(CurveFigure::Best)[0])) << "there was no plan yet";
    EXPECT_EQ(columns.y(CurveFigure::Best)[2], 600);
    EXPECT_THAT(columns.y(CurveFigure::Kl), ElementsAre(.5, 1, 1.5));
    columns.clear();
    EXPECT_TRUE(columns.empty());
}

TEST(CurveColumns, CountOnWhereUpdatesBeginAnew) {
    CurveColumns columns;
    columns.append(std::vector{at(1, 1, 1, 1), at(2, 2, 2, 1), at(1, 3, 3, 1), at(2, 4, 4, 1), at(1, 5, 5, 1)});
    EXPECT_THAT(columns.x(CurveAxis::Updates), ElementsAre(1, 2, 3, 4, 5));
}

TEST(CurveColumns, NeverRunBackwards) {
    CurveColumns columns;
    columns.append(std::vector{at(1, 2, 5, 1), at(2, 1.9, 4, 1), at(3, kNaN, 9, 1)});
    EXPECT_THAT(columns.x(CurveAxis::Seconds), ElementsAre(2, 2, 2));
    EXPECT_THAT(columns.x(CurveAxis::Simulations), ElementsAre(5, 5, 9));
}

std::vector<double> smoothed(const std::vector<double>& y, double weight) {
    SmoothedSeries smooth(weight);
    for (std::size_t known = 1; known <= y.size(); ++known) // as it grows
        smooth.follow(std::span(y).first(known));
    return smooth.series().values();
}

TEST(SmoothedCurve, IsAMeanThatForgets) {
    EXPECT_THAT(smoothed(std::vector{1.0, 3.0, 3.0}, .5), ElementsAre(1, DoubleEq(3.5 / 1.5), DoubleEq(4.75 / 1.75)));
    EXPECT_THAT(smoothed(std::vector{2.0, 2.0, 2.0}, .97), ElementsAre(DoubleEq(2), DoubleEq(2), DoubleEq(2)));
    EXPECT_THAT(smoothed(std::vector{1.0, 5.0}, 0), ElementsAre(1, 5));
    const auto gaps = smoothed(std::vector{kNaN, 4.0, kNaN, 4.0}, .5);
    EXPECT_TRUE(std::isnan(gaps[0]) && std::isnan(gaps[2]));
    EXPECT_EQ(gaps[3], 4);
}

TEST(CurveSpread, IsOfThePartThatAllCurvesHave) {
    CurveColumns a, b;
    for (std::int64_t i = 1; i <= 9; ++i) // every other update of the one is 2 higher; step times fall by steps
        a.append(std::vector<CurvePoint>{{i, 0, 0, 1.0 * static_cast<double>(i), 100 - 10 * i}});
    b.append(std::vector<CurvePoint>{{3, 0, 0, 5.0, 80}, {7, 0, 0, 9.0, 40}, {12, 0, 0, 14.0, 30}});
    const std::vector<const CurveColumns*> both{&a, &b};
    const SpreadPlaces places(both, CurveAxis::Updates, {0, 20, 100}, 20);
    const CurveSpread reward = places.of(CurveFigure::Reward);
    EXPECT_THAT(reward.x, ElementsAre(3, 4, 5, 6, 7, 8, 9));
    for (std::size_t i = 0; i < reward.x.size(); ++i) {
        EXPECT_DOUBLE_EQ(reward.low[i], reward.x[i]);
        EXPECT_DOUBLE_EQ(reward.high[i], reward.x[i] + 2) << "joined by lines";
        EXPECT_DOUBLE_EQ(reward.mean[i], reward.x[i] + 1);
    }
    const CurveSpread best = places.of(CurveFigure::Best);
    EXPECT_THAT(best.low, ElementsAre(70, 60, 50, 40, 30, 20, 10));
    EXPECT_THAT(best.high, ElementsAre(80, 80, 80, 80, 40, 40, 40)) << "until the next point";
    CurveColumns later;
    later.append(std::vector<CurvePoint>{{10, 0, 0, 0, 1}, {11, 0, 0, 0, 1}});
    const std::vector<const CurveColumns*> apart{&a, &later};
    EXPECT_TRUE(SpreadPlaces(apart, CurveAxis::Updates, {0, 20, 100}, 20).of(CurveFigure::Best).x.empty());
}

TEST(CurveSpread, IsTakenWithinWhatIsSeenAtPlacesThatDoNotMoveWithIt) {
    CurveColumns a, b;
    for (std::int64_t i = 1; i <= 10'000; ++i) {
        a.append(std::vector<CurvePoint>{{i, 0, 0, 1.0 * static_cast<double>(i % 7)}});
        b.append(std::vector<CurvePoint>{{i, 0, 0, 1.0 * static_cast<double>(i % 5)}});
    }
    const std::vector<const CurveColumns*> both{&a, &b};
    for (const bool logarithmic : {false, true}) {
        const auto seen = [&](double from, double to) {
            return SpreadPlaces(both, CurveAxis::Updates, {from, to, 500, logarithmic}, 300).of(CurveFigure::Reward).x;
        };
        const std::vector<double> here = seen(1000, 1100), moved = seen(1010, 1111.1);
        EXPECT_TRUE(here.size() >= 300 && here.size() <= 605) << here.size();
        EXPECT_LE(here.front(), 1000);
        EXPECT_GE(here.back(), 1100);
        for (const double x : moved)
            EXPECT_TRUE(x > 1099 || std::ranges::any_of(here, [x](double h) { return std::abs(h - x) < 1e-9 * x; }))
                << x;
        EXPECT_TRUE(std::ranges::is_sorted(here));
    }
}

TEST(CurveSeries, KnowsLowestAndHighestOfEveryStretch) {
    const Curve all = randomCurve(3, 5000);
    std::vector<double> y = all.y;
    std::fill(y.begin() + 1000, y.begin() + 1600, kNaN);
    y[2000] = y[2100] = 1e6; // the first of equal ones counts
    y[2050] = y[2150] = -1e6;
    const CurveSeries series(y);
    Random random(5);
    for (int i = 0; i < 3000; ++i) {
        const std::size_t begin = random.below(5000),
                          end = begin + random.below(static_cast<std::uint32_t>(5001 - begin));
        CurveSeries::Extremes wanted;
        std::size_t first = CurveSeries::kNone, last = CurveSeries::kNone;
        for (std::size_t k = begin; k < end; ++k) {
            if (std::isnan(y[k]))
                continue;
            first = std::min(first, k);
            last = k;
            if (wanted.lowest == CurveSeries::kNone || y[k] < y[wanted.lowest])
                wanted.lowest = k;
            if (wanted.highest == CurveSeries::kNone || y[k] > y[wanted.highest])
                wanted.highest = k;
        }
        const auto found = series.extremes(begin, end);
        ASSERT_EQ(found.lowest, wanted.lowest) << begin << ' ' << end;
        ASSERT_EQ(found.highest, wanted.highest) << begin << ' ' << end;
        ASSERT_EQ(series.firstNumber(begin, end), first) << begin << ' ' << end;
        ASSERT_EQ(series.lastNumber(begin, end), last) << begin << ' ' << end;
    }
}

TEST(NearestPoint, IsTheOneThatIsNearest) {
    const std::vector<double> x{1, 2, 4, 8};
    EXPECT_EQ(nearestPoint(x, -3), 0u);
    EXPECT_EQ(nearestPoint(x, 2.9), 1u);
    EXPECT_EQ(nearestPoint(x, 3.1), 2u);
    EXPECT_EQ(nearestPoint(x, 100), 3u);
}

TEST(SpreadLabels, KeepsThemApartInOrderAndInside) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random random(seed);
        std::vector<double> wanted;
        for (std::uint32_t i = random.below(9); i > 0; --i)
            wanted.push_back(random.below(200));
        std::ranges::sort(wanted);
        const auto places = spreadLabels(wanted, 14, 5, 195);
        ASSERT_EQ(places.size(), wanted.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            EXPECT_GE(places[i], 5 - 1e-9);
            EXPECT_LE(places[i], 195 + 1e-9);
            EXPECT_TRUE(i == 0 || places[i] - places[i - 1] >= 14 - 1e-9) << seed;
        }
    }
    EXPECT_THAT(spreadLabels({20, 100}, 14, 0, 200), ElementsAre(20, 100)) << "none is moved without need";
    EXPECT_THAT(spreadLabels({20, 20, 20}, 14, 0, 20), ElementsAre(DoubleEq(0), DoubleEq(10), DoubleEq(20)));
}

} // namespace
} // namespace opscape::test
