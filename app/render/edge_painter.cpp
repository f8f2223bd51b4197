// SPDX-License-Identifier: MIT
#include "edge_painter.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr std::size_t kMostCurves = 2000; ///< highlighted edges drawn at once
constexpr double kPlainScale = 0.14;      ///< below this, edges are plain lines
constexpr double kNoEdgeBoxes = 2.5;      ///< boxes lower than this many pixels: edges would only be a haze

} // namespace

EdgePainter::EdgePainter(GraphCanvas& canvas)
    : m_canvas(canvas),
      m_arrow(canvas.scale() < 0.3 ? 0 : std::clamp(7.5 * canvas.scale(), 4.0, 12.0)) {}

EdgePainter::Style EdgePainter::style(int index) const {
    const SceneEdge& edge = m_canvas.scene().edges[index];
    const double scale = std::clamp(m_canvas.scale(), 0.45, 1.2);
    Style style{m_canvas.theme.edge, 1.15 * scale, 0};
    if (const auto& c = m_canvas.placement.crossing(index); c.from.valid()) {
        // 1 KiB is hardly wider than any other edge, 1 GiB is five times as wide.
        const double byBytes = std::log2(1 + c.bytes / 1024) * 0.22;
        style.colour = Theme::mix(m_canvas.theme.device(c.from), m_canvas.theme.text, 0.88);
        style.width = (1.6 + std::min(byBytes, 4.5)) * scale;
        style.order = 1;
    }
    const auto onPath = [&](const auto& end) { return m_canvas.critical(end.first) && m_canvas.critical(end.second); };
    if (m_canvas.what.critical != nullptr && std::ranges::any_of(edge.ends, onPath)) {
        style.colour = m_canvas.theme.critical;
        style.width = std::max(style.width, 2.4 * scale);
        style.order = 2;
    }
    return style;
}

bool EdgePainter::endInView(const SceneEdge& edge) const {
    const auto& nodes = m_canvas.scene().nodes;
    return m_canvas.screen(nodes[edge.from].rect).intersects(m_canvas.view) ||
           m_canvas.screen(nodes[edge.to].rect).intersects(m_canvas.view);
}

void EdgePainter::edges(int first, int last) {
    std::vector<std::pair<Style, int>> shown;
    QVector<QLineF> plain;
    const bool plainOnly = m_canvas.scale() < kPlainScale;
    for (int i = first; i < last; ++i) {
        const SceneEdge& edge = m_canvas.scene().edges[i];
        const QRectF bounds = m_canvas.screen(edge.bounds);
        if (!bounds.adjusted(-8, -8, 8, 8).intersects(m_canvas.view) || bounds.width() + bounds.height() < 2 ||
            !endInView(edge))
            continue;
        const auto& from = m_canvas.scene().nodes[edge.from].rect;
        if (plainOnly && from.height * m_canvas.scale() < kNoEdgeBoxes)
            continue;
        const Style s = style(i);
        if (plainOnly && s.order == 0)
            plain.append(QLineF(m_canvas.screen(edge.points.front()), m_canvas.screen(edge.points.back())));
        else
            shown.emplace_back(s, i);
    }
    if (!plain.isEmpty()) {
        m_canvas.painter.setRenderHint(QPainter::Antialiasing, false);
        m_canvas.painter.setPen(QPen(Theme::mix(m_canvas.theme.edge, m_canvas.theme.background, 0.5), 1));
        m_canvas.painter.drawLines(plain);
        m_canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    }
    std::ranges::stable_sort(shown, {}, [](const auto& entry) { return entry.first.order; });
    for (const auto& [s, index] : shown)
        draw(m_canvas.scene().edges[index], s.colour, s.width);
}

void EdgePainter::draw(const SceneEdge& edge, const QColor& colour, double width) {
    const auto& p = edge.points;
    QPointF end = m_canvas.screen(p.back());
    const QPointF before = m_canvas.screen(p[p.size() - 2]);
    const double length = std::hypot(end.x() - before.x(), end.y() - before.y());
    const double head = m_arrow > 0 ? std::max(m_arrow, 2.2 * width) : 0;
    if (head > 0 && length > 0.01) {
        arrow(end, before, colour, width);
        end += (before - end) / length * std::min(head * 0.8, length * 0.9); // a wide line must not show beside the tip
    }
    QPainterPath path(m_canvas.screen(p.front()));
    if (edge.curved) {
        for (std::size_t i = 1; i + 2 < p.size(); i += 3)
            path.cubicTo(m_canvas.screen(p[i]), m_canvas.screen(p[i + 1]),
                         i + 3 < p.size() ? m_canvas.screen(p[i + 2]) : end);
    } else {
        for (std::size_t i = 1; i < p.size(); ++i)
            path.lineTo(i + 1 < p.size() ? m_canvas.screen(p[i]) : end);
    }
    m_canvas.painter.setBrush(Qt::NoBrush);
    m_canvas.painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    m_canvas.painter.drawPath(path);
}

void EdgePainter::arrow(QPointF tip, QPointF from, const QColor& colour, double width) {
    const double head = std::max(m_arrow, 2.2 * width);
    const QPointF along = (from - tip) / std::hypot(from.x() - tip.x(), from.y() - tip.y()) * head;
    const QPointF side(-along.y() * 0.42, along.x() * 0.42);
    const QPointF corners[] = {tip, tip + along + side, tip + along - side};
    m_canvas.painter.setPen(Qt::NoPen);
    m_canvas.painter.setBrush(colour);
    m_canvas.painter.drawPolygon(corners, 3);
}

