// SPDX-License-Identifier: MIT
#include "gui/views/training_plot.h"

#include "gui/views/chart_axes.h"
#include "gui/views/curve_ticker.h"
#include "gui/views/overlay.h"

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr int kDrawEveryMs = 50;
constexpr int kHeadHeight = 18, kTextSize = 11;
/// Upper and lower chart of every column at the right of the step time.
constexpr std::array<std::pair<std::size_t, std::size_t>, 3> kColumns{{{1, 3}, {2, 4}, {5, 6}}};
constexpr const char* kWidestTick = "999999 s"; ///< half of it has room beside a chart

CurveTicker& tickerOf(QCPAxis* axis) { return *axis->ticker().staticCast<CurveTicker>(); }

} // namespace

TrainingPlot::TrainingPlot(Look& look, QWidget* parent) : QCustomPlot(parent), m_look(look) {
    setObjectName(QStringLiteral("trainingPlot"));
    setAccessibleName(tr("Training curves"));
    setFocusPolicy(Qt::StrongFocus);
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plotLayout()->clear();
    auto* left = new QCPLayoutGrid;
    auto* right = new QCPLayoutGrid;
    plotLayout()->addElement(0, 0, left);
    plotLayout()->addElement(0, 1, right);
    plotLayout()->setColumnStretchFactor(0, 0.8);
    plotLayout()->setColumnSpacing(10);
    for (QCPLayoutGrid* grid : {left, right}) {
        grid->setRowSpacing(1);
        grid->setColumnSpacing(10);
    }
    m_charts.reserve(7); // lines and handlers refer to them
    addLine(addChart(left, 0, 0, tr("Step time")), CurveFigure::Best, false);
    Chart& reward = addChart(right, 0, 0, tr("Reward"));
    addLine(reward, CurveFigure::ValueBaseline, true);
    addLine(reward, CurveFigure::Reward, false);
    addLine(addChart(right, 0, 1, tr("Entropy, nats")), CurveFigure::Entropy, false);
    addLine(addChart(right, 1, 0, tr("KL, nats")), CurveFigure::Kl, false);
    Chart& clipped = addChart(right, 1, 1, tr("Clipped"));
    addLine(clipped, CurveFigure::ClipFraction, false);
    addLine(addChart(right, 0, 2, tr("Policy loss")), CurveFigure::PolicyLoss, false);
    addLine(addChart(right, 1, 2, tr("Imitation loss")), CurveFigure::ImitationLoss, false);
    m_charts.front().lines.front().graph->setLineStyle(QCPGraph::lsStepLeft);
    tickerOf(clipped.rect->axis(QCPAxis::atLeft)).setUnit(0.01, QStringLiteral("%"));
    for (const auto& [upper, lower] : kColumns) {
        auto* group = new QCPMarginGroup(this);
        for (const std::size_t chart : {upper, lower})
            m_charts[chart].rect->setMarginGroup(QCP::msLeft, group);
        m_charts[upper].rect->axis(QCPAxis::atBottom)->setTickLabels(false);
    }

    m_marks.emplace(*this, *m_charts.front().rect);
    m_overlay.emplace(*this);
    for (const Chart& chart : m_charts)
        m_overlay->addChart(*chart.rect, chart.lines.back().figure);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDrawEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &TrainingPlot::refresh);
    connect(this, &QCustomPlot::afterLayout, this, &TrainingPlot::afterLayoutDone);
    connect(this, &QCustomPlot::mouseDoubleClick, this, &TrainingPlot::fit);
    connect(&look, &Look::changed, this, &TrainingPlot::dress);
    setAxis(m_axis);
    dress();
}

TrainingPlot::Chart& TrainingPlot::addChart(QCPLayoutGrid* grid, int row, int column, const QString& title) {
    Chart& chart = m_charts.emplace_back();
    chart.title = title;
    chart.head = new QCPTextElement(this);
    chart.head->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    chart.head->setMinimumSize(10, kHeadHeight); // what it says must not move the charts
    chart.head->setMaximumSize(QWIDGETSIZE_MAX, kHeadHeight);
    chart.rect = new QCPAxisRect(this);
    chart.rect->setMinimumSize(60, 30);
    chart.rect->setRangeDrag(Qt::Horizontal);
    chart.rect->setRangeZoom(Qt::Horizontal);
    grid->addElement(2 * row, column, chart.head);
    grid->addElement(2 * row + 1, column, chart.rect);
    for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft}) {
        QCPAxis* axis = chart.rect->axis(side);
        axis->setTicker(QSharedPointer<CurveTicker>::create());
        axis->setTickLength(0, 3);
        axis->setSubTicks(false);
        axis->setTickLabelPadding(3);
        axis->setLabelPadding(1);
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }
    tickerOf(chart.rect->axis(QCPAxis::atLeft)).setTickCount(4);
    chart.cursor = new QCPItemStraightLine(this);
    chart.cursor->setClipAxisRect(chart.rect);
    for (QCPItemPosition* position : {chart.cursor->point1, chart.cursor->point2}) {
        position->setAxisRect(chart.rect);
        position->setAxes(chart.rect->axis(QCPAxis::atBottom), chart.rect->axis(QCPAxis::atLeft));
        position->setTypeX(QCPItemPosition::ptPlotCoords);
        position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    chart.cursor->setVisible(false);
    // What the pointer changes has a buffer of its own, so that the curves are not drawn again for it.
    chart.cursor->setLayer(QStringLiteral("overlay"));
    chart.head->setLayer(QStringLiteral("overlay"));
    connect(chart.rect->axis(QCPAxis::atBottom), qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
            &TrainingPlot::rangeMoved);
    return chart;
}

