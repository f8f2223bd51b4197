// SPDX-License-Identifier: MIT
#include "node_painter.h"

#include "pin_mark.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kTextSize = 12;
constexpr double kLargestText = 30;
constexpr double kFrameTitle = 30; ///< height of a frame's title line in the layout
constexpr double kNameHeight = 13; ///< what the smallest name needs so that nothing touches it, pixels
constexpr double kLeastPinned = 8; ///< a lower box has no room for the mark of what is pinned

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

} // namespace

QString NodePainter::countText(const SceneNode& node) const {
    return QStringLiteral("(%1)").arg(text(formatCount(m_canvas.what.scopes->scope(node.scope).opsBelow)));
}

void NodePainter::pin(int index, const QRectF& box) {
    const std::uint32_t pinned = m_canvas.placement.pinned(index);
    if (pinned == 0 || box.height() < kLeastPinned)
        return;
    const SceneNode& node = m_canvas.scene().nodes[index];
    const bool all = node.op.valid() || pinned == m_canvas.what.scopes->scope(node.scope).opsBelow;
    const double height = std::clamp(14 * m_canvas.scale(), 6.0, 20.0);
    paintPin(m_canvas.surface, {box.right() - 0.3 * height, box.top() + 0.4 * height}, height, m_canvas.theme, all);
}

void NodePainter::op(int index) {
    const Theme& theme = m_canvas.theme;
    const SceneNode& node = m_canvas.scene().nodes[index];
    const QRectF box = m_canvas.screen(node.rect);
    const int of = m_canvas.colours.classOf(node.op);
    const QColor fill = m_canvas.fill(of);
    if (box.height() < 5) {
        m_canvas.surface.rect(box, of >= 0 ? fill : theme.frame);
        return;
    }
    const QColor border =
        of < 0 || m_canvas.isDimmed(of) ? theme.frame : Theme::mix(fill, theme.dark ? Qt::white : Qt::black, 0.8);
    const double radius = std::min(6 * m_canvas.scale(), box.height() / 4);
    m_canvas.surface.box(box, radius, fill, border, std::clamp(m_canvas.scale(), 0.5, 1.2));
    if (const double visible = fade(box.height(), 8, 9.6); visible > 0)
        opText(node, box, of, fill, m_canvas.isDimmed(of) ? visible * 0.6 : visible);
    pin(index, box);
}

void NodePainter::opText(const SceneNode& node, const QRectF& box, int of, const QColor& fill, double visible) {
    const BoxText lines = boxText(node.label, m_canvas.what.graph->op(node.op).type);
    const QString first = text(lines.first);
    double size = std::clamp(kTextSize * m_canvas.scale(), LabelPainter::kSmallest, kLargestText);
    const QColor ink = of >= 0 ? Theme::textOn(fill) : m_canvas.theme.text;
    const double margin = std::clamp(3 * m_canvas.scale(), 0.8, 3.0);
    QRectF inside = box.adjusted(margin, 0, -margin, 0);
    // The letter gives way to the name where there is no room for both.
    const std::string_view letter =
        of >= 0 ? std::string_view(m_canvas.colours.classes()[static_cast<std::size_t>(of)].letter) : "";
    const double badge = std::min(box.height() - 6, 18 * m_canvas.scale());
    const double gap = std::min((box.height() - badge) / 2, 5 * m_canvas.scale());
    if (!letter.empty() && badge >= 9 &&
        box.width() - badge - gap - 8 >= std::min(m_canvas.labels.width(first, size), 4 * size)) {
        const QRectF square(box.left() + gap, box.center().y() - badge / 2, badge, badge);
        m_canvas.surface.box(square, badge / 4, withAlpha(ink, 0.2), Qt::transparent, 0);
        m_canvas.labels.draw(square, Qt::AlignHCenter, text(letter), badge * 0.66, ink, true);
        inside.setLeft(square.right() + 3);
    }
    QString second = text(lines.second);
    if (m_canvas.colours.isScale() && of >= 0) // the number is what is looked for
        second = text(m_canvas.colours.valueText(m_canvas.colours.value(node.op)));
    // A short name is whole a little smaller rather than two letters of it.
    if (size < LabelPainter::kSmallest + 0.5 && m_canvas.labels.width(first, size) > inside.width() &&
        m_canvas.labels.width(first, size - 1) <= inside.width())
        size -= 1;
    if (!second.isEmpty() && box.height() >= 25) {
        const double middle = box.center().y();
        m_canvas.labels.draw({inside.left(), middle - size * 1.4, inside.width(), size * 1.4}, Qt::AlignHCenter, first,
                             size, withAlpha(ink, visible));
        m_canvas.labels.draw({inside.left(), middle + size * 0.1, inside.width(), size * 1.3}, Qt::AlignHCenter, second,
                             std::max(size * 0.84, LabelPainter::kSmallest), withAlpha(ink, 0.75 * visible));
    } else {
        m_canvas.labels.draw(inside, Qt::AlignHCenter, first, size, withAlpha(ink, visible));
    }
}

