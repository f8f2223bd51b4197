// SPDX-License-Identifier: MIT
#include "gui/views/baseline_marks.h"

#include "gui/models/notable_baselines.h"
#include "gui/views/label_spread.h"
#include "gui/views/overlay.h"
#include "gui/words.h"

#include <opscape/base/units.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr int kTextSize = 11, kApart = 14, kLeader = 16, kMostWidth = 230;

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
    if (m_shown.size() < m_baselines.size()) {
        m_more = addName(theme.dimText);
        m_more->setText(
            QCoreApplication::translate("TrainingPlot", "and %1 more").arg(m_baselines.size() - m_shown.size()));
    }
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

void BaselineMarks::place() {
    const QCPAxis& axis = *m_chart.axis(QCPAxis::atLeft);
    std::vector<double> wanted;
    for (const NamedTime& baseline : m_shown)
        wanted.push_back(std::clamp<double>(axis.coordToPixel(static_cast<double>(baseline.ns)), m_chart.top(),
                                            std::max(m_chart.top(), m_chart.bottom())));
    if (m_more != nullptr)
        wanted.push_back(m_chart.bottom());
    const auto places = spreadLabels(wanted, kApart, m_chart.top() + 4, m_chart.bottom() - 4);
    const QFontMetrics metrics(Theme::font(kTextSize));
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        const auto ns = static_cast<double>(m_shown[i].ns);
        const QString arrow = ns > axis.range().upper   ? QStringLiteral("↑ ")
                              : ns < axis.range().lower ? QStringLiteral("↓ ")
                                                        : QString();
        m_marks[i].name->setText(metrics.elidedText(arrow + nameOf(m_shown[i]), Qt::ElideMiddle, kMostWidth));
        m_marks[i].leader->start->setCoords(m_chart.right() + 2, wanted[i]);
        m_marks[i].leader->end->setCoords(m_chart.right() + kLeader - 3, places[i]);
        m_marks[i].name->position->setCoords(m_chart.right() + kLeader, places[i]);
    }
    if (m_more != nullptr)
        m_more->position->setCoords(m_chart.right() + kLeader, places.back());
}

} // namespace opscape
