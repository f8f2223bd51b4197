// SPDX-License-Identifier: MIT
#include "bench/gui_whatif.h"

#include "gui/views/graph_widget.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <ctime>

namespace opscape::bench {
namespace {

constexpr int kEdits = 15;
constexpr int kPatienceMs = 60'000;

double median(std::vector<double> times) {
    std::ranges::sort(times);
    return times.empty() ? 0 : times[times.size() / 2];
}

/// One op, a run of ops as a group has them, a tenth of the graph: in turn.
std::vector<OpId> selectionOf(int edit, std::size_t ops) {
    const std::size_t count = edit % 3 == 0 ? 1 : edit % 3 == 1 ? ops / 100 : ops / 10;
    const std::size_t from = ops / (kEdits + 2) * static_cast<std::size_t>(edit + 1);
    std::vector<OpId> selected;
    for (std::size_t i = from; i < std::min(ops, from + std::max<std::size_t>(1, count)); ++i)
        selected.emplace_back(i);
    return selected;
}

} // namespace

WhatIfTimes whatIfTimes(Session& session, MainWindow& window) {
    const auto idle = [&] { return QTest::qWaitFor([&] { return session.jobs().idle(); }, kPatienceMs); };
    auto* canvas = window.findChild<GraphWidget*>(QStringLiteral("graphWidget"));
    const std::size_t ops = session.opened()->graph->opCount();
    const std::size_t devices = std::min<std::size_t>(9, session.shown()->cluster().deviceCount());
    canvas->setFocus();
    std::vector<double> schedule, drawn, cpu;
    for (int i = 0; i < kEdits && idle(); ++i) {
        session.selectOps(selectionOf(i, ops));
        QApplication::processEvents();
        const std::size_t from = session.shown()->deviceOf(session.selection().ops.front()).index();
        const ShownRunPtr before = session.shown();
        QElapsedTimer took;
        took.start();
        const std::clock_t begin = std::clock();
        QTest::keyClick(canvas,
                        static_cast<Qt::Key>(static_cast<int>(Qt::Key_1) + static_cast<int>((from + 1) % devices)));
        while (session.shown() == before && took.elapsed() < kPatienceMs)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        schedule.push_back(static_cast<double>(took.nsecsElapsed()) * 1e-6);
        cpu.push_back(1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
        while (!session.jobs().idle() && took.elapsed() < kPatienceMs)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QApplication::processEvents();
        drawn.push_back(static_cast<double>(took.nsecsElapsed()) * 1e-6);
    }
    while (session.whatIf().edited())
        session.undo();
    std::ignore = idle();
    return {median(std::move(schedule)), median(std::move(drawn)), median(std::move(cpu))};
}

} // namespace opscape::bench
