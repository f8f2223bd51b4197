// SPDX-License-Identifier: MIT
#include "delta_picture.h"

#include "compared_colours.h"
#include "time_ground.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

using Bar = DeltaGantt::Bar;
using Lane = DeltaGantt::Lane;
using Shift = DeltaGantt::Shift;

constexpr double kStripHeight = 18, kRowHeight = 16, kRowGap = 2;
constexpr double kWide = 3;       ///< pixels from which a bar is drawn on its own
constexpr double kFaintest = 0.2; ///< a column with a rare short bar is at least this strong

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

/// The first of the bars that can be seen from `ns` on, if none is longer than `longest`.
auto firstSeen(const std::vector<Bar>& bars, double ns) {
    // Ops of a device run one after another, fused ones side by side: ends rise as starts do.
    return std::ranges::lower_bound(bars, ns, {}, [](const Bar& bar) { return static_cast<double>(bar.endNs); });
}

constexpr double kWideLegend = 900;

class Canvas {
public:
    Canvas(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const DeltaGantt& data,
           const DeltaView& what, const Theme& theme)
        : m_painter(painter),
          m_view(view),
          m_camera(camera),
          m_data(data),
          m_what(what),
          m_theme(theme),
          m_labels(painter) {}

    void paint() {
        const StepEnd ends[] = {{m_data.a().schedule->makespanNs, m_what.colourA, m_what.nameA},
                                {m_data.b().schedule->makespanNs, m_what.colourB, m_what.nameB}};
        paintTimeGrid(m_painter, m_view, m_camera, m_theme);
        m_painter.save();
        m_painter.setClipRect(plot());
        for (const Lane& lane : m_data.lanes()) {
            if (!isInView(lane))
                continue;
            strip(lane);
            bars(lane.barsA, rowBox(lane, 1));
            bars(lane.barsB, rowBox(lane, 2));
            selection(lane.barsA, rowBox(lane, 1));
            selection(lane.barsB, rowBox(lane, 2));
        }
        paintStepEnds(m_painter, m_view, m_camera, ends);
        m_painter.restore();
        laneLabels();
        paintTimeAxis(m_painter, m_labels, m_view, m_camera, ends, m_theme);
        legend();
    }

private:
    [[nodiscard]] QRectF plot() const {
        return {m_camera.labelWidth, kDeltaTop, std::max(0.0, m_view.width() - m_camera.labelWidth),
                std::max(0.0, m_view.height() - kDeltaTop)};
    }
    [[nodiscard]] QRectF rowBox(const Lane& lane, int row) const {
        const double y = kDeltaTop + lane.top - m_camera.scrollY;
        if (row == 0)
            return {m_camera.labelWidth, y, plot().width(), kStripHeight};
        return {m_camera.labelWidth, y + kStripHeight + kRowGap + (row - 1) * (kRowHeight + kRowGap), plot().width(),
                kRowHeight};
    }
    [[nodiscard]] bool isInView(const Lane& lane) const {
        const double y = kDeltaTop + lane.top - m_camera.scrollY;
        return y + lane.height > kDeltaTop && y < m_view.height();
    }
    [[nodiscard]] QColor ranColour(DeltaGantt::Ran ran) const {
        switch (ran) {
        case DeltaGantt::Ran::Same:
            return Theme::mix(m_theme.text, m_theme.background, 0.62);
        case DeltaGantt::Ran::Both:
            return Theme::mix(m_theme.text, m_theme.background, 0.3);
        case DeltaGantt::Ran::OnlyA:
            return m_what.colourA;
        default:
            return m_what.colourB;
        }
    }
    void ground(const QRectF& box, std::int64_t endNs) {
        const double left = std::clamp(m_camera.toX(0), box.left(), box.right());
        const double right = std::clamp(m_camera.toX(static_cast<double>(endNs)), box.left(), box.right());
        m_painter.fillRect(QRectF(left, box.top(), right - left, box.height()), m_theme.frameFill);
    }

    /// From the top: only in the first plan, the same op, both, only in the second.
    void strip(const Lane& lane) {
        const QRectF box = rowBox(lane, 0);
        ground(box, m_data.endNs());
        const auto columns = static_cast<std::size_t>(std::ceil(box.width()));
        const auto shares = spanColumns(lane.spans, m_camera.toNs(box.left()), m_camera.nsPerPixel, columns);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        using Ran = DeltaGantt::Ran;
        for (std::size_t c = 0; c < columns;) {
            std::size_t stop = c + 1;
            while (stop < columns && shares[stop] == shares[c])
                ++stop;
            const double x = box.left() + static_cast<double>(c), width = static_cast<double>(stop - c);
            const auto height = [&](Ran ran) { return box.height() * shares[c][static_cast<std::size_t>(ran)]; };
            double y = box.top();
            for (const Ran ran : {Ran::OnlyA, Ran::Same, Ran::Both}) {
                if (height(ran) > 0)
                    m_painter.fillRect(QRectF(x, y, width, height(ran)), ranColour(ran));
                y += height(ran);
            }
            if (const double last = height(Ran::OnlyB); last > 0)
                m_painter.fillRect(QRectF(x, box.bottom() - last, width, last), ranColour(Ran::OnlyB));
            c = stop;
        }
        m_painter.setRenderHint(QPainter::Antialiasing, true);
    }

