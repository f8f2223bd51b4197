// SPDX-License-Identifier: MIT
// The picture of one schedule, to be moved in: zoom and pan along time, step from bar to bar, select, measure, mark.
// Several of them can be coupled: each says where it looks, and can be told where to look.
#pragma once

#include "gui/look.h"
#include "gui/session.h"
#include "gui/views/gantt_steps.h"
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

    /// What the bars are coloured by; null: by device. `isolated`: the class that alone keeps its colour, or -1.
    void setColours(std::shared_ptr<const OpColours> colours, int isolated);
    [[nodiscard]] const std::shared_ptr<const OpColours>& colours() const { return m_colours; }
    /// Which lanes are seen, and in which order.
    void setLanes(LaneChoice choice);
    [[nodiscard]] const LaneChoice& lanes() const { return m_choice; }
    [[nodiscard]] const LaneStack& stack() const { return *m_stack; }
    /// Ops that a search found; their bars are marked.
    void setFound(const std::vector<OpId>& ops);
    [[nodiscard]] const std::optional<TimeRange>& range() const { return m_range; }
    void setRange(std::optional<TimeRange> range);
    [[nodiscard]] const std::optional<TimeRange>& ruler() const { return m_ruler; }
    [[nodiscard]] const std::vector<TimeMark>& marks() const { return m_marks; }
    void setMarks(std::vector<TimeMark> marks);
    /// The moment whose memory is looked at; an invalid device: none.
    void setMoment(DeviceId device, std::int64_t ns);
    /// A segment of the critical path, drawn stronger and brought into view; -1: none.
    void setSegment(int segment);
    /// Everything that is drawn beside the schedule; borrows from this.
    [[nodiscard]] GanttView view() const;

    void fit();
    void zoomBy(double factor);
    void panBy(double fractionOfView);
    /// Centres the selection; once it is in the centre, zooms to it.
    void centreOnSelection();
    /// Brings a moment into the middle.
    void goTo(std::int64_t ns);
    /// To the next or previous bar of the lane; to the first bar when none is selected.
    void stepBar(int by);
    void stepLane(int by);
    /// To what the selected bar waited for last, or to what waits for it.
    void stepToCause();
    void stepToEffect();
    void showCritical(bool on);
    [[nodiscard]] bool criticalShown() const { return m_criticalShown; }
    /// A mark at the pointer, else at the start of the selected bar, else in the middle.
    void addMark();
    /// Measures the selected bar, from the bar measured before on; with none selected, the next drag.
    void measure();
    /// The time that the selected ops take, or all of the step.
    void rangeOfSelection();
    /// Moves the lane of the selected bar among the others, pins it, hides it.
    void moveLane(int by);
    void pinLane();
    void hideLane();
    /// Takes range, ruler and what else was looked at away; false when there was nothing.
    bool clearLooks();

signals:
    /// A person moved it; `fitted`: to show the whole span, whatever the width.
    void moved(double startNs, double nsPerPixel, bool fitted);
    void rangeChanged();
    void marksChanged();
    void lanesChanged();
    void memoryAsked(opscape::DeviceId device, qint64 ns);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { None, Pan, ZoomBox, Range, Ruler, Lane };

    [[nodiscard]] const GanttData& data() const { return m_run->gantt; }
    [[nodiscard]] GanttHit hitAt(QPointF position) const;
    [[nodiscard]] GanttTarget selectedTarget() const;
    [[nodiscard]] GanttData::Place selectedPlace() const;
    [[nodiscard]] std::optional<TimeRange> selectedTime() const;
    [[nodiscard]] double laneWidth() const {
        return std::max(1.0, static_cast<double>(width()) - m_camera.labelWidth - barMargin());
    }
    [[nodiscard]] double barMargin() const { return m_scroll->isVisible() ? m_scroll->width() : 0; }
    [[nodiscard]] bool pointerInPlot() const;
    void restack();
    void zoomAt(double x, double factor);
    void fitQuietly();
    void settle(); ///< keeps the camera in bounds, repaints, tells the coupled ones
    void clampCamera();
    void select(const GanttTarget& target);
    void bringIntoView(GanttData::Place place);
    void bringLaneIntoView(int lane);
    void layoutScrollBar();
    void selectionMoved();
    void describe();
    void clicked(QPointF position);
    void dragged(QPointF position);
    void dropLane(QPointF position);
    void putLane(int lane, int before); ///< before another lane; -1: last
    [[nodiscard]] std::int64_t snapped(QPointF position) const;
    [[nodiscard]] std::int64_t timeAt(double x) const;
    void paintDrag(QPainter& painter) const;

    Session& m_session;
    const Look& m_look;
    ShownRunPtr m_run;
    QString m_notice;
    QString m_title; ///< read aloud before the selected bar
    GanttCamera m_camera;
    QScrollBar* m_scroll;
    QImage m_image;
    std::shared_ptr<const OpColours> m_colours;
    int m_isolated = -1;
    LaneChoice m_choice;
    std::optional<LaneStack> m_stack; ///< of the run; none without
    std::vector<OpId> m_foundOps;
    std::vector<std::uint8_t> m_found; ///< per op; empty: nothing was found
    std::optional<TimeRange> m_range, m_ruler, m_measured;
    std::vector<TimeMark> m_marks;
    DeviceId m_momentDevice;
    std::int64_t m_momentNs = -1;
    int m_segment = -1;
    std::int64_t m_spanNs = 0;
    std::int64_t m_markNs = -1;
    bool m_fitted = true;
    bool m_criticalShown = false;
    bool m_measureNext = false; ///< the next drag is the ruler's
    bool m_selecting = false;   ///< the selection is changed from here
    Drag m_drag = Drag::None;
    bool m_moved = false;
    int m_dragLane = -1;
    std::int64_t m_dragNs = 0; ///< where a range or the ruler began
    QPointF m_pressed, m_last;
    std::optional<QPointF> m_pointer; ///< while it is over the canvas
};

} // namespace opscape
