// SPDX-License-Identifier: MIT
#include "gui/views/baseline_marks.h"

#include "gui/models/notable_baselines.h"
#include "gui/views/label_spread.h"
#include "gui/views/overlay.h"
#include "gui/words.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <numeric>

namespace opscape {
namespace {

constexpr int kTextSize = 11, kApart = 14, kLeader = 16, kMostWidth = 230,
              kBorder = 4; ///< above the first name and below the last

QString nameOf(const NamedTime& baseline) {
    return QStringLiteral("%1  %2").arg(qs(baseline.name), qs(formatTime(baseline.ns)));
}

} // namespace

void BaselineMarks::set(std::vector<NamedTime> baselines, const Theme& theme) {
    for (const Mark& mark : m_marks) {
        m_plot.removeItem(mark.line);
        m_plot.removeItem(mark.leader);
        m_plot.removeItem(mark.name);
    }
    m_marks.clear();
    if (m_more != nullptr)
        m_plot.removeItem(std::exchange(m_more, nullptr));
    m_baselines = std::move(baselines);
    std::ranges::stable_sort(m_baselines, std::greater(), &NamedTime::ns);
    m_shown = m_all ? m_baselines : notableBaselines(m_baselines);
    const QFont font = Theme::font(kTextSize);
    int widest = 0;
    for (const NamedTime& baseline : m_shown) {
        const Mark mark{new QCPItemLine(&m_plot), new QCPItemLine(&m_plot), addName(theme.text)};
        mark.line->setClipAxisRect(&m_chart);
        mark.line->setPen(penOf(theme.dimText, 1, Qt::DashLine));
        double share = 0; // of the width
        for (QCPItemPosition* end : {mark.line->start, mark.line->end}) {
            end->setAxisRect(&m_chart);
            end->setAxes(m_chart.axis(QCPAxis::atBottom), m_chart.axis(QCPAxis::atLeft));
            end->setTypeX(QCPItemPosition::ptAxisRectRatio);
            end->setTypeY(QCPItemPosition::ptPlotCoords);
            end->setCoords(share++, static_cast<double>(baseline.ns));
        }
        mark.leader->setPen(penOf(theme.frame, 1, Qt::SolidLine));
        mark.leader->setClipToAxisRect(false);
        for (QCPItemPosition* position : {mark.leader->start, mark.leader->end})
            position->setType(QCPItemPosition::ptAbsolute);
        widest = std::max(widest, QFontMetrics(font).horizontalAdvance(QStringLiteral("↑ ") + nameOf(baseline)));
        m_marks.push_back(mark);
    }
    m_moreColor = theme.dimText;
    m_chart.setAutoMargins(QCP::msLeft | QCP::msTop | QCP::msBottom);
    m_chart.setMargins(
        {0, 0,
         std::max(m_chart.minimumMargins().right(), m_marks.empty() ? 0 : std::min(widest, kMostWidth) + kLeader + 4),
         0});
}

QCPItemText* BaselineMarks::addName(const QColor& color) {
    auto* name = new QCPItemText(&m_plot);
    name->setClipToAxisRect(false);
    name->position->setType(QCPItemPosition::ptAbsolute);
    name->setFont(Theme::font(kTextSize));
    name->setColor(color);
    name->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    name->setPadding({});
    return name;
}

void BaselineMarks::showAll(bool all, const Theme& theme) {
    m_all = all;
    dress(theme);
}

QString BaselineMarks::list() const {
    QStringList lines;
    for (const NamedTime& baseline : m_baselines)
        lines << nameOf(baseline);
    return lines.join(u'\n');
}

bool BaselineMarks::isBeside(const QPoint& place) const {
    return !m_marks.empty() && place.x() > m_chart.right() && place.x() <= m_chart.outerRect().right() &&
           place.y() >= m_chart.top() && place.y() <= m_chart.bottom();
}

std::vector<std::size_t> BaselineMarks::named() const {
    std::vector<std::size_t> all(m_shown.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto room = static_cast<std::size_t>(std::max(0, m_chart.height() - 2 * kBorder) / kApart + 1);
    if (m_shown.size() + (m_shown.size() < m_baselines.size() ? 1 : 0) <= room)
        return all;
    // One line says how many have no name; before all others come those worth a line of their own, then the fastest.
    std::vector<bool> notable(m_shown.size());
    for (const NamedTime& baseline : notableBaselines(m_shown)) {
        for (const std::size_t i : all)
            notable[i] = notable[i] || m_shown[i].name == baseline.name;
    }
    std::ranges::sort(all, [&](std::size_t a, std::size_t b) {
        return notable[a] != notable[b] ? static_cast<bool>(notable[a]) : a > b;
    });
    all.resize(std::min(all.size(), room - 1));
    std::ranges::sort(all);
    return all;
}

void BaselineMarks::place() {
    const QCPAxis& axis = *m_chart.axis(QCPAxis::atLeft);
    const std::vector<std::size_t> names = named();
    std::vector<double> wanted;
    for (const std::size_t i : names)
        wanted.push_back(std::clamp<double>(axis.coordToPixel(static_cast<double>(m_shown[i].ns)), m_chart.top(),
                                            std::max(m_chart.top(), m_chart.bottom())));
    const std::size_t unnamed = m_baselines.size() - names.size();
    if (unnamed > 0) {
        wanted.push_back(m_chart.bottom());
        if (m_more == nullptr)
            m_more = addName(m_moreColor);
        m_more->setText(QCoreApplication::translate("TrainingPlot", "and %1 more").arg(unnamed));
    }
    if (m_more != nullptr)
        m_more->setVisible(unnamed > 0);
    const auto places = spreadLabels(wanted, kApart, m_chart.top() + kBorder, m_chart.bottom() - kBorder);
    const QFontMetrics metrics(Theme::font(kTextSize));
    for (const Mark& mark : m_marks) {
        mark.name->setVisible(false);
        mark.leader->setVisible(false);
    }
    for (std::size_t at = 0; at < names.size(); ++at) {
        const Mark& mark = m_marks[names[at]];
        const NamedTime& baseline = m_shown[names[at]];
        const auto ns = static_cast<double>(baseline.ns);
        const QString arrow = ns > axis.range().upper   ? QStringLiteral("↑ ")
                              : ns < axis.range().lower ? QStringLiteral("↓ ")
                                                        : QString();
        mark.name->setText(metrics.elidedText(arrow + nameOf(baseline), Qt::ElideMiddle, kMostWidth));
        mark.name->setVisible(true);
        mark.leader->setVisible(true);
        mark.leader->start->setCoords(m_chart.right() + 2, wanted[at]);
        mark.leader->end->setCoords(m_chart.right() + kLeader - 3, places[at]);
        mark.name->position->setCoords(m_chart.right() + kLeader, places[at]);
    }
    if (unnamed > 0)
        m_more->position->setCoords(m_chart.right() + kLeader, places.back());
}

} // namespace opscape