    void bars(const std::vector<Bar>& all, const QRectF& box) {
        ground(box, m_data.endNs());
        const double wideNs = kWide * m_camera.nsPerPixel;
        const auto columns = static_cast<std::size_t>(std::ceil(box.width()));
        const auto merged = shiftColumns(all, m_camera.toNs(box.left()), m_camera.nsPerPixel, columns, wideNs);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        for (std::size_t c = 0; c < columns; ++c) {
            if (merged[c].busy <= 0)
                continue;
            const double share = kFaintest + (1 - kFaintest) * merged[c].busy;
            m_painter.fillRect(QRectF(box.left() + static_cast<double>(c), box.top(), 1, box.height()),
                               Theme::mix(shiftColour(m_theme, merged[c].shift), m_theme.frameFill, share));
        }
        m_painter.setRenderHint(QPainter::Antialiasing, true);
        const double to = m_camera.toNs(box.right());
        for (auto bar = firstSeen(all, m_camera.toNs(box.left())); bar != all.end(); ++bar) {
            if (static_cast<double>(bar->startNs) > to)
                break;
            if (static_cast<double>(bar->endNs - bar->startNs) > wideNs)
                wideBar(*bar, barBox(*bar, box));
        }
    }

    [[nodiscard]] QRectF barBox(const Bar& bar, const QRectF& row) const {
        const double left =
            std::clamp(m_camera.toX(static_cast<double>(bar.startNs)), row.left() - 50, row.right() + 50);
        const double right =
            std::clamp(m_camera.toX(static_cast<double>(bar.endNs)), row.left() - 50, row.right() + 50);
        return {left, row.top(), std::max(kWide, right - left), row.height()};
    }

    void wideBar(const Bar& bar, const QRectF& box) {
        const Shift shift = bar.shift;
        const QColor fill = shiftColour(m_theme, shift);
        m_painter.fillRect(box, fill);
        if (box.width() >= 5)
            m_painter.fillRect(QRectF(box.right() - 1, box.top(), 1, box.height()), m_theme.background);
        if (box.width() < 22)
            return;
        const std::int64_t by = m_data.shiftNs(OpId(bar.op));
        const QString mark = shift == Shift::Elsewhere ? QStringLiteral("≠ ")
                             : by < 0                  ? QStringLiteral("◂ ")
                             : by > 0                  ? QStringLiteral("▸ ")
                                                       : QStringLiteral("= ");
        const std::string& name = m_data.a().problem->graph->op(OpId(bar.op)).name;
        const std::size_t slash = name.rfind('/');
        m_labels.draw((box & plot()).adjusted(3, 0, -3, 0), Qt::AlignLeft,
                      mark + text(std::string_view(name).substr(slash == std::string::npos ? 0 : slash + 1)), 10,
                      Theme::textOn(fill));
    }

