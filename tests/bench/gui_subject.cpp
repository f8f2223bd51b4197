// SPDX-License-Identifier: MIT
#include "bench/gui_subject.h"

#include "bench/gui_frames.h"
#include "bench/gui_whatif.h"
#include "gui/main_window.h"
#include "gui/views/graph_pane.h"

#include <opscape/base/paths.h>
#include <opscape/io/format.h>

#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QPaintEvent>
#include <QTemporaryDir>

#include <fmt/format.h>
#include <unistd.h>

#include <clocale>
#include <fstream>

namespace opscape::bench {
namespace {

constexpr QSize kScreen{1920, 1080};
constexpr int kFlatOps = 10'000;
constexpr int kToggles = 6;

/// Layers of ops whose names say nothing, as exporters write them: n0, n1, ...
Graph flatGraph() {
    GraphBuilder builder("flat10k");
    Random random(1);
    std::vector<TensorId> made;
    for (int i = 0; i < kFlatOps; ++i) {
        Op op;
        op.name = fmt::format("n{}", i);
        op.type = i % 3 == 0 ? "MatMul" : i % 3 == 1 ? "Add" : "Relu";
        op.timeNs["gpu"] = 5'000 + random.below(40'000);
        const OpId id = builder.addOp(std::move(op));
        if (i > 0)
            builder.addInput(id, made.back());
        if (i > 20 && i % 4 == 0)
            builder.addInput(id, made[made.size() - 2 - random.below(18)]);
        Tensor tensor;
        tensor.name = fmt::format("n{}:0", i);
        tensor.bytes = 16'384 + random.below(500'000);
        made.push_back(builder.addOutput(id, std::move(tensor)));
    }
    Diagnostics diagnostics;
    return orExit(std::move(builder).build(diagnostics));
}

double rssMb() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("VmHWM:", 0) == 0)
            return std::atof(line.c_str() + 6) / 1024;
    }
    return 0;
}

/// The window with what it stands on, over a folder of its own.
struct Desk {
    QTemporaryDir folder;
    QSettings settings{folder.path() + QStringLiteral("/window.ini"), QSettings::IniFormat};
    Look look;
    Session session{startIn(folder.path())};
    MainWindow window{session, look, settings};

    Desk() {
        look.setMode(ThemeMode::Light);
        window.resize(kScreen);
        window.show();
    }
    static Session::Start startIn(const QString& folder) {
        Session::Start start;
        start.database = (folder + QStringLiteral("/runs.sqlite")).toStdString();
        return start;
    }
};

template <class Condition>
void wait(const Condition& condition) {
    while (!condition())
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
}

/// Notes that something was painted.
class PaintWatch : public QObject {
public:
    explicit PaintWatch(QWidget* widget) { widget->installEventFilter(this); }
    bool painted = false;

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        painted = painted || event->type() == QEvent::Paint;
        return false;
    }
};

double openMs(Desk& desk, GraphWidget& canvas, const QString& file) {
    return 1e3 * seconds([&] {
               desk.window.openFiles({file});
               wait([&] { return canvas.scene() != nullptr; });
               canvas.repaint();
           });
}

/// Largest group of those that are closed, opened and closed again several times: median, from the wish to the picture.
double toggleMs(Desk& desk, GraphPane& pane) {
    GraphWidget& canvas = pane.canvas();
    const ScopeTree& scopes = *desk.session.opened()->scopes;
    ScopeId largest;
    for (const SceneNode& node : canvas.scene()->nodes) {
        if (!node.op.valid() && !node.expanded &&
            (!largest.valid() || scopes.scope(node.scope).opsBelow > scopes.scope(largest).opsBelow))
            largest = node.scope;
    }
    if (!largest.valid())
        return 0;
    std::vector<double> times;
    for (int i = 0; i < kToggles; ++i) {
        times.push_back(1e3 * seconds([&] {
                            const auto before = canvas.scene();
                            pane.toggle(largest, false);
                            wait([&] { return canvas.scene() != before; });
                            canvas.repaint();
                        }));
        wait([&] { return desk.session.jobs().idle(); });
    }
    return median(std::move(times));
}

/// The canvas alone at the size of a screen.
void fillScreen(Desk& desk, GraphWidget& canvas) {
    for (QDockWidget* dock : desk.window.findChildren<QDockWidget*>())
        dock->hide();
    QCoreApplication::processEvents();
    for (int i = 0; i < 3; ++i) {
        desk.window.resize(desk.window.size() + kScreen - canvas.size());
        QCoreApplication::processEvents();
    }
}

} // namespace

bool GuiSubject::there() const { return file.isEmpty() || QFileInfo::exists(file); }

std::vector<GuiSubject> guiSubjects() {
    return {{QStringLiteral("zoo:gnmt8,paper"), {}},
            {QStringLiteral("zoo:inception32,paper"), {}},
            {QStringLiteral("light_resnet50"),
             QStringLiteral(OPSCAPE_SOURCE_DIR "/../shared/data/onnx/light_resnet50.onnx")},
            {QStringLiteral("flat10k"), {}}};
}

int showEmptyWindow(int argc, char** argv) {
    const QApplication application(argc, argv);
    Desk desk;
    PaintWatch watch(&desk.window);
    wait([&] { return watch.painted; });
    std::fflush(stdout);
    ::_exit(0); // what is measured is the start, not the end
}

int measureGraph(int argc, char** argv, const char* name, const char* pictures) {
    const QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C");
    Desk desk;
    wait([&] { return desk.session.workbench() != nullptr && desk.window.runsListed(); });
    auto* pane = desk.window.findChild<GraphPane*>();
    GraphWidget& canvas = pane->canvas();

    QString file;
    for (const GuiSubject& subject : guiSubjects()) {
        if (subject.name == QLatin1String(name))
            file = subject.file;
    }
    if (file.isEmpty()) {
        file = desk.folder.filePath(QStringLiteral("graph.json"));
        const bool flat = std::strcmp(name, "flat10k") == 0;
        const auto graph =
            flat ? std::make_shared<const Graph>(flatGraph()) : orExit(Workbench::openGraph(name))->graph;
        orExit(writeGraph(*graph, file.toStdString()).transform([](const Diagnostics&) { return 0; }));
    }
    fmt::print("first_picture_ms {:.2f}\n", openMs(desk, canvas, file));
    wait([&] { return desk.session.jobs().idle(); });
    fmt::print("expand_ms {:.2f}\n", toggleMs(desk, *pane));
    const WhatIfTimes edits = whatIfTimes(desk.session, desk.window);
    fmt::print("whatif_ms {:.2f}\nlarge_whatif_ms {:.2f}\n", edits.scheduleMs, edits.largeMs);
    desk.session.select({});
    fillScreen(desk, canvas);
    FrameBench frames(canvas, pictures);
    canvas.fit();
    frames.picture("first");
    const auto before = canvas.scene();
    pane->expandAll();
    wait([&] { return canvas.scene() != before && desk.session.jobs().idle(); });
    frames.run();
    fmt::print("frame_mean_ms {:.3f}\nframe_p99_ms {:.3f}\n", frames.meanMs(), frames.p99Ms());
    fmt::print("still_ms {:.3f}\nstill_event_ms {:.3f}\n", frames.stillMs(), frames.stillEventMs());
    fmt::print("rss_mb {:.1f}\n", rssMb());
    std::fflush(stdout);
    ::_exit(0);
}

} // namespace opscape::bench
