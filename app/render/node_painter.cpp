// SPDX-License-Identifier: MIT
#include "node_painter.h"

#include <opscape/base/units.h>

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kTextSize = 12;
constexpr double kLargestText = 30;
constexpr double kFrameTitle = 30; ///< height of a frame's title line in the layout

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

} // namespace

QString NodePainter::countText(const SceneNode& node) const {
    return QStringLiteral("(%1)").arg(text(formatCount(m_canvas.what.scopes->scope(node.scope).opsBelow)));
}

void NodePainter::op(const SceneNode& node) {
    QPainter& painter = m_canvas.painter;
    const Theme& theme = m_canvas.theme;
    const QRectF box = m_canvas.screen(node.rect);
    const DeviceId device = m_canvas.device(node.op);
    const QColor fill = theme.device(device);
    const QColor border = device.valid() ? Theme::mix(fill, theme.dark ? Qt::white : Qt::black, 0.8) : theme.frame;
    if (box.height() < 5) {
        painter.fillRect(box, device.valid() ? fill : theme.frame);
        return;
    }
    const double radius = std::min(6 * m_canvas.scale(), box.height() / 4);
    painter.setPen(QPen(border, std::clamp(m_canvas.scale(), 0.5, 1.2)));
    painter.setBrush(fill);
    painter.drawRoundedRect(box, radius, radius);

    const double visible = fade(box.height(), 8, 9.6);
    if (visible <= 0)
        return;
    const BoxText lines = boxText(node.label, m_canvas.what.graph->op(node.op).type);
    const QString first = text(lines.first);
    const double size = std::clamp(kTextSize * m_canvas.scale(), LabelPainter::kSmallest, kLargestText);
    const QColor ink = device.valid() ? Theme::textOn(fill) : theme.text;
    QRectF inside = box.adjusted(3, 0, -3, 0);
    // The letter gives way to the name where there is no room for both.
    const double badge = std::min(box.height() - 6, 18 * m_canvas.scale());
    const double gap = std::min((box.height() - badge) / 2, 5 * m_canvas.scale());
    const double need = std::min(m_canvas.labels.width(first, size), 4 * size);
    if (device.valid() && badge >= 9 && box.width() - badge - gap - 8 >= need) {
        const QRectF square(box.left() + gap, box.center().y() - badge / 2, badge, badge);
        painter.setPen(Qt::NoPen);
        painter.setBrush(withAlpha(ink, 0.2));
        painter.drawRoundedRect(square, badge / 4, badge / 4);
        m_canvas.labels.draw(square, Qt::AlignHCenter, Theme::deviceLetter(device), badge * 0.66, ink, true);
        inside.setLeft(square.right() + 3);
    }
    if (!lines.second.empty() && box.height() >= 25) {
        const double middle = box.center().y();
        m_canvas.labels.draw({inside.left(), middle - size * 1.4, inside.width(), size * 1.4}, Qt::AlignHCenter, first,
                             size, withAlpha(ink, visible));
        m_canvas.labels.draw({inside.left(), middle + size * 0.1, inside.width(), size * 1.3}, Qt::AlignHCenter,
                             text(lines.second), std::max(size * 0.84, LabelPainter::kSmallest),
                             withAlpha(ink, 0.75 * visible));
    } else {
        m_canvas.labels.draw(inside, Qt::AlignHCenter, first, size, withAlpha(ink, visible));
    }
}

void NodePainter::shareBar(const QRectF& bar, int index, double radius, bool letters) {
    QPainter& painter = m_canvas.painter;
    const auto shares = m_canvas.placement.shares(index);
    if (shares.empty() || bar.width() < 1 || bar.height() < 1)
        return;
    painter.save();
    if (radius > 0.5) {
        QPainterPath clip;
        clip.addRoundedRect(bar, radius, radius);
        painter.setClipPath(clip, Qt::IntersectClip);
    }
    painter.setPen(Qt::NoPen);
    double x = bar.left();
    for (std::size_t d = 0; d < shares.size(); ++d) {
        if (shares[d] <= 0)
            continue;
        const QRectF part(x, bar.top(), shares[d] * bar.width(), bar.height());
        x = part.right();
        const QColor fill = m_canvas.theme.device(DeviceId(d));
        painter.fillRect(part, fill);
        if (letters && part.width() >= bar.height() * 0.9)
            m_canvas.labels.draw(part, Qt::AlignHCenter, Theme::deviceLetter(DeviceId(d)), bar.height() * 0.8,
                                 Theme::textOn(fill), true);
    }
    painter.restore();
}

