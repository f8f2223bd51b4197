// SPDX-License-Identifier: MIT
#include "gui/views/compare_delta.h"

#include "gui/views/overlay.h"
#include "gui/words.h"
#include "render/compared_colours.h"

#include <opscape/base/units.h>

namespace opscape {
namespace {

QString time(std::int64_t ns) { return qs(formatTime(ns)); }

/// The op of a lane that runs at a moment; invalid when it idles.
OpId runningAt(const std::vector<DeltaGantt::Bar>& bars, double ns) {
    const auto bar =
        std::ranges::upper_bound(bars, ns, {}, [](const DeltaGantt::Bar& b) { return static_cast<double>(b.endNs); });
    return bar != bars.end() && static_cast<double>(bar->startNs) <= ns ? OpId(bar->op) : OpId();
}

} // namespace

CompareDelta::CompareDelta(Session& session, const Look& look, QWidget* parent)
    : CompareTimeCanvas(look, parent),
      m_session(session) {
    setObjectName(QStringLiteral("compareDelta"));
    setAccessibleName(tr("What runs in both plans, and what is shifted"));
    connect(&session, &Session::selectionChanged, this, qOverload<>(&QWidget::update));
}

void CompareDelta::setPair(ShownRunPtr a, ShownRunPtr b, std::size_t numberA, std::size_t numberB,
                           std::shared_ptr<const DeltaGantt> data) {
    m_a = std::move(a);
    m_b = std::move(b);
    m_numberA = numberA;
    m_numberB = numberB;
    m_data = std::move(data);
    setContent(m_data ? m_data->endNs() : 1, m_data ? deltaHeight(*m_data) : 0);
}

void CompareDelta::paintContent(QPainter& painter, const QSizeF& view) {
    if (!m_data)
        return paintNotice(painter, rect(), look().theme(), tr("Choose two plans to set against one another."));
    DeltaView what;
    what.nameA = QString::number(m_numberA + 1);
    what.nameB = QString::number(m_numberB + 1);
    what.colourA = planColour(look().theme(), m_numberA);
    what.colourB = planColour(look().theme(), m_numberB);
    what.selected = &m_session.selection().ops;
    paintDelta(painter, view, camera(), *m_data, what, look().theme());
}

void CompareDelta::clicked(QPointF position) {
    if (!m_data)
        return;
    const DeltaHit hit = deltaHit(*m_data, camera(), position);
    if (hit.bar < 0)
        return m_session.select({});
    const DeltaGantt::Lane& lane = m_data->lanes()[static_cast<std::size_t>(hit.lane)];
    const auto& bars = hit.row == 1 ? lane.barsA : lane.barsB;
    m_session.selectOps({OpId(bars[static_cast<std::size_t>(hit.bar)].op)});
}

QString CompareDelta::tipAt(QPointF position) const {
    if (!m_data)
        return {};
    const DeltaHit hit = deltaHit(*m_data, camera(), position);
    if (hit.lane < 0)
        return {};
    const DeltaGantt::Lane& lane = m_data->lanes()[static_cast<std::size_t>(hit.lane)];
    if (hit.row == 0)
        return spanTip(lane, camera().toNs(position.x()));
    if (hit.bar < 0)
        return {};
    const auto& bars = hit.row == 1 ? lane.barsA : lane.barsB;
    return opTipOf(OpId(bars[static_cast<std::size_t>(hit.bar)].op));
}

QString CompareDelta::spanTip(const DeltaGantt::Lane& lane, double ns) const {
    const auto said = [&](std::size_t number, const std::vector<DeltaGantt::Bar>& bars) {
        const OpId op = runningAt(bars, ns);
        return tr("%1: %2")
            .arg(number + 1)
            .arg(op.valid() ? qs(elide(m_data->a().problem->graph->op(op).name, 70)) : tr("idle"));
    };
    QStringList lines{tr("%1 at %2").arg(qs(lane.label), time(static_cast<std::int64_t>(ns))),
                      said(m_numberA, lane.barsA), said(m_numberB, lane.barsB)};
    const auto sum = [&lane](DeltaGantt::Ran ran) { return time(lane.ns[static_cast<std::size_t>(ran)]); };
    using Ran = DeltaGantt::Ran;
    lines << tr("In all: only in %1 %2, only in %3 %4, both the same op %5, both other ops %6")
                 .arg(QString::number(m_numberA + 1), sum(Ran::OnlyA), QString::number(m_numberB + 1), sum(Ran::OnlyB),
                      sum(Ran::Same), sum(Ran::Both));
    return lines.join(u'\n');
}

QString CompareDelta::opTipOf(OpId op) const {
    const auto said = [op](std::size_t number, const ShownRun& run) {
        const OpRun& times = run.outcome->schedule.ops[op.index()];
        return tr("%1: %2 to %3 on %4")
            .arg(QString::number(number + 1), time(times.startNs), time(times.endNs),
                 deviceText(run.cluster(), run.deviceOf(op)));
    };
    const std::int64_t by = m_data->shiftNs(op);
    const QString shift = by == 0 ? tr("Starts at the same time in both")
                                  : (by < 0 ? tr("Starts %1 earlier in %2") : tr("Starts %1 later in %2"))
                                        .arg(time(std::abs(by)))
                                        .arg(m_numberB + 1);
    return QStringList{qs(elide(m_data->a().problem->graph->op(op).name, 80)), said(m_numberA, *m_a),
                       said(m_numberB, *m_b), shift}
        .join(u'\n');
}

} // namespace opscape
