// SPDX-License-Identifier: MIT
#include "gui/text_report.h"

#include "gui/models/problems_model.h"
#include "gui/shown_text.h"
#include "gui/widgets/summary_strip.h"
#include "service/comparison.h"

#include <opscape/base/units.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr std::size_t kMostOps = 40;

QString heading(const QString& text) { return QStringLiteral("\n%1\n%2\n").arg(text, QString(text.size(), u'-')); }

QString problems(const Session& session) {
    const ShownRun* run = session.shown().get();
    const auto entries =
        problemsOf(session.workbench(), session.opened().get(), run != nullptr ? run->outcome.get() : nullptr);
    if (entries.empty())
        return QStringLiteral("none\n");
    QString text;
    for (const Diagnostic& entry : entries) {
        text += QStringLiteral("%1: %2: %3\n")
                    .arg(qs(toString(entry.severity)), qs(entry.summary),
                         qs(formatCount(static_cast<std::int64_t>(entry.count))));
        for (const std::string& example : entry.examples)
            text += QStringLiteral("    %1\n").arg(qs(example));
    }
    return text;
}

QString devices(const ShownRun& run) {
    QString text = QStringLiteral("%1 %2 %3 %4 %5\n")
                       .arg(QStringLiteral("device"), -12)
                       .arg(QStringLiteral("ops"), 8)
                       .arg(QStringLiteral("busy"), 10)
                       .arg(QStringLiteral("idle"), 8)
                       .arg(QStringLiteral("peak memory"), 12);
    const Schedule& schedule = run.outcome->schedule;
    for (std::size_t d = 0; d < schedule.devices.size(); ++d) {
        const DeviceReport& device = schedule.devices[d];
        const double idle =
            schedule.makespanNs > 0 ? static_cast<double>(device.idleNs) / static_cast<double>(schedule.makespanNs) : 0;
        text += QStringLiteral("%1 %2 %3 %4 %5\n")
                    .arg(deviceText(run.cluster(), DeviceId(d)), -12)
                    .arg(qs(formatCount(run.deviceOps[d])), 8)
                    .arg(qs(formatTime(device.busyNs)), 10)
                    .arg(qs(formatPercent(idle)), 8)
                    .arg(qs(formatBytes(device.peakBytes)), 12);
    }
    return text;
}

QString ops(const ShownRun& run) {
    std::vector<OpId> order;
    for (std::size_t i = 0; i < run.problem().graph->opCount(); ++i)
        order.emplace_back(i);
    std::ranges::stable_sort(order, {}, [&](OpId op) { return run.outcome->schedule.ops[op.index()].startNs; });
    QString text = QStringLiteral("%1 %2 %3  %4 %5\n")
                       .arg(QStringLiteral("start"), 10)
                       .arg(QStringLiteral("time"), 10)
                       .arg(QStringLiteral("device"), -10)
                       .arg(QStringLiteral("type"), -20)
                       .arg(QStringLiteral("name"));
    for (std::size_t i = 0; i < std::min(kMostOps, order.size()); ++i) {
        const OpRun& times = run.outcome->schedule.ops[order[i].index()];
        const Op& op = run.problem().graph->op(order[i]);
        text += QStringLiteral("%1 %2 %3  %4 %5\n")
                    .arg(qs(formatTime(times.startNs)), 10)
                    .arg(qs(formatTime(times.endNs - times.startNs)), 10)
                    .arg(deviceText(run.cluster(), run.deviceOf(order[i])), -10)
                    .arg(seen(op.type), -20)
                    .arg(seen(op.name));
    }
    if (order.size() > kMostOps)
        text +=
            QStringLiteral("and %1 more\n").arg(qs(formatCount(static_cast<std::int64_t>(order.size() - kMostOps))));
    return text;
}

QString comparison(const std::vector<ShownRunPtr>& runs) {
    std::vector<OutcomePtr> outcomes;
    QString text = QString(26, u' ');
    for (const ShownRunPtr& run : runs) {
        outcomes.push_back(run->outcome);
        text += QStringLiteral("%1").arg(methodText(*run), 22);
    }
    text += u'\n';
    for (const ComparedRow& row : comparisonTable(outcomes)) {
        text += QStringLiteral("%1").arg(qs(row.title), -26);
        for (std::size_t i = 0; i < row.texts.size(); ++i)
            text += QStringLiteral("%1").arg((row.best[i] ? QStringLiteral("✓ ") : QString()) + qs(row.texts[i]), 22);
        text += u'\n';
    }
    return text;
}

} // namespace

QString textReport(const Session& session, const QString& message) {
    QString text = QStringLiteral("Opscape %1\n").arg(QStringLiteral(OPSCAPE_VERSION));
    if (!message.isEmpty())
        text += QStringLiteral("\n%1\n").arg(message);
    text += heading(QStringLiteral("Summary"));
    for (const Figure& figure : summaryFigures(session.opened().get(), session.shown().get()))
        text += QStringLiteral("%1 %2\n").arg(figure.title, -14).arg(figure.value);
    text += heading(QStringLiteral("Problems")) + problems(session);
    if (!session.comparison().empty())
        text += heading(QStringLiteral("Comparison")) + comparison(session.comparison());
    if (session.shown() == nullptr)
        return text;
    text += heading(QStringLiteral("Devices")) + devices(*session.shown());
    text += heading(QStringLiteral("Ops by start")) + ops(*session.shown());
    return text;
}

} // namespace opscape
