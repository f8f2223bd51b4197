// SPDX-License-Identifier: MIT
// Drawing curves: 10 of 100,000 points in a chart of 1200x400 pixels, by choosing the points that the pixels need as
// the window does, beside the chart library drawing all of them and its own choice; and the window's training charts
// with that many runs laid over one another. Offscreen. Prints a table, or JSON with --json.
#include "bench/bench_timing.h"
#include "gui/views/training_plot.h"

#include <opscape/base/random.h>

#include <QApplication>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>

namespace opscape::bench {
namespace {

constexpr int kCurves = 10, kPoints = 100'000, kWidth = 1200, kHeight = 400, kRepeats = 15;

/// What a person waits for in the window's training charts, in ms of processor time.
struct PaneTimes {
    double first = 0, grown = 0, zoomed = 0, panned = 0, closer = 0, hovered = 0;
};

std::vector<CurvePoint> noisyCurve(Random& random, std::int64_t after, std::int64_t count) {
    std::vector<CurvePoint> points;
    for (std::int64_t i = after + 1; i <= after + count; ++i) {
        const auto noise = [&] { return static_cast<double>(random.below(1000)) / 1000; };
        points.push_back({i, static_cast<double>(i) / 9, 64 * i, -1 - noise(), 20'000'000 + 1'000'000'000 / i, noise(),
                          noise(), noise(), -1, noise(), noise()});
    }
    return points;
}

PaneTimes paneTimes(std::size_t count, bool areAlike) {
    Look look;
    TrainingPlot plot(look);
    plot.resize(kWidth, kHeight);
    plot.show();
    QCoreApplication::processEvents();
    std::vector<std::vector<CurvePoint>> all(count);
    Random random(2);
    for (auto& points : all)
        points = noisyCurve(random, 0, kPoints);
    const auto draw = [&] {
        plot.refreshNow();
        plot.grab();
    };
    PaneTimes times;
    times.first = 1e3 * processorSeconds([&] {
                      plot.append(all[0]);
                      std::vector<OverlaidRun> runs(count);
                      for (std::size_t r = 0; r < count; ++r) {
                          runs[r].run = static_cast<std::int64_t>(r) + 1;
                          runs[r].curve.append(all[r]);
                      }
                      if (count > 1)
                          plot.setOverlay(std::move(runs), areAlike);
                      draw();
                  });
    times.grown = medianMs(kRepeats, [&] {
        const std::vector<CurvePoint> more = noisyCurve(random, static_cast<std::int64_t>(plot.curve().size()), 20);
        plot.append(more);
        for (std::size_t r = 0; r < plot.overlay().runs().size(); ++r)
            plot.growOverlay(r, more, false);
        draw();
    });
    bool isIn = false;
    times.zoomed = medianMs(kRepeats, [&] {
        plot.zoomBy((isIn = !isIn) ? 1.5 : 0.75);
        draw();
    });
    plot.fit();
    plot.refreshNow();
    plot.zoomBy(2);
    times.panned = medianMs(kRepeats, [&] {
        plot.panBy((isIn = !isIn) ? -0.05 : 0.03);
        draw();
    });
    plot.zoomBy(100);
    times.closer = medianMs(kRepeats, [&] {
        plot.panBy((isIn = !isIn) ? -0.05 : 0.03);
        draw();
    });
    plot.fit();
    plot.refreshNow();
    times.hovered = medianMs(kRepeats, [&] {
        plot.stepReading(-500);
        plot.grab(); // it has drawn it already
    });
    return times;
}

int run(bool json) {
    std::vector<double> x;
    std::vector<CurveSeries> curves(kCurves);
    Random random(1);
    for (int i = 0; i < kPoints; ++i) {
        x.push_back(i);
        for (int c = 0; c < kCurves; ++c)
            curves[static_cast<std::size_t>(c)].append(c + 1000.0 / (i + 200) + random.below(1000) / 900.0);
    }
    QCustomPlot plot;
    plot.resize(kWidth, kHeight);
    plot.show();
    for (int c = 0; c < kCurves; ++c)
        plot.addGraph();
    const QVector<double> keys(x.begin(), x.end());
    const auto giveAll = [&](bool adaptive) {
        for (int c = 0; c < kCurves; ++c) {
            const auto& y = curves[static_cast<std::size_t>(c)].values();
            plot.graph(c)->setAdaptiveSampling(adaptive);
            plot.graph(c)->setAntialiased(false);
            plot.graph(c)->setData(keys, QVector<double>(y.begin(), y.end()), true);
        }
        plot.rescaleAxes();
    };
    const auto draw = [&] { plot.replot(QCustomPlot::rpImmediateRefresh); };
    giveAll(false);
    const double all = medianMs(kRepeats, draw);
    giveAll(true);
    const double library = medianMs(kRepeats, draw);
    giveAll(false);
    const double ours = medianMs(kRepeats, [&] {
        for (int c = 0; c < kCurves; ++c) {
            const CurveSample points = sampled(x, curves[static_cast<std::size_t>(c)], {0, kPoints - 1, kWidth});
            plot.graph(c)->setData(QVector<double>(points.x.begin(), points.x.end()),
                                   QVector<double>(points.y.begin(), points.y.end()), true);
        }
        draw();
    });
    const PaneTimes one = paneTimes(1, false), ten = paneTimes(kCurves, false), mean = paneTimes(kCurves, true);
    const auto json1 = [](const char* name, const PaneTimes& t) {
        std::printf(
            ", \"%s\": {\"first\": %.2f, \"grown\": %.2f, \"zoomed\": %.2f, \"panned\": %.2f, \"closer\": %.2f, "
            "\"hovered\": %.2f}",
            name, t.first, t.grown, t.zoomed, t.panned, t.closer, t.hovered);
    };
    const auto line = [](const char* name, const PaneTimes& t) {
        std::printf("  %-36s %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f\n", name, t.first, t.grown, t.zoomed, t.panned,
                    t.closer, t.hovered);
    };
    if (json) {
        std::printf("{\"curves\": %d, \"points\": %d, \"ms\": %.2f, \"library_ms\": %.2f, \"all_ms\": %.2f", kCurves,
                    kPoints, ours, library, all);
        json1("pane_one_ms", one);
        json1("pane_ms", ten);
        json1("pane_mean_ms", mean);
        std::puts("}");
        return 0;
    }
    std::printf("%d curves of %d points, %dx%d pixels, processor time of one replot\n"
                "  points chosen by pixel, choice included  %8.2f ms\n"
                "  chart library, its adaptive sampling     %8.2f ms   x %.2f\n"
                "  chart library, all points                %8.2f ms   x %.2f\n",
                kCurves, kPoints, kWidth, kHeight, ours, library, library / ours, all, all / ours);
    std::printf("  the window's seven charts, ms           first    grown   zoomed   panned   closer  hovered\n");
    line("one run", one);
    line("all runs", ten);
    line("all runs, mean and spread", mean);
    return 0;
}

} // namespace
} // namespace opscape::bench

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    return opscape::bench::run(argc > 1 && std::strcmp(argv[1], "--json") == 0);
}
