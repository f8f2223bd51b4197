// SPDX-License-Identifier: MIT
#include "bench/gui_frames.h"

#include <QApplication>
#include <QDeadlineTimer>
#include <QMouseEvent>
#include <QWheelEvent>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>

namespace opscape::bench {
namespace {

constexpr int kZooms = 5, kFitted = 30, kWheelSteps = 12;
constexpr double kReadable = 1.6;     ///< scale of the last zoom: boxes are read with ease
constexpr double kWheelFactor = 1.25; ///< of one notch of the wheel
constexpr int kPatienceMs = 30'000;
/// The recorded pan: what the pointer moved from one frame to the next, pixels; a throw to one side, a hold, a curve.
constexpr QPoint kPan[] = {{0, 0},     {-3, -1},   {-9, -4},  {-22, -9}, {-41, -17}, {-58, -20}, {-63, -26}, {-60, -31},
                           {-44, -40}, {-25, -52}, {-8, -60}, {4, -55},  {17, -48},  {30, -30},  {44, -12},  {52, 3},
                           {49, 18},   {37, 29},   {21, 33},  {9, 25},   {4, 12},    {1, 5},     {0, 1},     {0, 0}};

double threadMs() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

void sendMouse(QWidget& to, QEvent::Type type, QPointF at, Qt::MouseButtons buttons) {
    QMouseEvent event(type, at, to.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, buttons,
                      Qt::NoModifier);
    QApplication::sendEvent(&to, &event);
}

/// A place where there is much to see: the middle op of those drawn one by one.
QPointF somewhere(const GraphScene& scene) {
    std::vector<const SceneNode*> ops;
    for (const SceneNode& node : scene.nodes) {
        if (node.op.valid())
            ops.push_back(&node);
    }
    if (ops.empty())
        return {scene.width / 2, scene.height / 2};
    const LayoutRect& r = ops[ops.size() / 2]->rect;
    return {r.x + r.width / 2, r.y + r.height / 2};
}

} // namespace

void FrameBench::frame() {
    const double begin = threadMs();
    m_canvas.repaint();
    m_ms.push_back(threadMs() - begin);
}

void FrameBench::still() {
    const std::clock_t begin = std::clock();
    QDeadlineTimer patience(kPatienceMs);
    const auto event = [&](const auto& happens) {
        const double from = threadMs();
        happens();
        m_stillEvent = std::max(m_stillEvent, threadMs() - from);
    };
    event([&] { m_canvas.repaint(); });
    while (!m_canvas.isWhole() && !patience.hasExpired())
        event([] { QApplication::processEvents(QEventLoop::WaitForMoreEvents); });
    m_still = std::max(m_still, 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
}

void FrameBench::zoomIn(QPointF at, double factor) {
    const int delta = static_cast<int>(std::lround(120 * std::log(factor) / std::log(kWheelFactor)));
    QWheelEvent event(at, m_canvas.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&m_canvas, &event);
    frame();
}

void FrameBench::pan() {
    QPointF at = m_canvas.rect().center();
    sendMouse(m_canvas, QEvent::MouseButtonPress, at, Qt::LeftButton);
    for (const int way : {1, -1}) { // there and back, so that the next zoom is into the same place
        for (const QPoint& by : kPan) {
            at += by * way;
            sendMouse(m_canvas, QEvent::MouseMove, at, Qt::LeftButton);
            frame();
        }
    }
    sendMouse(m_canvas, QEvent::MouseButtonRelease, at, Qt::NoButton);
}

void FrameBench::picture(const std::string& name) {
    if (!m_pictures.empty())
        m_canvas.grab().save(QString::fromStdString(fmt::format("{}/{}.png", m_pictures, name)));
}

void FrameBench::run() {
    m_canvas.fit();
    still();
    picture("fit");
    for (int i = 0; i < kFitted; ++i) { // a pixel to and fro: what has not changed would not be drawn again
        QWheelEvent event(m_canvas.rect().center(), {}, {}, {0, i % 2 == 0 ? 2 : -2}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&m_canvas, &event);
        frame();
    }
    m_canvas.fit();
    const QPointF target = somewhere(*m_canvas.scene());
    const double all = std::max(kReadable / m_canvas.camera().scale, 1.0);
    for (int zoom = 1; zoom <= kZooms; ++zoom) {
        for (int step = 0; step < kWheelSteps; ++step)
            zoomIn(m_canvas.camera().toScreen(target), std::pow(all, 1.0 / (kZooms * kWheelSteps)));
        still();
        picture(fmt::format("zoom{}", zoom));
        pan();
        still();
    }
}

double FrameBench::meanMs() const {
    return std::accumulate(m_ms.begin(), m_ms.end(), 0.0) / static_cast<double>(m_ms.size());
}

double FrameBench::p99Ms() const {
    std::vector<double> sorted = m_ms;
    std::ranges::sort(sorted);
    return sorted[std::min(sorted.size() - 1, sorted.size() * 99 / 100)];
}

} // namespace opscape::bench