void TrainingPlot::addLine(Chart& chart, CurveFigure figure, bool dashed) {
    Line line{figure, nullptr, nullptr, dashed};
    for (CurveGraph** graph : {&line.raw, &line.graph})
        *graph = new CurveGraph(chart.rect->axis(QCPAxis::atBottom), chart.rect->axis(QCPAxis::atLeft));
    chart.lines.push_back(std::move(line));
}

void TrainingPlot::dress() {
    const Theme& theme = m_look.theme();
    const QFont font = Theme::font(kTextSize);
    setBackground(theme.background);
    for (const Chart& chart : m_charts) {
        chart.head->setFont(Theme::font(kTextSize, true));
        chart.head->setTextColor(theme.text);
        chart.rect->setMinimumMargins({6, 2, QFontMetrics(font).horizontalAdvance(QLatin1String(kWidestTick)) / 2, 2});
        dressAxes(*chart.rect, theme, font, theme.frame);
        chart.cursor->setPen(penOf(theme.text, 1, Qt::DotLine));
        for (const Line& line : chart.lines) {
            line.graph->setPen(line.dashed ? penOf(theme.dimText, 1, Qt::DashLine)
                                           : penOf(m_look.accent(), line.figure == CurveFigure::Best ? 2 : 1));
            line.raw->setPen(penOf(Theme::mix(m_look.accent(), theme.background, .35), 1));
        }
    }
    m_marks->dress(theme);
    m_overlay->dress(theme, m_look.accent());
    schedule();
}

void TrainingPlot::clear() {
    m_curve.clear();
    m_read.reset();
    m_pointer.reset();
    m_fitted = true;
    smoothAnew();
    setBaselines({});
    curvesChanged();
}

void TrainingPlot::showAllBaselines(bool all) {
    m_marks->showAll(all, m_look.theme());
    schedule();
}

void TrainingPlot::setOverlay(std::vector<OverlaidRun> runs, bool areAlike) {
    m_overlay->set(std::move(runs), areAlike, m_look.theme(), m_look.accent());
    curvesChanged();
}

void TrainingPlot::growOverlay(std::size_t run, std::span<const CurvePoint> points, bool anew) {
    m_overlay->grow(run, points, anew);
    curvesChanged();
}

void TrainingPlot::setSmoothing(double weight) {
    m_smoothing = weight;
    smoothAnew();
    curvesChanged();
}

void TrainingPlot::smoothAnew() {
    for (Chart& chart : m_charts) {
        for (Line& line : chart.lines) {
            line.smooth.reset();
            if (m_smoothing > 0 && line.figure != CurveFigure::Best && !line.dashed)
                line.smooth.emplace(m_smoothing);
        }
    }
    followSmoothed();
}

void TrainingPlot::followSmoothed() {
    for (Chart& chart : m_charts) {
        for (Line& line : chart.lines) {
            if (line.smooth)
                line.smooth->follow(m_curve.y(line.figure));
        }
    }
}

void TrainingPlot::setBaselines(std::vector<NamedTime> baselines) {
    m_marks->set(std::move(baselines), m_look.theme());
    schedule();
}

void TrainingPlot::append(std::span<const CurvePoint> points) {
    m_curve.append(points);
    followSmoothed();
    curvesChanged();
}

void TrainingPlot::setAxis(CurveAxis axis) {
    m_axis = axis;
    m_pointer.reset(); // it was a place on the other axis
    m_fitted = true;
    const QString label = axis == CurveAxis::Updates   ? tr("updates")
                          : axis == CurveAxis::Seconds ? tr("seconds")
                                                       : tr("simulations");
    m_charts.front().rect->axis(QCPAxis::atBottom)->setLabel(label);
    for (const auto& [upper, lower] : kColumns)
        m_charts[lower].rect->axis(QCPAxis::atBottom)->setLabel(label);
    curvesChanged();
}

void TrainingPlot::setLogarithmic(bool logarithmic) {
    m_logarithmic = logarithmic;
    schedule();
}

void TrainingPlot::setAxisLogarithmic(bool logarithmic) {
    m_axisLogarithmic = logarithmic;
    m_fitted = true;
    m_moving = true;
    for (const Chart& chart : m_charts) {
        QCPAxis* axis = chart.rect->axis(QCPAxis::atBottom);
        axis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        tickerOf(axis).setLogarithmic(logarithmic);
    }
    m_moving = false;
    curvesChanged();
}

void TrainingPlot::fit() {
    m_fitted = true;
    schedule();
}

void TrainingPlot::zoomBy(double factor) {
    const QCPRange range = m_charts.front().rect->axis(QCPAxis::atBottom)->range();
    const QCPRange seen = drawn(range);
    double centre = seen.center();
    if (m_read && range.contains(m_curve.x(m_axis)[*m_read]))
        centre = drawn({m_curve.x(m_axis)[*m_read], range.upper}).lower;
    rangeMoved(undrawn({centre - (centre - seen.lower) / factor, centre + (seen.upper - centre) / factor}));
}

void TrainingPlot::panBy(double share) {
    const QCPRange range = m_charts.front().rect->axis(QCPAxis::atBottom)->range();
    rangeMoved(undrawn(drawn(range) + share * drawn(range).size()));
}

const QCPGraph& TrainingPlot::line(CurveFigure figure) const {
    for (const Chart& chart : m_charts) {
        for (const Line& line : chart.lines) {
            if (line.figure == figure)
                return *line.graph;
        }
    }
    return *m_charts.front().lines.front().graph; // every figure has a line
}

void TrainingPlot::paintEvent(QPaintEvent* event) {
    QCustomPlot::paintEvent(event);
    if (!hasFocus())
        return;
    QPainter painter(this);
    paintFocusFrame(painter, rect(), m_look.accent());
}

void TrainingPlot::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    QCustomPlot::mousePressEvent(event);
}

} // namespace opscape
