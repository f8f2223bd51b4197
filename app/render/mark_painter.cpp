// SPDX-License-Identifier: MIT
#include "mark_painter.h"

#include <opscape/base/units.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr std::size_t kMostCurves = 1000;      ///< highlighted edges drawn at once
constexpr std::size_t kMostCurvesMoving = 150; ///< of each kind while the picture moves
constexpr QRgb kFound = 0xffffd400;            ///< yellow, in light and dark
constexpr double kFoundRing = 6;               ///< pixels; around lower boxes a ring would only be a blot
constexpr double kFoundDot = 4;                ///< pixels: what marks a box too small for a ring
constexpr double kCountHeight = 12;            ///< of the number of found ops in a group, pixels

template <class T>
void makeUnique(std::vector<T>& list) {
    std::ranges::sort(list);
    const auto repeated = std::ranges::unique(list);
    list.erase(repeated.begin(), repeated.end());
}

} // namespace

void MarkPainter::outline(int node, const QColor& colour, double width, bool dashed, double gap) {
    const QRectF box = m_canvas.screen(m_canvas.scene().nodes[node].rect);
    if (!box.intersects(m_canvas.view))
        return;
    const double grow = width / 2 + std::min(1.0, m_canvas.scale()) + gap;
    const double radius = std::min(7 * m_canvas.scale(), box.height() / 3) + grow;
    const QRectF around = box.adjusted(-grow, -grow, grow, grow);
    dashed ? m_canvas.surface.dashedBox(around, radius, colour, width)
           : m_canvas.surface.box(around, radius, Qt::transparent, colour, width);
}

void MarkPainter::criticalBoxes() {
    if (m_canvas.what.critical == nullptr)
        return;
    std::vector<int> nodes;
    for (std::size_t i = 0; i < m_canvas.scene().nodeOfOp.size(); ++i) {
        if (m_canvas.critical(OpId(i)) && m_canvas.scene().nodeOfOp[i] >= 0)
            nodes.push_back(m_canvas.scene().nodeOfOp[i]);
    }
    makeUnique(nodes);
    for (const int node : nodes) {
        if (m_canvas.scene().nodes[node].rect.height * m_canvas.scale() >= 4)
            outline(node, m_canvas.theme.critical, std::clamp(2 * m_canvas.scale(), 1.0, 3.0), false);
    }
}

void MarkPainter::draw() {
    found();
    selection();
    if (m_canvas.what.hovered >= 0 && m_canvas.what.hovered < static_cast<int>(m_canvas.scene().nodes.size()))
        outline(m_canvas.what.hovered, withAlpha(m_canvas.theme.selection, 0.6), m_width, false);
}

void MarkPainter::found() {
    if (m_canvas.what.found == nullptr)
        return;
    std::vector<int> nodes; // one for each found op
    for (const OpId op : *m_canvas.what.found) {
        if (const int node = m_canvas.scene().nodeOf(op); node >= 0)
            nodes.push_back(node);
    }
    std::ranges::sort(nodes);
    // Bright with a dark rim, as a text marker is seen on any ground.
    const Theme& theme = m_canvas.theme;
    const QColor ring(kFound), rim = theme.dark ? theme.background : theme.text;
    for (std::size_t i = 0, next = 0; i < nodes.size(); i = next) {
        next = i + 1;
        while (next < nodes.size() && nodes[next] == nodes[i])
            ++next;
        const SceneNode& node = m_canvas.scene().nodes[nodes[i]];
        const QRectF box = m_canvas.screen(node.rect);
        if (!box.adjusted(-8, -8, 8, 8).intersects(m_canvas.view))
            continue;
        if (box.height() < kFoundRing) {
            QRectF dot(0, 0, std::max(kFoundDot, box.width()), std::max(kFoundDot, box.height()));
            dot.moveCenter(box.center());
            m_canvas.surface.rect(dot.adjusted(-1, -1, 1, 1), rim);
            m_canvas.surface.rect(dot, ring);
            continue;
        }
        outline(nodes[i], rim, m_width + 1.6, false);
        outline(nodes[i], ring, m_width, false, 0.8);
        if (node.op.valid() || box.height() < kCountHeight)
            continue;
        const QString count = QString::fromStdString(formatCount(static_cast<std::int64_t>(next - i)));
        const double width = m_canvas.labels.width(count, 9, true) + 8;
        // On the corner, most of it beside the box, whose name begins near there.
        const QRectF tag(box.left() + 5 - width, box.top() - kCountHeight / 2, width, kCountHeight);
        m_canvas.surface.box(tag, kCountHeight / 2, ring, rim, 0.8);
        m_canvas.labels.draw(tag.adjusted(-2, 0, 2, 0), Qt::AlignHCenter, count, 9, Theme::textOn(ring), true);
    }
}

void MarkPainter::mark(const std::vector<int>& nodes, const QColor& colour, double width, bool dashed) {
    for (const int node : nodes) {
        m_boxes.again(node);
        outline(node, colour, width, dashed);
    }
}

void MarkPainter::selection() {
    if (m_canvas.what.selected == nullptr || m_canvas.what.selected->empty())
        return;
    const auto& nodeOfOp = m_canvas.scene().nodeOfOp;
    const Graph& graph = *m_canvas.what.graph;
    std::vector<int> selected;
    std::vector<std::pair<int, int>> in, out; // pairs of nodes
    std::vector<std::uint8_t> isSelected(graph.opCount());
    for (const OpId op : *m_canvas.what.selected) {
        if (op.index() < graph.opCount() && nodeOfOp[op.index()] >= 0) {
            isSelected[op.index()] = 1;
            selected.push_back(nodeOfOp[op.index()]);
        }
    }
    makeUnique(selected);
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
    makeUnique(in);
    makeUnique(out);
    std::vector<int> inputs, outputs;
    for (const auto& [from, to] : in)
        inputs.push_back(from);
    for (const auto& [from, to] : out)
        outputs.push_back(to);
    makeUnique(inputs);
    makeUnique(outputs);

    const Theme& theme = m_canvas.theme;
    const std::size_t most = m_canvas.what.moving ? kMostCurvesMoving : kMostCurves;
    for (std::size_t i = 0; i < std::min(in.size(), most); ++i)
        m_lines.curve(in[i].first, in[i].second, theme.inputHighlight, m_width, true);
    for (std::size_t i = 0; i < std::min(out.size(), most); ++i)
        m_lines.curve(out[i].first, out[i].second, theme.outputHighlight, m_width, false);
    mark(inputs, theme.inputHighlight, m_width, true);
    mark(outputs, theme.outputHighlight, m_width, false);
    mark(selected, theme.selection, m_width * 1.5, false);
}

} // namespace opscape
