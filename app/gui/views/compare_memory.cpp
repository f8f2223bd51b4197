// SPDX-License-Identifier: MIT
#include "gui/views/compare_memory.h"

#include "gui/words.h"

#include <opscape/base/units.h>

namespace opscape {

CompareMemory::CompareMemory(const Look& look, QWidget* parent) : CompareTimeCanvas(look, parent) {
    setObjectName(QStringLiteral("compareMemory"));
    setAccessibleName(tr("Memory of the compared plans"));
}

void CompareMemory::setRuns(const std::vector<ShownRunPtr>& runs) {
    m_runs = runs;
    m_names.clear();
    std::vector<const Problem*> problems;
    std::vector<const Schedule*> schedules;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        problems.push_back(&runs[i]->problem());
        schedules.push_back(&runs[i]->outcome->schedule);
        m_names.push_back(QStringLiteral("%1  %2").arg(i + 1).arg(methodText(*runs[i])));
    }
    m_overlay.reset();
    if (!runs.empty())
        m_overlay.emplace(problems, schedules);
    setContent(m_overlay ? m_overlay->endNs() : 1, m_overlay ? memoryHeight(*m_overlay) : 0);
}

void CompareMemory::paintContent(QPainter& painter, const QSizeF& view) {
    if (m_overlay)
        paintMemory(painter, view, camera(), *m_overlay, m_names, look().theme());
}

QString CompareMemory::tipAt(QPointF position) const {
    const int lane = m_overlay ? memoryLaneAt(*m_overlay, camera(), position) : -1;
    if (lane < 0)
        return {};
    const MemoryOverlay::Lane& at = m_overlay->lanes()[static_cast<std::size_t>(lane)];
    const double ns = camera().toNs(position.x());
    QStringList lines{tr("%1 at %2").arg(qs(at.label), qs(formatTime(static_cast<std::int64_t>(ns))))};
    for (const MemoryOverlay::Curve& curve : at.curves) {
        const bool over = ns > static_cast<double>(m_runs[curve.plan]->outcome->schedule.makespanNs);
        lines << tr("%1: %2; peak %3 at %4%5")
                     .arg(m_names[curve.plan], over ? tr("ended") : qs(formatBytes(bytesAt(*curve.report, ns))),
                          qs(formatBytes(curve.report->peakBytes)), qs(formatTime(curve.report->peakNs)),
                          curve.capacity > 0 ? tr(", of %1").arg(qs(formatBytes(curve.capacity))) : QString());
    }
    return lines.join(u'\n');
}

} // namespace opscape
