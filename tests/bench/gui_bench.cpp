// SPDX-License-Identifier: MIT
// The window on large graphs, offscreen, with the graph drawn at 1920x1080: how long from a file to its first picture,
// to open and close a group, for a frame (every group open; fitted, at five zooms and along a recorded pan), how much
// memory, and how long the empty window takes to start. Each graph has a process of its own. Frames are processor time
// of the window's thread, so that others on the machine do not count; the rest is time on the wall. Prints a table, or
// JSON with --json; --pictures FOLDER writes what was drawn. The schedule pane is measured alone, on a schedule of some
// 200,000 bars.
#include "bench/gui_schedule.h"
#include "bench/gui_subject.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace opscape::bench {
namespace {

struct Target {
    const char* key;
    const char* what;
    double most; ///< what it should stay below
};

constexpr Target kTargets[] = {{"first_picture_ms", "file to first picture", 2000},
                               {"expand_ms", "open or close a group", 100},
                               {"whatif_ms", "change by hand to new schedule", 100},
                               {"large_whatif_ms", "the same of 20,000 ops at once", 0},
                               {"frame_mean_ms", "frame, mean", 8},
                               {"frame_p99_ms", "frame, 99th percentile", 16.7},
                               {"still_ms", "all edges, once still", 0},
                               {"still_event_ms", "longest the window waits for that", 8},
                               {"bars", "bars", 0},
                               {"schedule_first_ms", "schedule to first picture", 100},
                               {"schedule_mean_ms", "frame of the schedule, mean", 8},
                               {"schedule_p99_ms", "the same, 99th percentile", 16.7},
                               {"schedule_time_mean_ms", "by time, with critical path", 8},
                               {"rss_mb", "memory", 1000}};

constexpr const char* kSchedule = "schedule";

constexpr int kStarts = 5;

/// What a child says: one "key value" a line.
std::map<std::string, double> child(const QStringList& arguments) {
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QCoreApplication::applicationFilePath(), arguments);
    std::map<std::string, double> said;
    if (!process.waitForFinished(300'000) || process.exitCode() != 0)
        return said;
    for (const QByteArray& line : process.readAllStandardOutput().split('\n')) {
        const auto words = line.split(' ');
        if (words.size() == 2)
            said[words[0].toStdString()] = words[1].toDouble();
    }
    return said;
}

/// From the start of the process to the picture of the empty window.
double startMs() {
    std::vector<double> times;
    for (int i = 0; i < kStarts; ++i) {
        times.push_back(1e3 * seconds([] { child({QStringLiteral("--start")}); }));
    }
    return median(std::move(times));
}

void print(const std::string& graph, const std::map<std::string, double>& values, bool json, bool first) {
    if (json)
        fmt::print("{}    \"{}\": {{", first ? "" : ",\n", graph);
    else
        fmt::print("\n{}\n", graph);
    bool comma = false;
    for (const Target& target : kTargets) {
        const auto value = values.find(target.key);
        if (value == values.end())
            continue;
        if (json)
            fmt::print("{}\"{}\": {:.2f}", std::exchange(comma, true) ? ", " : "", target.key, value->second);
        else if (target.most > 0)
            fmt::print("  {:<28} {:>10.1f}   below {:g}{}\n", target.what, value->second, target.most,
                       value->second < target.most ? "" : "   MISSED");
        else
            fmt::print("  {:<28} {:>10.1f}\n", target.what, value->second);
    }
    if (json)
        fmt::print("}}");
}

int run(const QStringList& arguments) {
    const bool json = arguments.contains(QStringLiteral("--json"));
    const qsizetype pictures = arguments.indexOf(QStringLiteral("--pictures"));
    const double start = startMs();
    if (json)
        fmt::print("{{\n  \"start_ms\": {:.1f},\n  \"graphs\": {{\n", start);
    else
        fmt::print("{:<30} {:>10.1f}   below 300{}\n", "start of the empty window", start,
                   start < 300 ? "" : "   MISSED");
    bool first = true, failed = false;
    for (const GuiSubject& subject : guiSubjects()) {
        if (arguments.size() > 2 && arguments[1] == QLatin1String("--only") && arguments[2] != subject.name)
            continue;
        if (!subject.there()) {
            fmt::print(stderr, "{} is left out: there is no {}.\n", subject.name.toStdString(),
                       subject.file.toStdString());
            continue;
        }
        QStringList told{QStringLiteral("--graph"), subject.name};
        if (pictures >= 0 && pictures + 1 < arguments.size())
            told << arguments[pictures + 1];
        const auto values = child(told);
        failed = failed || values.empty();
        print(subject.name.toStdString(), values, json, std::exchange(first, false));
        std::fflush(stdout);
    }
    if (arguments.size() <= 2 || arguments[1] != QLatin1String("--only") || arguments[2] == QLatin1String(kSchedule)) {
        QStringList told{QStringLiteral("--schedule")};
        if (pictures >= 0 && pictures + 1 < arguments.size())
            told << arguments[pictures + 1];
        const auto values = child(told);
        failed = failed || values.empty();
        print(kSchedule, values, json, std::exchange(first, false));
    }
    if (json)
        fmt::print("\n  }}\n}}\n");
    return failed ? 1 : 0;
}

} // namespace
} // namespace opscape::bench

int main(int argc, char** argv) {
    using namespace opscape::bench;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_LOGGING_RULES", "*.warning=false"); // remarks on the machine, such as a missing XDG_RUNTIME_DIR
    if (argc > 1 && std::strcmp(argv[1], "--start") == 0)
        return showEmptyWindow(argc, argv);
    if (argc > 2 && std::strcmp(argv[1], "--graph") == 0)
        return measureGraph(argc, argv, argv[2], argc > 3 ? argv[3] : "");
    if (argc > 1 && std::strcmp(argv[1], "--schedule") == 0)
        return measureSchedule(argc, argv, argc > 2 ? argv[2] : "");
    const QCoreApplication application(argc, argv);
    return run(QCoreApplication::arguments());
}
