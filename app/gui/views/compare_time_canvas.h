// SPDX-License-Identifier: MIT
// A picture over time to be moved in: zoom and pan along time by mouse, wheel and keys, scroll where there are too many
// lanes. What is drawn is up to who derives from it. Several can be coupled, as GanttWidget is.
#pragma once

#include "gui/look.h"
#include "render/gantt_picture.h"

#include <QScrollBar>
#include <QWidget>

namespace opscape {

class CompareTimeCanvas : public QWidget {
    Q_OBJECT
public:
    CompareTimeCanvas(const Look& look, QWidget* parent = nullptr);

    [[nodiscard]] const GanttCamera& camera() const { return m_camera; }
    /// Looks where a coupled canvas looks; `fitted`: at all there is, whatever the width.
    void follow(double startNs, double nsPerPixel, bool fitted);
    void fit();
    void zoomBy(double factor);
    void panBy(double fractionOfView);

signals:
    /// A person moved it.
    void moved(double startNs, double nsPerPixel, bool fitted);

protected:
    /// Something else is drawn: its span of time, and the height of all its lanes.
    void setContent(std::int64_t endNs, double height);
    [[nodiscard]] const Look& look() const { return m_look; }
    /// Within `view`, from 0,0.
    virtual void paintContent(QPainter& painter, const QSizeF& view) = 0;
    virtual void clicked(QPointF position) = 0;
    [[nodiscard]] virtual QString tipAt(QPointF position) const = 0;

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] double barMargin() const { return m_scroll->isVisible() ? m_scroll->width() : 0; }
    [[nodiscard]] double laneWidth() const;
    void fitQuietly();
    void clampCamera();
    void settle();
    void zoomAt(double x, double factor);
    void layoutScrollBar();

    const Look& m_look;
    GanttCamera m_camera;
    QScrollBar* m_scroll;
    std::int64_t m_endNs = 0;
    double m_height = 0;
    bool m_fitted = true, m_pressed = false, m_moved = false;
    QPointF m_from, m_last;
};

} // namespace opscape