void EdgePainter::curve(int from, int to, const QColor& colour, double width, Qt::PenStyle pen) {
    const QRectF a = m_canvas.screen(m_canvas.scene().nodes[from].rect),
                 b = m_canvas.screen(m_canvas.scene().nodes[to].rect);
    const QPointF start(a.center().x(), a.bottom()), end(b.center().x(), b.top());
    if (!QRectF(start, end).normalized().adjusted(-200, -200, 200, 200).intersects(m_canvas.view))
        return;
    const double reach =
        std::max({24 * m_canvas.scale(), std::abs(end.y() - start.y()) / 2, std::abs(end.x() - start.x()) / 5});
    const double head = m_arrow > 0 ? m_arrow * 1.2 : 5;
    QPainterPath path(start);
    path.cubicTo(start + QPointF(0, reach), end - QPointF(0, reach), end - QPointF(0, head * 0.8));
    m_canvas.painter.setBrush(Qt::NoBrush);
    m_canvas.painter.setPen(QPen(colour, width, pen, Qt::FlatCap));
    m_canvas.painter.drawPath(path);
    arrow(end, end - QPointF(0, head), colour, width);
}

void EdgePainter::outline(int node, const QColor& colour, double width, Qt::PenStyle pen) {
    const QRectF box = m_canvas.screen(m_canvas.scene().nodes[node].rect);
    if (!box.intersects(m_canvas.view))
        return;
    const double radius = std::min(7 * m_canvas.scale(), box.height() / 3) + width / 2;
    const double grow = width / 2 + std::min(1.0, m_canvas.scale());
    m_canvas.painter.setBrush(Qt::NoBrush);
    m_canvas.painter.setPen(QPen(colour, width, pen, Qt::SquareCap, Qt::RoundJoin));
    m_canvas.painter.drawRoundedRect(box.adjusted(-grow, -grow, grow, grow), radius, radius);
}

void EdgePainter::criticalBoxes() {
    if (m_canvas.what.critical == nullptr)
        return;
    std::vector<int> nodes;
    for (std::size_t i = 0; i < m_canvas.scene().nodeOfOp.size(); ++i) {
        if (m_canvas.critical(OpId(i)) && m_canvas.scene().nodeOfOp[i] >= 0)
            nodes.push_back(m_canvas.scene().nodeOfOp[i]);
    }
    std::ranges::sort(nodes);
    const auto repeated = std::ranges::unique(nodes);
    nodes.erase(repeated.begin(), repeated.end());
    for (const int node : nodes) {
        if (m_canvas.scene().nodes[node].rect.height * m_canvas.scale() >= 4)
            outline(node, m_canvas.theme.critical, std::clamp(2 * m_canvas.scale(), 1.0, 3.0), Qt::SolidLine);
    }
}

void EdgePainter::selection(NodePainter& boxes) {
    const auto& nodeOfOp = m_canvas.scene().nodeOfOp;
    const Graph& graph = *m_canvas.what.graph;
    const double width = std::clamp(2.2 * m_canvas.scale(), 1.5, 3.5);
    const auto unique = [](auto& list) {
        std::ranges::sort(list);
        const auto repeated = std::ranges::unique(list);
        list.erase(repeated.begin(), repeated.end());
    };
    std::vector<int> selected;
    std::vector<std::pair<int, int>> in, out; // pairs of nodes
    if (m_canvas.what.selected != nullptr) {
        std::vector<std::uint8_t> isSelected(graph.opCount());
        for (const OpId op : *m_canvas.what.selected) {
            if (op.index() < graph.opCount() && nodeOfOp[op.index()] >= 0) {
                isSelected[op.index()] = 1;
                selected.push_back(nodeOfOp[op.index()]);
            }
        }
        unique(selected);
        for (std::size_t i = 0; i < graph.opCount(); ++i) {
            if (isSelected[i] == 0)
                continue;
            const int self = nodeOfOp[i];
            for (const OpId other : graph.predecessors(OpId(i))) {
                if (isSelected[other.index()] == 0 && nodeOfOp[other.index()] != self)
                    in.emplace_back(nodeOfOp[other.index()], self);
            }
            for (const OpId other : graph.successors(OpId(i))) {
                if (isSelected[other.index()] == 0 && nodeOfOp[other.index()] != self)
                    out.emplace_back(self, nodeOfOp[other.index()]);
            }
        }
        unique(in);
        unique(out);
    }
    std::vector<int> inputs, outputs;
    for (const auto& [from, to] : in)
        inputs.push_back(from);
    for (const auto& [from, to] : out)
        outputs.push_back(to);
    unique(inputs);
    unique(outputs);

    for (std::size_t i = 0; i < std::min(in.size(), kMostCurves); ++i)
        curve(in[i].first, in[i].second, m_canvas.theme.inputHighlight, width, Qt::DashLine);
    for (std::size_t i = 0; i < std::min(out.size(), kMostCurves); ++i)
        curve(out[i].first, out[i].second, m_canvas.theme.outputHighlight, width, Qt::SolidLine);
    const auto mark = [&](const std::vector<int>& nodes, const QColor& colour, double line, Qt::PenStyle pen) {
        for (const int node : nodes) {
            boxes.again(node);
            outline(node, colour, line, pen);
        }
    };
    mark(inputs, m_canvas.theme.inputHighlight, width, Qt::DashLine);
    mark(outputs, m_canvas.theme.outputHighlight, width, Qt::SolidLine);
    mark(selected, m_canvas.theme.selection, width * 1.5, Qt::SolidLine);
    if (m_canvas.what.hovered >= 0 && m_canvas.what.hovered < static_cast<int>(m_canvas.scene().nodes.size()))
        outline(m_canvas.what.hovered, withAlpha(m_canvas.theme.selection, 0.6), width, Qt::SolidLine);
}

} // namespace opscape
