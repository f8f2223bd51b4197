// SPDX-License-Identifier: MIT
#include "bench/gui_schedule.h"

#include "bench/bench_case.h"
#include "gui/views/gantt_widget.h"

#include <opscape/sim/simulator.h>

#include <QApplication>
#include <QTemporaryDir>
#include <QWheelEvent>

#include <fmt/format.h>
#include <unistd.h>

#include <clocale>
#include <cmath>
#include <ctime>
#include <numeric>

namespace opscape::bench {
namespace {

constexpr QSize kScreen{1920, 1080};
constexpr int kZooms = 5, kWheelSteps = 12, kFitted = 30, kPanFrames = 30;
constexpr double kAllZooms = 20'000; ///< the last of the five shows single bars with their names

double threadMs() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

class Frames {
public:
    Frames(GanttWidget& canvas, std::string pictures) : m_canvas(canvas), m_pictures(std::move(pictures)) {}

    void run(const std::string& name) {
        m_ms.clear();
        m_canvas.fit();
        picture(name + "_fit");
        for (int i = 0; i < kFitted; ++i)
            frame();
        for (int zoom = 1; zoom <= kZooms; ++zoom) {
            for (int step = 0; step < kWheelSteps; ++step)
                wheel(std::pow(kAllZooms, 1.0 / (kZooms * kWheelSteps)), Qt::ControlModifier);
            picture(fmt::format("{}_zoom{}", name, zoom));
            for (int i = 0; i < kPanFrames; ++i)
                wheel(i < kPanFrames / 2 ? 1.2 : 1 / 1.2, Qt::ShiftModifier);
        }
    }
    [[nodiscard]] double mean() const {
        return std::accumulate(m_ms.begin(), m_ms.end(), 0.0) / static_cast<double>(m_ms.size());
    }
    [[nodiscard]] double p99() const {
        std::vector<double> sorted = m_ms;
        std::ranges::sort(sorted);
        return sorted[sorted.size() * 99 / 100];
    }

private:
    void frame() {
        const double begin = threadMs();
        m_canvas.repaint();
        m_ms.push_back(threadMs() - begin);
    }
    void wheel(double factor, Qt::KeyboardModifier key) {
        const QPointF at = QPointF(m_canvas.rect().center()) + QPointF(30, 0);
        const int delta = static_cast<int>(std::lround(120 * std::log(factor) / std::log(1.3)));
        QWheelEvent event(at, m_canvas.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, key, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&m_canvas, &event);
        frame();
    }
    void picture(const std::string& name) {
        if (!m_pictures.empty())
            m_canvas.grab().save(QString::fromStdString(fmt::format("{}/{}.png", m_pictures, name)));
    }

    GanttWidget& m_canvas;
    std::string m_pictures;
    std::vector<double> m_ms;
};

} // namespace

int measureSchedule(int argc, char** argv, const std::string& pictures) {
    const QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C");
    const QTemporaryDir folder;
    const Look look;
    Session::Start start;
    start.database = folder.filePath(QStringLiteral("runs.sqlite")).toStdString();
    Session session(start);
    Case scattered(UnrolledGraph::make(8, 100, 50), "p100x8", Case::Placement::Random);
    Outcome outcome;
    auto opened = std::make_shared<OpenedGraph>();
    opened->graph = scattered.problem.graph;
    opened->scopes = std::make_shared<const ScopeTree>(*opened->graph);
    outcome.opened = opened;
    outcome.problem = scattered.problem;
    outcome.plan = scattered.plan;
    outcome.schedule = orExit(simulate(scattered.problem, scattered.plan));
    const auto shared = std::make_shared<const Outcome>(std::move(outcome));
    const auto run = std::make_shared<const ShownRun>(shared);
    std::size_t bars = 0;
    for (const GanttData::Lane& lane : run->gantt.lanes())
        bars += lane.bars.size();

    GanttWidget canvas(session, look);
    canvas.resize(kScreen);
    canvas.show();
    QCoreApplication::processEvents();
    const double begin = threadMs();
    const GanttData anew(shared->problem, shared->plan, shared->schedule);
    canvas.setRun(run);
    canvas.repaint();
    fmt::print("bars {}\nschedule_first_ms {:.2f}\n", bars, threadMs() - begin);

    Frames frames(canvas, pictures);
    frames.run("schedule");
    fmt::print("schedule_mean_ms {:.3f}\nschedule_p99_ms {:.3f}\n", frames.mean(), frames.p99());
    ColourSource source;
    source.graph = opened->graph.get();
    source.cluster = shared->problem.cluster.get();
    source.plan = &shared->plan;
    source.cost = shared->problem.cost.get();
    canvas.setColours(std::make_shared<const OpColours>(ColourBy::Time, source), -1);
    canvas.showCritical(true);
    frames.run("schedule_time");
    fmt::print("schedule_time_mean_ms {:.3f}\n", frames.mean());
    std::fflush(stdout);
    ::_exit(0);
}

} // namespace opscape::bench
