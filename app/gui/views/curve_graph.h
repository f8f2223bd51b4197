// SPDX-License-Identifier: MIT
// A line of a chart that stays quick to draw where it has more points than the chart has pixels: there it is painted as
// what it covers of each column of pixels, which looks the same as the line without smooth edges.
#pragma once

#include <qcustomplot.h>

namespace opscape {

class CurveGraph : public QCPGraph {
public:
    CurveGraph(QCPAxis* keyAxis, QCPAxis* valueAxis);
    /// Points are in ascending order of x, and chosen for the pixels already.
    void setPoints(const std::vector<double>& x, const std::vector<double>& y);

protected:
    /// Between this line and that of setChannelFillGraph(), which must be such a graph too.
    void drawFill(QCPPainter* painter, QVector<QPointF>* lines) const override;
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override;

private:
    bool m_isDense = false;
};

} // namespace opscape
