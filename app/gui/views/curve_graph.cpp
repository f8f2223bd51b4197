// SPDX-License-Identifier: MIT
#include "gui/views/curve_graph.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace opscape {
namespace {

constexpr int kDense = 1; ///< points per pixel from which smooth edges are hardly seen, and cost most of the time
constexpr int kDash = 8;  ///< columns, with the space after it

/// Paints what a line covers of each column of pixels, from left to right.
class ColumnPainter {
public:
    ColumnPainter(QPainter& painter, const QRect& area)
        : m_painter(painter),
          m_left(area.left()),
          m_right(area.right()),
          m_thick(std::max(1, qRound(painter.pen().widthF()))),
          m_isDashed(painter.pen().style() == Qt::DashLine) {}

    void begin(const QPointF& point) {
        enter(static_cast<int>(std::floor(point.x())), point.y());
        m_before = point;
    }
    void lineTo(const QPointF& point) {
        const int column = static_cast<int>(std::floor(point.x()));
        if (m_column < m_left - 1)
            m_column = std::min(column, m_left - 1); // what is further out is not seen
        while (m_column < column && m_column <= m_right) {
            const double part = (m_column + 1 - m_before.x()) / (point.x() - m_before.x());
            const double y = m_before.y() + part * (point.y() - m_before.y()); // where it leaves the column
            extend(y);
            paint();
            enter(m_column + 1, y);
        }
        extend(point.y());
        m_before = point;
    }
    void paint() {
        if (m_isDashed && m_column % kDash >= kDash / 2)
            return;
        const int top = qRound(m_low), aside = (m_thick - 1) / 2;
        m_painter.fillRect(m_column - aside, top - aside, m_thick, qRound(m_high) - top + m_thick,
                           m_painter.pen().color());
    }

private:
    void enter(int column, double y) {
        m_column = column;
        m_low = m_high = y;
    }
    void extend(double y) {
        m_low = std::min(m_low, y);
        m_high = std::max(m_high, y);
    }

    QPainter& m_painter;
    int m_left, m_right, m_thick, m_column = 0;
    bool m_isDashed;
    double m_low = 0, m_high = 0;
    QPointF m_before;
};

/// Where a line from left to right is at places that ascend.
class LineFollower {
public:
    explicit LineFollower(const QVector<QPointF>& line) : m_line(line) {}
    double at(double x) {
        while (m_next + 1 < m_line.size() && m_line[m_next].x() < x)
            ++m_next;
        const QPointF &before = m_line[m_next - 1], &after = m_line[m_next];
        const double part = after.x() > before.x() ? (x - before.x()) / (after.x() - before.x()) : 1;
        return before.y() + std::clamp(part, 0.0, 1.0) * (after.y() - before.y());
    }

private:
    const QVector<QPointF>& m_line;
    qsizetype m_next = 1;
};

} // namespace

CurveGraph::CurveGraph(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPGraph(keyAxis, valueAxis) {
    setAdaptiveSampling(false);
    setSelectable(QCP::stNone);
}

void CurveGraph::setPoints(const std::vector<double>& x, const std::vector<double>& y) {
    QVector<QCPGraphData> points;
    points.reserve(static_cast<qsizetype>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i)
        points.push_back({x[i], y[i]});
    m_isDense = points.size() > kDense * keyAxis()->axisRect()->width();
    setScatterStyle(points.size() == 1 ? QCPScatterStyle(QCPScatterStyle::ssDisc, 5) : QCPScatterStyle());
    data()->set(points, true);
}

void CurveGraph::drawFill(QCPPainter* painter, QVector<QPointF>* lines) const {
    const auto* other = static_cast<const CurveGraph*>(channelFillGraph()); // as setChannelFillGraph() was told
    if (other == nullptr || painter->modes().testFlag(QCPPainter::pmVectorized))
        return QCPGraph::drawFill(painter, lines);
    QVector<QPointF> others;
    other->getLines(&others, QCPDataRange(0, other->dataCount()));
    if (lines->size() < 2 || others.size() < 2)
        return;
    LineFollower low(*lines), high(others);
    const QRect area = keyAxis()->axisRect()->rect();
    const int from = std::max(area.left(), static_cast<int>(std::floor(lines->front().x())));
    const int to = std::min(area.right(), static_cast<int>(std::ceil(lines->back().x())));
    // One translucent image is blended at once; a rectangle for each column would cost a hundred times as much.
    QImage band(area.size(), QImage::Format_ARGB32_Premultiplied);
    band.fill(Qt::transparent);
    const QRgb color = qPremultiply(brush().color().rgba());
    const auto pixels =
        std::span(reinterpret_cast<QRgb*>(band.bits()), static_cast<std::size_t>(band.sizeInBytes()) / 4);
    const auto width = static_cast<std::size_t>(band.width());
    for (int column = from; column <= to; ++column) {
        const int bottom = std::min(area.bottom() + 1, qRound(low.at(column + 0.5)));
        for (int y = std::max(area.top(), qRound(high.at(column + 0.5))); y < bottom; ++y)
            pixels[static_cast<std::size_t>(y - area.top()) * width + static_cast<std::size_t>(column - area.left())] =
                color;
    }
    painter->drawImage(area.topLeft(), band);
}

void CurveGraph::drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const {
    if (!m_isDense || lines.empty() || painter->modes().testFlag(QCPPainter::pmVectorized)) {
        QCPGraph::drawLinePlot(painter, lines);
        return;
    }
    if (painter->pen().style() == Qt::NoPen)
        return;
    painter->setAntialiasing(false);
    ColumnPainter columns(*painter, keyAxis()->axisRect()->rect());
    columns.begin(lines.front());
    for (const QPointF& point : lines)
        columns.lineTo(point);
    columns.paint();
}

} // namespace opscape
