// SPDX-License-Identifier: MIT
#include "graph_picture.h"
#include "label.h"
#include "painter_surface.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <optional>

namespace opscape {
namespace {

constexpr double kRow = 22, kPad = 10, kText = 12, kSwatch = 16, kGap = 12, kMostName = 190;
constexpr std::size_t kMostRows = 24;

struct LegendRow {
    QString name, ops, time;
};

QString qtext(const std::string& s) { return QString::fromStdString(s); }

} // namespace

std::string aggregateText(const OpColours& colours, const ScenePlacement::Aggregate& aggregate) {
    if (aggregate.count == 0)
        return {};
    return fmt::format("sum {}, mean {}, {} to {}", colours.valueText(aggregate.sum),
                       colours.valueText(aggregate.mean()), colours.valueText(aggregate.least),
                       colours.valueText(aggregate.most));
}

std::vector<QRectF> paintLegend(Surface& surface, QPointF corner, const GraphView& what, const Theme& theme) {
    std::optional<OpColours> own;
    if (what.colours == nullptr && what.plan == nullptr)
        return {};
    if (what.colours == nullptr)
        own.emplace(ColourBy::Device, ColourSource{what.graph, what.cluster, what.plan, what.cost, nullptr});
    const OpColours& colours = own ? *own : *what.colours;
    const auto& classes = colours.classes();
    const std::size_t shown = std::min(classes.size(), kMostRows);
    const QString title = qtext(colours.title());
    if (shown == 0 && title.isEmpty())
        return {};
    LabelPainter labels(surface);
    const bool timed = std::ranges::any_of(classes, &OpColours::Class::busyNs);
    std::vector<LegendRow> rows;
    double nameWidth = 0, opsWidth = 0, timeWidth = 0;
    for (std::size_t c = 0; c < shown; ++c) {
        rows.push_back({qtext(classes[c].name),
                        QStringLiteral("%1 ops").arg(qtext(formatCount(static_cast<std::int64_t>(classes[c].ops)))),
                        timed ? qtext(formatTime(classes[c].busyNs)) : QString()});
        nameWidth = std::max(nameWidth, labels.width(rows.back().name, kText, true) + 1);
        opsWidth = std::max(opsWidth, labels.width(rows.back().ops, kText) + 1);
        timeWidth = std::max(timeWidth, labels.width(rows.back().time, kText) + 1);
    }
    nameWidth = std::min(nameWidth, kMostName);
    const double columns = kSwatch + 8 + nameWidth + kGap + opsWidth + (timed ? timeWidth + kGap : 0);
    const double width = 2 * kPad + std::max(columns, std::min(labels.width(title, kText, true) + 1, 2 * kMostName));
    const QString rest = classes.size() > shown ? QStringLiteral("and %1 more").arg(classes.size() - shown)
                         : shown == 0           ? QStringLiteral("no op has one")
                                                : QString();
    const double heading = title.isEmpty() ? 0 : kRow;
    const double lines = static_cast<double>(shown + (rest.isEmpty() ? 0 : 1));
    const QRectF panel(corner.x() - width, corner.y(), width, 2 * kPad + heading + kRow * lines - (kRow - kSwatch));
    QColor fill = theme.background;
    fill.setAlphaF(0.93F);
    surface.box(panel, 8, fill, theme.frame, 1);
    const double left = panel.left() + kPad;
    labels.draw({left, panel.top() + kPad, width - 2 * kPad, kSwatch}, Qt::AlignLeft, title, kText, theme.dimText,
                true);

    std::vector<QRectF> places;
    for (std::size_t c = 0; c < shown; ++c) {
        const double y = panel.top() + kPad + heading + kRow * static_cast<double>(c);
        const QRectF place(panel.left(), y - (kRow - kSwatch) / 2, panel.width(), kRow);
        const int of = static_cast<int>(c);
        if (what.isolated == of)
            surface.box(place.adjusted(4, 0, -4, 0), 5, theme.frameFill, theme.frame, 1);
        const bool dim = what.isolated >= 0 && what.isolated != of;
        const QRectF swatch(left, y, kSwatch, kSwatch);
        const QColor colour = colours.colour(theme, of);
        surface.box(swatch, 4, dim ? Theme::mix(colour, theme.background, 0.3) : colour, theme.frame, 0.6);
        labels.draw(swatch, Qt::AlignHCenter, qtext(classes[c].letter), 11, Theme::textOn(colour), true);
        double x = swatch.right() + 8;
        labels.draw({x, y, nameWidth, kSwatch}, Qt::AlignLeft, rows[c].name, kText, dim ? theme.dimText : theme.text,
                    true);
        x += nameWidth + kGap;
        labels.draw({x, y, opsWidth, kSwatch}, Qt::AlignRight, rows[c].ops, kText, dim ? theme.dimText : theme.text);
        x += opsWidth + kGap;
        labels.draw({x, y, timeWidth, kSwatch}, Qt::AlignRight, rows[c].time, kText, theme.dimText);
        places.push_back(place);
    }
    labels.draw({left, panel.bottom() - kPad - kSwatch, width - 2 * kPad, kSwatch}, Qt::AlignLeft, rest, kText,
                theme.dimText);
    return places;
}

std::vector<QRectF> paintLegend(QPainter& painter, QPointF corner, const GraphView& what, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    PainterSurface surface(painter);
    auto places = paintLegend(surface, corner, what, theme);
    painter.restore();
    return places;
}

} // namespace opscape
