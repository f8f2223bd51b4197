// SPDX-License-Identifier: MIT
// Drawing curves: 10 of 100,000 points in a chart of 1200x400 pixels, by choosing the points that the pixels need as
// the window does, beside the chart library drawing all of them and its own choice. Offscreen. Prints a table, or JSON
// with --json.
#include "gui/models/curve_columns.h"

#include <opscape/base/random.h>

#include <QApplication>
#include <qcustomplot.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>

namespace opscape::bench {
namespace {

constexpr int kCurves = 10, kPoints = 100'000, kWidth = 1200, kHeight = 400, kRepeats = 15;

/// Of processor time, so that others on the machine do not count.
double medianMs(const std::function<void()>& work) {
    std::vector<double> times;
    for (int i = 0; i < kRepeats; ++i) {
        const std::clock_t begin = std::clock();
        work();
        times.push_back(1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
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
    const double all = medianMs(draw);
    giveAll(true);
    const double library = medianMs(draw);
    giveAll(false);
    const double ours = medianMs([&] {
        for (int c = 0; c < kCurves; ++c) {
            const CurveSample points = sampled(x, curves[static_cast<std::size_t>(c)], 0, kPoints - 1, kWidth);
            plot.graph(c)->setData(QVector<double>(points.x.begin(), points.x.end()),
                                   QVector<double>(points.y.begin(), points.y.end()), true);
        }
        draw();
    });
    if (json)
        std::printf("{\"curves\": %d, \"points\": %d, \"ms\": %.2f, \"library_ms\": %.2f, \"all_ms\": %.2f}\n", kCurves,
                    kPoints, ours, library, all);
    else
        std::printf("%d curves of %d points, %dx%d pixels, processor time of one replot\n"
                    "  points chosen by pixel, choice included  %8.2f ms\n"
                    "  chart library, its adaptive sampling     %8.2f ms   x %.2f\n"
                    "  chart library, all points                %8.2f ms   x %.2f\n",
                    kCurves, kPoints, kWidth, kHeight, ours, library, library / ours, all, all / ours);
    return 0;
}

} // namespace
} // namespace opscape::bench

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    return opscape::bench::run(argc > 1 && std::strcmp(argv[1], "--json") == 0);
}
