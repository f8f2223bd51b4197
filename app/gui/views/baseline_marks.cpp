// SPDX-License-Identifier: MIT
#include "gui/views/baseline_marks.h"

#include "gui/views/label_spread.h"
#include "gui/words.h"

#include <opscape/base/units.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr int kTextSize = 11, kApart = 14, kLeader = 16, kMostWidth = 230, kFreeRight = 6;

QString nameOf(const NamedTime& baseline) {
    return QStringLiteral("%1  %2").arg(qs(baseline.name), qs(formatTime(baseline.ns)));
}

QPen penOf(const QColor& color, Qt::PenStyle style) {
    QPen pen(color, 1, style);
    pen.setCosmetic(true);
    return pen;
}

} // namespace

void BaselineMarks::set(std::vector<NamedTime> baselines, const Theme& theme) {
    for (const Mark& mark : m_marks) {
        m_plot.removeItem(mark.line);
        m_plot.removeItem(mark.leader);
        m_plot.removeItem(mark.name);
    }
    m_marks.clear();
    m_baselines = std::move(baselines);
    std::ranges::stable_sort(m_baselines, std::greater(), &NamedTime::ns);
    const QFont font = Theme::font(kTextSize);
    int widest = 0;
    for (const NamedTime& baseline : m_baselines) {
        const Mark mark{new QCPItemLine(&m_plot), new QCPItemLine(&m_plot), new QCPItemText(&m_plot)};
        mark.line->setClipAxisRect(&m_chart);
        mark.line->setPen(penOf(theme.dimText, Qt::DashLine));
        double share = 0; // of the width
        for (QCPItemPosition* end : {mark.line->start, mark.line->end}) {
            end->setAxisRect(&m_chart);
            end->setAxes(m_chart.axis(QCPAxis::atBottom), m_chart.axis(QCPAxis::atLeft));
            end->setTypeX(QCPItemPosition::ptAxisRectRatio);
            end->setTypeY(QCPItemPosition::ptPlotCoords);
            end->setCoords(share++, static_cast<double>(baseline.ns));
        }
        mark.leader->setPen(penOf(theme.frame, Qt::SolidLine));
        mark.leader->setClipToAxisRect(false);
        mark.name->setClipToAxisRect(false);
        for (QCPItemPosition* position : {mark.leader->start, mark.leader->end, mark.name->position})
            position->setType(QCPItemPosition::ptAbsolute);
        mark.name->setFont(font);
        mark.name->setColor(theme.text);
        mark.name->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        mark.name->setPadding({});
        widest = std::max(widest, QFontMetrics(font).horizontalAdvance(QStringLiteral("↑ ") + nameOf(baseline)));
        m_marks.push_back(mark);
    }
    m_chart.setAutoMargins(QCP::msLeft | QCP::msTop | QCP::msBottom);
    m_chart.setMargins({0, 0, m_marks.empty() ? kFreeRight : std::min(widest, kMostWidth) + kLeader + 4, 0});
}

void BaselineMarks::place() {
    const QCPAxis& axis = *m_chart.axis(QCPAxis::atLeft);
    std::vector<double> wanted;
    for (const NamedTime& baseline : m_baselines)
        wanted.push_back(std::clamp<double>(axis.coordToPixel(static_cast<double>(baseline.ns)), m_chart.top(),
                                            std::max(m_chart.top(), m_chart.bottom())));
    const auto places = spreadLabels(wanted, kApart, m_chart.top() + 4, m_chart.bottom() - 4);
    const QFontMetrics metrics(Theme::font(kTextSize));
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        const auto ns = static_cast<double>(m_baselines[i].ns);
        const QString arrow = ns > axis.range().upper   ? QStringLiteral("↑ ")
                              : ns < axis.range().lower ? QStringLiteral("↓ ")
                                                        : QString();
        m_marks[i].name->setText(metrics.elidedText(arrow + nameOf(m_baselines[i]), Qt::ElideMiddle, kMostWidth));
        m_marks[i].leader->start->setCoords(m_chart.right() + 2, wanted[i]);
        m_marks[i].leader->end->setCoords(m_chart.right() + kLeader - 3, places[i]);
        m_marks[i].name->position->setCoords(m_chart.right() + kLeader, places[i]);
    }
}

} // namespace opscape