void NodePainter::collapsed(int index) {
    QPainter& painter = m_canvas.painter;
    const Theme& theme = m_canvas.theme;
    const SceneNode& node = m_canvas.scene().nodes[index];
    const QRectF box = m_canvas.screen(node.rect);
    if (box.height() < 7) {
        block(index, 1);
        return;
    }
    const DeviceId device = m_canvas.placement.dominant(index);
    const QColor strong = device.valid() ? theme.device(device) : theme.frame;
    const QColor fill = device.valid() ? Theme::mix(strong, theme.background, theme.dark ? 0.3 : 0.24) : theme.unplaced;
    const double scale = m_canvas.scale();
    const double radius = std::min(7 * scale, box.height() / 4);
    const QPen pen(Theme::mix(strong, theme.dark ? Qt::white : Qt::black, 0.85), std::clamp(1.3 * scale, 0.6, 1.6));
    // A second card behind says that there is more inside.
    painter.setPen(pen);
    painter.setBrush(Theme::mix(strong, theme.background, 0.45));
    const double offset = 3 * scale;
    painter.drawRoundedRect(box.translated(offset, offset), radius, radius);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, radius, radius);

    const double bar = m_canvas.placement.shares(index).empty() ? 0 : std::max(3.0, box.height() * 0.3);
    if (bar > 0) {
        const double inset = std::min(4 * scale, box.height() * 0.1);
        shareBar({box.left() + inset, box.bottom() - bar - inset, box.width() - 2 * inset, bar}, index, radius * 0.6,
                 bar >= 8);
    }
    const QRectF upper = box.adjusted(5 * scale + 1, 0, -5 * scale - 1, -bar * 1.15);
    const double size = std::clamp(kTextSize * scale, LabelPainter::kSmallest, kLargestText);
    const double visible = fade(upper.height(), 6, 9);
    if (visible <= 0)
        return;
    const QString count = countText(node);
    const double countWidth = m_canvas.labels.width(QLatin1Char(' ') + count, size);
    const bool bold = size >= 9.5;
    const double nameWidth = m_canvas.labels.width(text(node.label), size, bold);
    const bool withCount = nameWidth + countWidth <= upper.width() + 4; // the name goes before the count
    const double nameSpace = withCount ? nameWidth + 1 : std::min(nameWidth + 1, upper.width() + 4);
    const double left = upper.center().x() - (nameSpace + (withCount ? countWidth : 0)) / 2;
    m_canvas.labels.draw({left, upper.top(), nameSpace, upper.height()}, Qt::AlignLeft, text(node.label), size,
                         withAlpha(theme.text, visible), bold);
    if (withCount)
        m_canvas.labels.draw({left + nameSpace, upper.top(), countWidth + 1, upper.height()}, Qt::AlignRight, count,
                             size, withAlpha(theme.dimText, visible));
}

