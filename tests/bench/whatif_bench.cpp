// SPDX-License-Identifier: MIT
// Changes by hand on an unrolled model of 82,000 ops: from the key to the new schedule, and until the window has drawn
// it, beside what the parts cost in processor time. Offscreen, in a window of 1920x1080. Prints a table, or JSON with
// --json; another graph may be named, a file or zoo:MODEL.
#include "bench/gui_whatif.h"
#include "edit/plan_judge.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

#include <cstdio>
#include <ctime>

namespace opscape::bench {
namespace {

constexpr int kRepeats = 9;

double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double medianMs(const std::function<void()>& work) {
    std::vector<double> times;
    for (int i = 0; i < kRepeats; ++i) {
        const double begin = threadMs();
        work();
        times.push_back(threadMs() - begin);
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
}

int run(const QString& graph, bool json) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("window.ini")), QSettings::IniFormat);
    Look look;
    Session::Start start;
    start.database = folder.filePath(QStringLiteral("runs.sqlite")).toStdString();
    Session session(start);
    MainWindow window(session, look, settings);
    window.resize(1920, 1080);
    window.show();
    window.openFiles({graph});
    const bool there =
        QTest::qWaitFor([&] { return session.shown() && session.jobs().idle() && window.runsListed(); }, 300'000);
    if (!there) {
        fmt::print(stderr, "{}\n", window.message().toStdString());
        return 1;
    }
    const WhatIfTimes times = whatIfTimes(session, window);

    const std::shared_ptr<const Outcome> outcome = session.shown()->outcome;
    PlanJudge judge(outcome);
    const EditedPlan plan = EditedPlan::of(outcome->plan);
    PlanEdit move{EditKind::Move, {}, DeviceId(1), {}};
    for (std::size_t i = 0; i < outcome->plan.device.size() / 10; ++i)
        move.ops.emplace_back(i);
    const std::vector<std::pair<const char*, double>> values{
        {"whatif_ms", times.scheduleMs},
        {"whatif_drawn_ms", times.drawnMs},
        {"whatif_cpu_ms", times.cpuMs},
        {"large_ms", times.largeMs},
        {"large_cpu_ms", times.largeCpuMs},
        {"apply_cpu_ms", medianMs([&] { std::ignore = applyEdit(outcome->problem, outcome->schedule, plan, move); })},
        {"judge_cpu_ms", medianMs([&] { std::ignore = judge.judge(plan); })},
        {"derive_cpu_ms", medianMs([&] { const ShownRun derived(outcome); })},
        {"window_cpu_ms", medianMs([&] {
             emit session.shownChanged();
             QApplication::processEvents();
         })},
    };
    if (json)
        fmt::print("{{\n  \"graph\": \"{}\", \"ops\": {}", graph.toStdString(), outcome->plan.device.size());
    else
        fmt::print("{}, {} ops on {} devices\n", graph.toStdString(), outcome->plan.device.size(),
                   outcome->problem.cluster->deviceCount());
    for (const auto& [name, value] : values)
        fmt::print(fmt::runtime(json ? ",\n  \"{}\": {:.2f}" : "  {:<18} {:>8.2f}\n"), name, value);
    fmt::print("{}", json ? "\n}\n" : "");
    return 0;
}

} // namespace
} // namespace opscape::bench

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_LOGGING_RULES", "*.warning=false"); // remarks on the machine, such as a missing XDG_RUNTIME_DIR
    const QApplication application(argc, argv);
    QStringList arguments = QApplication::arguments().mid(1);
    const bool json = arguments.removeAll(QStringLiteral("--json")) > 0;
    return opscape::bench::run(arguments.value(0, QStringLiteral("zoo:gnmt8,paper")), json);
}