    void selection(const std::vector<Bar>& all, const QRectF& row) {
        if (m_what.selected == nullptr || m_what.selected->empty())
            return;
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(m_theme.selection, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        const double to = m_camera.toNs(row.right());
        double free = row.left() - 100; // thousands of selected bars on one pixel are one outline
        for (auto bar = firstSeen(all, m_camera.toNs(row.left())); bar != all.end(); ++bar) {
            if (static_cast<double>(bar->startNs) > to)
                break;
            if (!std::ranges::binary_search(*m_what.selected, OpId(bar->op)))
                continue;
            const QRectF box = barBox(*bar, row);
            if (box.right() < free)
                continue;
            m_painter.drawRect(box);
            free = box.right() + 1;
        }
    }

    void laneLabels() {
        const double width = m_camera.labelWidth;
        m_painter.fillRect(QRectF(0, 0, width, m_view.height()), m_theme.background);
        for (const Lane& lane : m_data.lanes()) {
            if (!isInView(lane))
                continue;
            const QRectF head = rowBox(lane, 0);
            const DeviceId device = lane.a.valid() ? lane.a : lane.b;
            m_labels.draw({8, head.top(), width - 16, head.height()}, Qt::AlignLeft,
                          Theme::deviceLetter(device) + QStringLiteral(" · ") + text(lane.label), 12, m_theme.text,
                          true);
            const auto share = [&](DeltaGantt::Ran ran) {
                const double end = static_cast<double>(std::max<std::int64_t>(1, m_data.endNs()));
                return std::llround(100 * static_cast<double>(lane.ns[static_cast<std::size_t>(ran)]) / end);
            };
            using Ran = DeltaGantt::Ran;
            const QRectF one = rowBox(lane, 1), two = rowBox(lane, 2);
            const QString only = QStringLiteral("only %1%"), absent = QStringLiteral("no such device");
            const auto row = [&](const QRectF& box, const QString& name, const QColor& colour, const QString& words) {
                m_labels.draw({width - 22, box.top(), 16, box.height()}, Qt::AlignRight, name, 11, colour, true);
                m_labels.draw({8, box.top(), width - 34, box.height()}, Qt::AlignLeft, words, 10, m_theme.dimText);
            };
            row(one, m_what.nameA, m_what.colourA, lane.a.valid() ? only.arg(share(Ran::OnlyA)) : absent);
            row(two, m_what.nameB, m_what.colourB, lane.b.valid() ? only.arg(share(Ran::OnlyB)) : absent);
        }
        m_painter.setPen(QPen(m_theme.frame, 1));
        m_painter.drawLine(QPointF(width - 0.5, 0), QPointF(width - 0.5, m_view.height()));
    }

    void legend() {
        m_painter.fillRect(QRectF(0, kGanttAxisHeight, m_view.width(), kDeltaTop - kGanttAxisHeight),
                           m_theme.background);
        using Ran = DeltaGantt::Ran;
        const bool isWide = m_view.width() >= kWideLegend; // else in fewer words, so that nothing is left out
        const auto words = [isWide](const char* many, const char* few) {
            return QString::fromUtf8(isWide ? many : few);
        };
        const LegendEntry entries[] = {
            {ranColour(Ran::OnlyA), words("only in %1", "only %1").arg(m_what.nameA)},
            {ranColour(Ran::OnlyB), words("only in %1", "only %1").arg(m_what.nameB)},
            {ranColour(Ran::Same), words("both, the same op", "same")},
            {ranColour(Ran::Both), words("both, other ops", "other")},
            {shiftColour(m_theme, Shift::MuchEarlier),
             isWide ? QStringLiteral("◂ earlier in %1").arg(m_what.nameB) : QStringLiteral("◂ earlier")},
            {shiftColour(m_theme, Shift::MuchLater),
             isWide ? QStringLiteral("▸ later in %1").arg(m_what.nameB) : QStringLiteral("▸ later")},
            {shiftColour(m_theme, Shift::None), words("= at the same time", "= same")},
            {shiftColour(m_theme, Shift::Elsewhere), words("≠ on another device", "≠ moved")}};
        paintEntries(m_painter, m_labels, {8, kGanttAxisHeight + 2, m_view.width() - 16, 20}, entries, m_theme);
    }

    QPainter& m_painter;
    QSizeF m_view;
    const GanttCamera& m_camera;
    const DeltaGantt& m_data;
    const DeltaView& m_what;
    const Theme& m_theme;
    LabelPainter m_labels;
};

} // namespace

QColor shiftColour(const Theme& theme, Shift shift) {
    const auto pale = [&theme](const QColor& colour) { return Theme::mix(colour, theme.frameFill, 0.5); };
    switch (shift) {
    case Shift::Earlier:
        return pale(theme.outputHighlight);
    case Shift::MuchEarlier:
        return theme.outputHighlight;
    case Shift::Later:
        return pale(theme.critical);
    case Shift::MuchLater:
        return theme.critical;
    case Shift::Elsewhere:
        return theme.inputHighlight;
    default:
        return Theme::mix(theme.edge, theme.background, 0.7);
    }
}

double deltaHeight(const DeltaGantt& data) {
    const auto& lanes = data.lanes();
    return kDeltaTop + (lanes.empty() ? 0 : lanes.back().top + lanes.back().height + 10);
}

void paintDelta(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const DeltaGantt& data,
                const DeltaView& what, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    Canvas(painter, view, camera, data, what, theme).paint();
    painter.restore();
}

DeltaHit deltaHit(const DeltaGantt& data, const GanttCamera& camera, QPointF position) {
    constexpr double kReach = 3; // pixels beside a bar that still count as on it
    DeltaHit hit;
    if (position.y() < kDeltaTop || position.x() < camera.labelWidth)
        return hit;
    const double y = position.y() - kDeltaTop + camera.scrollY;
    for (std::size_t l = 0; l < data.lanes().size(); ++l) {
        const Lane& lane = data.lanes()[l];
        if (y < lane.top || y >= lane.top + lane.height)
            continue;
        hit.lane = static_cast<int>(l);
        const double inside = y - lane.top;
        hit.row = inside < kStripHeight + kRowGap / 2 ? 0 : inside < kStripHeight + 1.5 * kRowGap + kRowHeight ? 1 : 2;
        if (hit.row == 0)
            return hit;
        const auto& bars = hit.row == 1 ? lane.barsA : lane.barsB;
        const double ns = camera.toNs(position.x()), reach = kReach * camera.nsPerPixel;
        double nearest = reach;
        for (auto bar = firstSeen(bars, ns - reach);
             bar != bars.end() && static_cast<double>(bar->startNs) <= ns + reach; ++bar) {
            const double off =
                std::max({0.0, static_cast<double>(bar->startNs) - ns, ns - static_cast<double>(bar->endNs)});
            if (off > nearest || (off == nearest && hit.bar >= 0))
                continue;
            nearest = off;
            hit.bar = static_cast<int>(bar - bars.begin());
        }
    }
    return hit;
}

} // namespace opscape
