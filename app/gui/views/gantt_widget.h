// SPDX-License-Identifier: MIT
// The picture of one schedule, to be moved in: zoom and pan along time, step from bar to bar, select. Several of them
// can be coupled: each says where it looks, and can be told where to look.
#pragma once

#include "gui/look.h"
#include "gui/session.h"
#include "render/gantt_picture.h"

#include <QScrollBar>
#include <QWidget>

namespace opscape {

class GanttWidget : public QWidget {
    Q_OBJECT
public:
    GanttWidget(Session& session, const Look& look, QWidget* parent = nullptr);

    void setRun(ShownRunPtr run);
    [[nodiscard]] const ShownRunPtr& run() const { return m_run; }
    /// What is written where there is no schedule.
    void setNotice(const QString& text) { m_notice = text; }
    /// The span that fits the view, at least the run's own; for one axis over several runs.
    void setSpan(std::int64_t endNs);
    /// A line at another run's end; negative: none.
    void setMark(std::int64_t ns);
    [[nodiscard]] const GanttCamera& camera() const { return m_camera; }
    /// Looks where a coupled canvas looks.
    void follow(double startNs, double nsPerPixel, bool fitted);

    void fit();
    void zoomBy(double factor);
    void panBy(double fractionOfView);
    /// Centres the selected bar; once it is in the centre, zooms to it.
    void centreOnSelection();
    /// To the next or previous bar of the lane; to the first bar when none is selected.
    void stepBar(int by);
    void stepLane(int by);
    void showCritical(bool on);
    [[nodiscard]] bool criticalShown() const { return m_criticalShown; }

signals:
    /// A person moved it; `fitted`: to show the whole span, whatever the width.
    void moved(double startNs, double nsPerPixel, bool fitted);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { None, Pan, ZoomBox };

    [[nodiscard]] const GanttData::Bar& bar(GanttHit hit) const;
    [[nodiscard]] GanttHit selectedBar() const;
    [[nodiscard]] double laneWidth() const {
        return std::max(1.0, static_cast<double>(width()) - m_camera.labelWidth - barMargin());
    }
    [[nodiscard]] double barMargin() const { return m_scroll->isVisible() ? m_scroll->width() : 0; }
    void zoomAt(double x, double factor);
    void fitQuietly();
    void settle(); ///< keeps the camera in bounds, repaints, tells the coupled ones
    void clampCamera();
    void selectBar(GanttHit hit);
    void bringIntoView(GanttHit hit);
    void layoutScrollBar();
    void selectionMoved();

    Session& m_session;
    const Look& m_look;
    ShownRunPtr m_run;
    QString m_notice;
    GanttCamera m_camera;
    QScrollBar* m_scroll;
    std::int64_t m_spanNs = 0;
    std::int64_t m_markNs = -1;
    bool m_fitted = true;
    bool m_criticalShown = false;
    Drag m_drag = Drag::None;
    bool m_moved = false;
    QPointF m_pressed, m_last;
};

} // namespace opscape
