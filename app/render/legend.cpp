// SPDX-License-Identifier: MIT
#include "graph_picture.h"
#include "label.h"
#include "painter_surface.h"
#include "pin_mark.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>

#include <algorithm>
#include <optional>

namespace opscape {
namespace {

constexpr double kRow = 22, kPad = 10, kText = 12, kSwatch = 16, kGap = 12, kMostName = 190;
constexpr std::size_t kMostRows = 24, kLeastRows = 4;

QString qtext(const std::string& s) { return QString::fromStdString(s); }

double textWidth(const QString& text, bool bold = false) {
    return textFace(static_cast<int>(kText), bold).width(text) + 1;
}

/// What the legend says and how large that is.
struct Legend {
    struct Row {
        QString name, ops, time;
    };
    std::optional<OpColours> own;
    const OpColours* colours = nullptr; ///< null where there is nothing to explain
    QString title;
    std::vector<Row> rows;
    QString rest;   ///< in place of rows that are not there
    QString pinned; ///< beside the mark of what is pinned
    double nameWidth = 0, opsWidth = 0, timeWidth = 0;
    QSizeF size;

    Legend(const GraphView& what, double room) {
        if (what.colours == nullptr && what.plan == nullptr)
            return;
        if (what.colours == nullptr)
            own.emplace(ColourBy::Device, ColourSource{what.graph, what.cluster, what.plan, what.cost, nullptr});
        colours = own ? &*own : what.colours;
        title = qtext(colours->title());
        if (const std::uint32_t pins = what.placement != nullptr ? what.placement->pinnedOps() : 0; pins > 0)
            pinned = QStringLiteral("%1 pinned").arg(qtext(formatCount(pins)));
        addRows(room);
        if (rows.empty() && title.isEmpty() && pinned.isEmpty())
            colours = nullptr;
        else
            measure();
    }

    [[nodiscard]] bool timed() const { return timeWidth > 0; }
    [[nodiscard]] double heading() const { return title.isEmpty() ? 0 : kRow; }

private:
    [[nodiscard]] double heightOf(std::size_t lines) const {
        return 2 * kPad + heading() + kRow * static_cast<double>(lines) - (kRow - kSwatch);
    }

    void addRows(double room) {
        const auto& classes = colours->classes();
        const std::size_t extra = pinned.isEmpty() ? 0 : 1;
        std::size_t shown = std::min(classes.size(), kMostRows);
        while (shown > kLeastRows && heightOf(shown + extra + (shown < classes.size() ? 1 : 0)) > room)
            --shown;
        const bool times = std::ranges::any_of(classes, &OpColours::Class::busyNs);
        for (std::size_t c = 0; c < shown; ++c)
            rows.push_back({qtext(classes[c].name), qtext(counted(static_cast<std::int64_t>(classes[c].ops), "op")),
                            times ? qtext(formatTime(classes[c].busyNs)) : QString()});
        rest = classes.size() > shown ? QStringLiteral("and %1 more").arg(classes.size() - shown)
               : shown == 0           ? QStringLiteral("no op has one")
                                      : QString();
    }

    void measure() {
        for (const Row& row : rows) {
            nameWidth = std::max(nameWidth, textWidth(row.name, true));
            opsWidth = std::max(opsWidth, textWidth(row.ops));
            timeWidth = std::max(timeWidth, row.time.isEmpty() ? 0 : textWidth(row.time));
        }
        nameWidth = std::min(nameWidth, kMostName);
        const double columns =
            rows.empty() ? 0 : kSwatch + 8 + nameWidth + kGap + opsWidth + (timed() ? timeWidth + kGap : 0);
        const double others = std::max({textWidth(rest), pinned.isEmpty() ? 0 : kSwatch + 8 + textWidth(pinned),
                                        std::min(textWidth(title, true), 2 * kMostName)});
        const std::size_t lines = rows.size() + (rest.isEmpty() ? 0 : 1) + (pinned.isEmpty() ? 0 : 1);
        size = QSizeF(2 * kPad + std::max(columns, others), heightOf(lines));
    }
};

} // namespace

std::string aggregateText(const OpColours& colours, const ScenePlacement::Aggregate& aggregate) {
    if (aggregate.count == 0)
        return {};
    if (colours.by() == ColourBy::Priority) // places in an order do not add up
        return fmt::format("{} to {}", colours.valueText(aggregate.least), colours.valueText(aggregate.most));
    return fmt::format("sum {}, mean {}, {} to {}", colours.valueText(aggregate.sum),
                       colours.valueText(aggregate.mean()), colours.valueText(aggregate.least),
                       colours.valueText(aggregate.most));
}

QSizeF legendSize(const GraphView& what, double room) { return what.legend ? Legend(what, room).size : QSizeF(); }

std::vector<QRectF> paintLegend(Surface& surface, QPointF corner, const GraphView& what, const Theme& theme,
                                double room) {
    if (!what.legend)
        return {};
    const Legend legend(what, room);
    if (legend.colours == nullptr)
        return {};
    const OpColours& colours = *legend.colours;
    const auto& classes = colours.classes();
    LabelPainter labels(surface);
    const QRectF panel({corner.x() - legend.size.width(), corner.y()}, legend.size);
    QColor fill = theme.background;
    fill.setAlphaF(0.93F);
    surface.box(panel, 8, fill, theme.frame, 1);
    const double left = panel.left() + kPad, wide = panel.width() - 2 * kPad;
    labels.draw({left, panel.top() + kPad, wide, kSwatch}, Qt::AlignLeft, legend.title, kText, theme.dimText, true);

    std::vector<QRectF> places;
    double y = panel.top() + kPad + legend.heading();
    for (std::size_t c = 0; c < legend.rows.size(); ++c, y += kRow) {
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
        labels.draw({x, y, legend.nameWidth, kSwatch}, Qt::AlignLeft, legend.rows[c].name, kText,
                    dim ? theme.dimText : theme.text, true);
        x += legend.nameWidth + kGap;
        labels.draw({x, y, legend.opsWidth, kSwatch}, Qt::AlignRight, legend.rows[c].ops, kText,
                    dim ? theme.dimText : theme.text);
        x += legend.opsWidth + kGap;
        labels.draw({x, y, legend.timeWidth, kSwatch}, Qt::AlignRight, legend.rows[c].time, kText, theme.dimText);
        places.push_back(place);
    }
    if (!legend.rest.isEmpty()) {
        labels.draw({left, y, wide, kSwatch}, Qt::AlignLeft, legend.rest, kText, theme.dimText);
        y += kRow;
    }
    if (!legend.pinned.isEmpty()) {
        paintPin(surface, {left + kSwatch / 2, y + kSwatch - 1}, kSwatch - 2, theme, true);
        labels.draw({left + kSwatch + 8, y, wide, kSwatch}, Qt::AlignLeft, legend.pinned, kText, theme.text);
    }
    return places;
}

std::vector<QRectF> paintLegend(QPainter& painter, QPointF corner, const GraphView& what, const Theme& theme,
                                double room) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    PainterSurface surface(painter);
    auto places = paintLegend(surface, corner, what, theme, room);
    painter.restore();
    return places;
}

} // namespace opscape