void NodePainter::frame(int index) {
    QPainter& painter = m_canvas.painter;
    const Theme& theme = m_canvas.theme;
    const SceneNode& node = m_canvas.scene().nodes[index];
    const QRectF box = m_canvas.screen(node.rect);
    const double scale = m_canvas.scale();
    const double radius = std::min(9 * scale, 9.0);
    painter.setPen(QPen(theme.frame, std::clamp(scale, 0.6, 1.2)));
    painter.setBrush(node.depth % 2 == 0 ? theme.frameFill : theme.background);
    painter.drawRoundedRect(box, radius, radius);
    // A title line has room for text larger than that of the boxes, which keeps names readable longer.
    const double shown = std::clamp(kTextSize * scale, std::min(10.0, kFrameTitle * scale - 2), kLargestText);
    if (shown < LabelPainter::kSmallest || box.top() < -4) { // too small, or scrolled out of view
        m_named.push_back(index);
        return;
    }
    const double left = std::max(box.left(), 0.0) + 12 * std::min(scale, 1.5);
    const QRectF title(left, box.top(), box.right() - 8 - left, std::min(kFrameTitle * scale, 2.5 * shown));
    const QString name = text(node.label);
    const double nameWidth = std::min(title.width(), m_canvas.labels.width(name, shown, true) + 1);
    if (!m_canvas.labels.draw({title.left(), title.top(), nameWidth, title.height()}, Qt::AlignLeft, name, shown,
                              theme.text, true))
        return;
    const QString count = countText(node);
    const double countWidth = m_canvas.labels.width(count, shown) + 1;
    double x = title.left() + nameWidth + shown * 0.5;
    if (x + countWidth <= title.right()) {
        m_canvas.labels.draw({x, title.top(), countWidth, title.height()}, Qt::AlignLeft, count, shown, theme.dimText);
        x += countWidth + shown * 0.7;
    }
    const double bar = std::min(title.right() - x, 120 * std::min(scale, 1.5));
    if (bar > 24)
        shareBar({x, title.center().y() - shown * 0.35, bar, shown * 0.7}, index, 2, false);
}

void NodePainter::again(int index) {
    const SceneNode& node = m_canvas.scene().nodes[index];
    if (!m_canvas.screen(node.rect).intersects(m_canvas.view) || node.expanded)
        return;
    node.op.valid() ? op(node) : collapsed(index);
}

void NodePainter::block(int index, double opacity) {
    const SceneNode& node = m_canvas.scene().nodes[index];
    const QRectF box = m_canvas.screen(node.rect);
    m_canvas.painter.setOpacity(opacity);
    if (box.width() >= 6 && !m_canvas.placement.shares(index).empty()) {
        shareBar(box, index, 0, false);
    } else {
        const DeviceId device = m_canvas.placement.dominant(index);
        m_canvas.painter.fillRect(box, device.valid() ? m_canvas.theme.device(device) : m_canvas.theme.frame);
    }
    m_canvas.painter.setOpacity(1);
}

void NodePainter::frameNames() {
    constexpr double kSize = 10;
    constexpr std::size_t kMost = 250;
    const auto boxOf = [&](int index) { return m_canvas.screen(m_canvas.scene().nodes[index].rect) & m_canvas.view; };
    const auto depthOf = [&](int index) { return m_canvas.scene().nodes[index].depth; };
    std::erase_if(m_named, [&](int index) { return boxOf(index).width() < 60 || boxOf(index).height() < 36; });
    std::ranges::stable_sort(m_named, {}, depthOf);
    std::vector<QRectF> taken;
    for (std::size_t i = 0; i < m_named.size(); ++i) {
        const int depth = depthOf(m_named[i]);
        // A level is named as a whole or not at all.
        if (i > 0 && depth != depthOf(m_named[i - 1])) {
            const auto level = std::ranges::equal_range(m_named, depth, {}, depthOf);
            if (taken.size() + level.size() > kMost)
                return;
        }
        const QRectF box = boxOf(m_named[i]);
        const QString name = text(m_canvas.scene().nodes[m_named[i]].label);
        const double width = std::min(box.width() - 6, m_canvas.labels.width(name, kSize, true) + 8);
        QRectF tag(box.left() + 3, box.top() + 2, width, kSize + 5);
        // Names of frames inside each other that are all scrolled out of view stand side by side, the outer ones first.
        for (const QRectF& other : taken) {
            if (other.intersects(tag) && std::abs(other.top() - tag.top()) < 1)
                tag.moveLeft(other.right() + 3);
        }
        const bool hidden = std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(tag); });
        if (hidden || tag.right() > box.right())
            continue;
        taken.push_back(tag);
        m_canvas.painter.setPen(Qt::NoPen);
        m_canvas.painter.setBrush(withAlpha(m_canvas.theme.background, 0.88));
        m_canvas.painter.drawRoundedRect(tag, 3, 3);
        m_canvas.labels.draw(tag.adjusted(4, 0, -3, 0), Qt::AlignLeft, name, kSize, m_canvas.theme.text, true);
    }
}

} // namespace opscape
