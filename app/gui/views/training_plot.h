// SPDX-License-Identifier: MIT
// The curves of one learning run: step time with what it is compared with as dashed lines, reward, entropy, KL, clip
// fraction and losses, on one horizontal axis. The title of each chart reads out the point under the cursor, or the
// last. Other runs may be laid over it.
#pragma once

#include "gui/look.h"
#include "gui/models/curve_columns.h"
#include "gui/views/baseline_marks.h"
#include "gui/views/curve_overlay.h"

#include <QTimer>
#include <qcustomplot.h>

#include <optional>

namespace opscape {

class TrainingPlot : public QCustomPlot {
    Q_OBJECT
public:
    TrainingPlot(Look& look, QWidget* parent = nullptr);

    void clear();
    void setBaselines(std::vector<NamedTime> baselines);
    void append(std::span<const CurvePoint> points);
    [[nodiscard]] const CurveColumns& curve() const { return m_curve; }
    [[nodiscard]] const std::vector<NamedTime>& baselines() const { return m_marks->baselines(); }
    [[nodiscard]] const BaselineMarks& marks() const { return *m_marks; }
    /// Else the notable ones.
    void showAllBaselines(bool all);
    /// Their mean and spread are drawn where they are alike but for the seed.
    void setOverlay(std::vector<OverlaidRun> runs, bool areAlike);
    [[nodiscard]] const CurveOverlay& overlay() const { return *m_overlay; }
    /// More of the curve of the run at a place in the overlay, or `anew` all of it.
    void growOverlay(std::size_t run, std::span<const CurvePoint> points, bool anew);

    void setAxis(CurveAxis axis);
    [[nodiscard]] CurveAxis axis() const { return m_axis; }
    /// Charts with a value that is not positive stay linear.
    void setLogarithmic(bool logarithmic);
    /// The horizontal axis: it begins with the first point above 0.
    void setAxisLogarithmic(bool logarithmic);
    [[nodiscard]] bool isAxisLogarithmic() const { return m_axisLogarithmic; }
    /// 0: the curves as they are; towards 1: smoother ones, over them as they are. Step times stay as they are.
    void setSmoothing(double weight);

    /// Draws at once what was to be drawn soon.
    void refreshNow();

    void fit();
    void zoomBy(double factor);
    void panBy(double share);
    /// Reads the point so many further, from the last one on where none is read.
    void stepReading(std::ptrdiff_t by);
    void readLast();
    [[nodiscard]] std::optional<std::size_t> pointRead() const { return m_read; }
    /// Where on the axis is read, by pointer or keys; none: at the end of each curve.
    [[nodiscard]] std::optional<double> placeRead() const;
    /// "Update 12, 3.4 s, 128 simulations": of the point that is read out; empty where there is none.
    [[nodiscard]] QString place() const;
    /// What the title of each chart says, e.g. "Step time 20.1 ms".
    [[nodiscard]] QStringList readings() const;
    /// The line of a figure as it is drawn.
    [[nodiscard]] const QCPGraph& line(CurveFigure figure) const;

signals:
    void readingChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Line {
        CurveFigure figure;
        CurveGraph* graph;
        CurveGraph* raw; ///< what is smoothed
        bool dashed;
        std::optional<SmoothedSeries> smooth{};
    };
    struct Chart {
        QString title;
        QCPTextElement* head = nullptr;
        QCPAxisRect* rect = nullptr;
        QCPItemStraightLine* cursor = nullptr;
        std::vector<Line> lines;
        // What its points were chosen for: a width in pixels, a part of the axis, and curves as they were then.
        int sampledFor = 0;
        QCPRange sampledRange;
        std::uint64_t sampledCurves = 0;
    };
    Chart& addChart(QCPLayoutGrid* grid, int row, int column, const QString& title);
    void addLine(Chart& chart, CurveFigure figure, bool dashed);
    void dress();

    void schedule();
    /// The curves are others, or drawn otherwise.
    void curvesChanged();
    void refresh();
    void sample(Chart& chart);
    void smoothAnew();
    void followSmoothed();
    [[nodiscard]] CurveWindow windowOf(const Chart& chart) const;
    void scaleValues(Chart& chart);
    void afterLayoutDone();
    void rangeMoved(const QCPRange& range);
    void drawReading();
    void showReading();
    [[nodiscard]] std::optional<std::size_t> readPoint() const;
    [[nodiscard]] QCPRange wholeRange() const;
    /// From a place on the axis to where it is drawn, up to a factor, and back.
    [[nodiscard]] QCPRange drawn(const QCPRange& range) const;
    [[nodiscard]] QCPRange undrawn(const QCPRange& range) const;
    [[nodiscard]] QString readingOf(const Chart& chart) const;
    void read(std::optional<std::size_t> point, std::optional<double> pointer = {});

    Look& m_look;
    CurveColumns m_curve;
    std::vector<Chart> m_charts; ///< the first is that of the step time
    std::optional<BaselineMarks> m_marks;
    std::optional<CurveOverlay> m_overlay;
    CurveAxis m_axis = CurveAxis::Updates;
    bool m_logarithmic = false, m_axisLogarithmic = false;
    double m_smoothing = 0;
    bool m_fitted = true; ///< the whole curve is shown, also when it grows
    bool m_moving = false;
    bool m_isStale = false;     ///< something changed while it was not seen
    std::uint64_t m_curves = 1; ///< counts their changes
    std::optional<std::size_t> m_read;
    std::optional<double> m_pointer; ///< where on the axis
    QTimer m_timer;                  ///< draws at most 20 times a second
};

} // namespace opscape
