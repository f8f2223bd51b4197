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

/// All charts of the window, while a person zooms: points of all runs are chosen anew for every frame.
double paneMs(std::size_t count) {
    Look look;
    TrainingPlot plot(look);
    plot.resize(kWidth, kHeight);
    plot.show();
    std::vector<OverlaidRun> runs(count);
    Random random(2);
    for (std::size_t r = 0; r < count; ++r) {
        std::vector<CurvePoint> points;
        for (std::int64_t i = 1; i <= kPoints; ++i) {
            const auto noise = [&] { return static_cast<double>(random.below(1000)) / 1000; };
            points.push_back({i, static_cast<double>(i) / 9, 64 * i, -1 - noise(), 20'000'000 + 1'000'000'000 / i,
                              noise(), noise(), noise(), -1, noise(), noise()});
        }
        runs[r].run = static_cast<std::int64_t>(r) + 1;
        runs[r].curve.append(points);
        if (r == 0)
            plot.append(points);
    }
    if (count > 1)
        plot.setOverlay(std::move(runs), false);
    plot.refreshNow();
    return medianMs(kRepeats, [&] {
        plot.zoomBy(1.02);
        plot.refreshNow();
    });
}

int run(bool json) {
    std::vector<double> x;
    std::vector<std::vector<double>> curves(kCurves);
    Random random(1);
    for (int i = 0; i < kPoints; ++i) {
        x.push_back(i);
        for (int c = 0; c < kCurves; ++c)
            curves[static_cast<std::size_t>(c)].push_back(c + 1000.0 / (i + 200) + random.below(1000) / 900.0);
    }
    QCustomPlot plot;
    plot.resize(kWidth, kHeight);
    plot.show();
    for (int c = 0; c < kCurves; ++c)
        plot.addGraph();
    const QVector<double> keys(x.begin(), x.end());
    const auto giveAll = [&](bool adaptive) {
        for (int c = 0; c < kCurves; ++c) {
            const auto& y = curves[static_cast<std::size_t>(c)];
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
            const CurveSample points = sampled(x, curves[static_cast<std::size_t>(c)], 0, kPoints - 1, kWidth);
            plot.graph(c)->setData(QVector<double>(points.x.begin(), points.x.end()),
                                   QVector<double>(points.y.begin(), points.y.end()), true);
        }
        draw();
    });
    const double one = paneMs(1), pane = paneMs(kCurves);
    if (json)
        std::printf("{\"curves\": %d, \"points\": %d, \"ms\": %.2f, \"library_ms\": %.2f, \"all_ms\": %.2f, "
                    "\"pane_one_ms\": %.2f, \"pane_ms\": %.2f}\n",
                    kCurves, kPoints, ours, library, all, one, pane);
    else
        std::printf("%d curves of %d points, %dx%d pixels, processor time of one replot\n"
                    "  points chosen by pixel, choice included  %8.2f ms\n"
                    "  chart library, its adaptive sampling     %8.2f ms   x %.2f\n"
                    "  chart library, all points                %8.2f ms   x %.2f\n"
                    "  the window's seven charts, one run       %8.2f ms\n"
                    "  the window's seven charts, all runs      %8.2f ms\n",
                    kCurves, kPoints, kWidth, kHeight, ours, library, library / ours, all, all / ours, one, pane);
    return 0;
}

} // namespace
} // namespace opscape::bench

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    return opscape::bench::run(argc > 1 && std::strcmp(argv[1], "--json") == 0);
}