void NodePainter::shareBar(const QRectF& bar, int index, double radius, bool letters, double opacity) {
    const auto shares = m_canvas.placement.shares(index);
    if (shares.empty() || bar.width() < 1 || bar.height() < 1)
        return;
    m_parts.clear();
    for (std::size_t d = 0; d < shares.size(); ++d) {
        if (shares[d] > 0)
            m_parts.push_back({shares[d], withAlpha(m_canvas.fills[d], opacity)});
    }
    if (m_parts.empty())
        return;
    m_canvas.surface.bar(bar, radius, m_parts);
    double x = bar.left();
    for (std::size_t d = 0; letters && d < shares.size(); ++d) {
        const QRectF part(x, bar.top(), shares[d] * bar.width(), bar.height());
        x = part.right();
        if (const std::string& letter = m_canvas.colours.classes()[d].letter;
            !letter.empty() && part.width() >= bar.height() * 0.9)
            m_canvas.labels.draw(part, Qt::AlignHCenter, text(letter), bar.height() * 0.8,
                                 Theme::textOn(m_canvas.fills[d]), true);
    }
}

QString NodePainter::figures(int index, double width, double size) const {
    const ScenePlacement::Aggregate all = m_canvas.placement.aggregate(index);
    if (all.count == 0)
        return {};
    const OpColours& colours = m_canvas.colours;
    if (colours.by() == ColourBy::Priority)
        return text(aggregateText(colours, all));
    const QString sum = QStringLiteral("sum %1").arg(text(colours.valueText(all.sum)));
    const QString most = QStringLiteral("%1, most %2").arg(sum, text(colours.valueText(all.most)));
    return m_canvas.labels.width(most, size) <= width ? most : sum;
}

void NodePainter::collapsed(int index) {
    const Theme& theme = m_canvas.theme;
    const SceneNode& node = m_canvas.scene().nodes[index];
    const QRectF box = m_canvas.screen(node.rect);
    if (box.height() < 7) {
        block(index, 1);
        return;
    }
    const int of = m_canvas.dominant(index);
    const QColor strong = of >= 0 ? m_canvas.fill(of) : theme.frame;
    const QColor fill = of >= 0 ? Theme::mix(strong, theme.background, theme.dark ? 0.3 : 0.24) : theme.unplaced;
    const double scale = m_canvas.scale();
    const double radius = std::min(7 * scale, box.height() / 4);
    const QColor line = Theme::mix(strong, theme.dark ? Qt::white : Qt::black, 0.85);
    const double lineWidth = std::clamp(1.3 * scale, 0.6, 1.6);
    // A second card behind says that there is more inside.
    const double offset = 3 * scale;
    m_canvas.surface.box(box.translated(offset, offset), radius, Theme::mix(strong, theme.background, 0.45), line,
                         lineWidth);
    m_canvas.surface.box(box, radius, fill, line, lineWidth);

    // Of a low box the name gets what it needs and the bar the rest.
    const double inset = std::min(4 * scale, box.height() * 0.1);
    const double bar = m_canvas.placement.shares(index).empty()
                           ? 0
                           : std::max(3.0, std::min(box.height() * 0.3, box.height() - inset - kNameHeight));
    if (bar > 0)
        shareBar({box.left() + inset, box.bottom() - bar - inset, box.width() - 2 * inset, bar}, index, radius * 0.6,
                 bar >= 8);
    const QRectF upper = box.adjusted(5 * scale + 1, 0, -5 * scale - 1, bar > 0 ? -bar - inset : 0);
    if (const double visible = fade(upper.height(), 8, kNameHeight - 2); visible > 0)
        scopeText(index, upper, visible);
    pin(index, box);
}

