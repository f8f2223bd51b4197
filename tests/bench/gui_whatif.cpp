// SPDX-License-Identifier: MIT
#include "bench/gui_whatif.h"

#include "bench/bench_case.h"
#include "gui/views/graph_widget.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <ctime>

namespace opscape::bench {
namespace {

constexpr int kEdits = 15, kLargeEdits = 5;
constexpr int kPatienceMs = 60'000;

/// One op, a run of ops as a group has them, a tenth of the graph: in turn.
std::vector<OpId> selectionOf(int edit, std::size_t ops) {
    const std::size_t count = edit % 3 == 0 ? 1 : edit % 3 == 1 ? ops / 100 : ops / 10;
    const std::size_t from = ops / (kEdits + 2) * static_cast<std::size_t>(edit + 1);
    std::vector<OpId> selected;
    for (std::size_t i = from; i < std::min(ops, from + std::max<std::size_t>(1, count)); ++i)
        selected.emplace_back(i);
    return selected;
}

/// From the key to the new schedule, until it is drawn, and in processor time.
struct Took {
    std::vector<double> schedule, drawn, cpu;
};

/// Moves a selection from the device of its first op to the next one.
void moveOps(Session& session, GraphWidget& canvas, std::vector<OpId> selection, Took& took) {
    session.selectOps(std::move(selection));
    QApplication::processEvents();
    const std::size_t devices = std::min<std::size_t>(9, session.shown()->cluster().deviceCount());
    const std::size_t from = session.shown()->deviceOf(session.selection().ops.front()).index();
    const ShownRunPtr before = session.shown();
    QElapsedTimer timer;
    timer.start();
    const std::clock_t begin = std::clock();
    QTest::keyClick(&canvas,
                    static_cast<Qt::Key>(static_cast<int>(Qt::Key_1) + static_cast<int>((from + 1) % devices)));
    while (session.shown() == before && timer.elapsed() < kPatienceMs)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    took.schedule.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    took.cpu.push_back(1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    while (!session.jobs().idle() && timer.elapsed() < kPatienceMs)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QApplication::processEvents();
    took.drawn.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
}

} // namespace

WhatIfTimes whatIfTimes(Session& session, MainWindow& window) {
    const auto idle = [&] { return QTest::qWaitFor([&] { return session.jobs().idle(); }, kPatienceMs); };
    auto* canvas = window.findChild<GraphWidget*>(QStringLiteral("graphWidget"));
    const std::size_t ops = session.opened()->graph->opCount();
    canvas->setFocus();
    Took several, large;
    for (int i = 0; i < kEdits && idle(); ++i)
        moveOps(session, *canvas, selectionOf(i, ops), several);
    std::vector<OpId> many;
    for (std::size_t i = 0; i < std::min(ops, kLargeEdit); ++i)
        many.emplace_back(i);
    for (int i = 0; i < kLargeEdits && idle(); ++i)
        moveOps(session, *canvas, many, large);
    while (session.whatIf().edited())
        session.undo();
    std::ignore = idle();
    return {median(std::move(several.schedule)), median(std::move(several.drawn)), median(std::move(several.cpu)),
            median(std::move(large.schedule)), median(std::move(large.cpu))};
}

} // namespace opscape::bench