void NodePainter::scopeText(int index, const QRectF& upper, double visible) {
    const Theme& theme = m_canvas.theme;
    const SceneNode& node = m_canvas.scene().nodes[index];
    const double size = std::clamp(kTextSize * m_canvas.scale(), LabelPainter::kSmallest, kLargestText);
    const bool bold = size >= 9.5;
    const QString name = text(node.label);
    if (const QString numbers = figures(index, upper.width(), size * 0.84);
        !numbers.isEmpty() && upper.height() >= 2.3 * size) {
        const double middle = upper.center().y();
        m_canvas.labels.draw({upper.left(), middle - size * 1.25, upper.width(), size * 1.2}, Qt::AlignHCenter, name,
                             size, withAlpha(theme.text, visible), bold);
        m_canvas.labels.draw({upper.left(), middle + size * 0.05, upper.width(), size * 1.1}, Qt::AlignHCenter, numbers,
                             std::max(size * 0.84, LabelPainter::kSmallest), withAlpha(theme.dimText, visible));
        return;
    }
    const QString count = countText(node);
    const double countWidth = m_canvas.labels.width(QLatin1Char(' ') + count, size);
    const double nameWidth = m_canvas.labels.width(name, size, bold);
    const bool withCount = nameWidth + countWidth <= upper.width() + 4; // the name goes before the count
    const double nameSpace = withCount ? nameWidth + 1 : std::min(nameWidth + 1, upper.width() + 4);
    const double left = upper.center().x() - (nameSpace + (withCount ? countWidth : 0)) / 2;
    m_canvas.labels.draw({left, upper.top(), nameSpace, upper.height()}, Qt::AlignLeft, name, size,
                         withAlpha(theme.text, visible), bold);
    if (withCount)
        m_canvas.labels.draw({left + nameSpace, upper.top(), countWidth + 1, upper.height()}, Qt::AlignRight, count,
                             size, withAlpha(theme.dimText, visible));
}

void NodePainter::frame(int index) {
    const Theme& theme = m_canvas.theme;
    const SceneNode& node = m_canvas.scene().nodes[index];
    const QRectF box = m_canvas.screen(node.rect);
    const double scale = m_canvas.scale();
    const double radius = std::min(9 * scale, 9.0);
    const bool drawn = box.adjusted(-2, -2, 2, 2).intersects(m_canvas.clip);
    if (drawn)
        m_canvas.surface.box(box, radius, frameFill(node), theme.frame, std::clamp(scale, 0.6, 1.2));
    // A title line has room for text larger than that of the boxes, which keeps names readable longer.
    const double shown = std::clamp(kTextSize * scale, std::min(10.0, kFrameTitle * scale - 2), kLargestText);
    if (shown < LabelPainter::kSmallest || box.top() < -4) { // too small, or scrolled out of view
        m_named.push_back(index);
        return;
    }
    if (!drawn)
        return;
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
    if (const QString numbers = figures(index, title.right() - x - 40, shown); !numbers.isEmpty()) {
        const double wide = m_canvas.labels.width(numbers, shown) + 1;
        if (x + wide <= title.right()) {
            m_canvas.labels.draw({x, title.top(), wide, title.height()}, Qt::AlignLeft, numbers, shown, theme.dimText);
            x += wide + shown * 0.7;
        }
    }
    const double bar = std::min(title.right() - x, 120 * std::min(scale, 1.5));
    if (bar > 24)
        shareBar({x, title.center().y() - shown * 0.35, bar, shown * 0.7}, index, 2, false);
}

void NodePainter::again(int index) {
    const SceneNode& node = m_canvas.scene().nodes[index];
    if (!m_canvas.screen(node.rect).intersects(m_canvas.view) || node.expanded)
        return;
    node.op.valid() ? op(index) : collapsed(index);
}

void NodePainter::block(int index, double opacity) {
    const SceneNode& node = m_canvas.scene().nodes[index];
    const QRectF box = m_canvas.screen(node.rect);
    if (box.width() >= 6 && !m_canvas.placement.shares(index).empty()) {
        shareBar(box, index, 0, false, opacity);
    } else {
        const int of = m_canvas.dominant(index);
        m_canvas.surface.rect(box, withAlpha(of >= 0 ? m_canvas.fill(of) : m_canvas.theme.frame, opacity));
    }
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
        // On the title line and above it, in the gap before the frame, so that it covers no box inside.
        const double line =
            m_canvas.screen(m_canvas.scene().nodes[m_named[i]].rect).top() + kFrameTitle * m_canvas.scale();
        QRectF tag(box.left() + 3, std::max(line - kSize - 5, m_canvas.view.top() + 2), width, kSize + 5);
        // Names of frames inside each other that lie on the same line stand side by side, the outer ones first.
        for (const QRectF& other : taken) {
            if (other.intersects(tag))
                tag.moveLeft(other.right() + 3);
        }
        const bool hidden = std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(tag); });
        if (hidden || tag.right() > box.right())
            continue;
        taken.push_back(tag);
        m_canvas.surface.box(tag, 3, withAlpha(m_canvas.theme.background, 0.88), Qt::transparent, 0);
        m_canvas.labels.draw(tag.adjusted(4, 0, -3, 0), Qt::AlignLeft, name, kSize, m_canvas.theme.text, true);
    }
}

} // namespace opscape
