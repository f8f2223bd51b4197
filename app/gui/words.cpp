// SPDX-License-Identifier: MIT
#include "gui/words.h"

#include "gui/shown_text.h"

#include <opscape/base/units.h>

#include <QStringList>

#include <algorithm>

namespace opscape {
namespace {

QString time(std::int64_t ns) { return qs(formatTime(ns)); }

/// The segments of the critical path in which something waited.
template <class Matches>
QStringList explained(const ShownRun& run, Matches matches) {
    QStringList lines;
    for (const CriticalSegment& segment : run.critical) {
        const bool waits = segment.kind != CriticalSegment::Kind::Op && segment.kind != CriticalSegment::Kind::Transfer;
        if (waits && matches(segment))
            lines << qs(explain(run.problem(), run.outcome->schedule, segment));
    }
    return lines;
}

QString transferName(const ShownRun& run, const Transfer& transfer) {
    const Graph& graph = *run.problem().graph;
    return transfer.tensor.valid()
               ? seen(elide(graph.tensor(transfer.tensor).name, 60))
               : QStringLiteral("control signal of %1").arg(seen(elide(graph.op(transfer.producer).name, 60)));
}

} // namespace

QString tensorText(const Tensor& tensor) {
    const QString type = tensor.dtype == DType::Unknown ? QStringLiteral("?") : qs(toString(tensor.dtype));
    return type + u' ' + (tensor.shapeKnown ? qs(toString(tensor.shape)) : QStringLiteral("of unknown shape"));
}

QString outputText(const Graph& graph, OpId op) {
    constexpr std::size_t kMost = 3;
    const auto outputs = graph.outputs(op);
    QStringList texts;
    for (std::size_t i = 0; i < std::min(kMost, outputs.size()); ++i)
        texts << tensorText(graph.tensor(outputs[i]));
    if (outputs.size() > kMost)
        texts << QStringLiteral("%1 more").arg(outputs.size() - kMost);
    return texts.join(QStringLiteral(", "));
}

QString deviceText(const Cluster& cluster, DeviceId device) {
    return QStringLiteral("%1 · %2").arg(Theme::deviceLetter(device), qs(cluster.device(device).name));
}

QString gapText(std::int64_t makespanNs, std::int64_t boundNs) {
    return boundNs > 0 ? qs(formatPercent(gap(makespanNs, boundNs))) : QStringLiteral("–");
}

QString clusterText(const Cluster& cluster) {
    return QStringLiteral("%1, %2 links").arg(qs(cluster.id()), qs(toString(cluster.linkModel())));
}

QString stepTimeText(const ShownRun& run) {
    const std::int64_t ns = run.outcome->schedule.makespanNs;
    if (run.start == nullptr)
        return time(ns);
    const std::int64_t before = run.start->outcome->schedule.makespanNs;
    if (ns == before)
        return QStringLiteral("%1, as at the start").arg(time(ns));
    const QString sign = ns < before ? QStringLiteral("-") : QStringLiteral("+");
    const double share = before > 0 ? static_cast<double>(std::abs(ns - before)) / static_cast<double>(before) : 0;
    return QStringLiteral("%1, %2%3 (%2%4) against start")
        .arg(time(ns), sign, time(std::abs(ns - before)), qs(formatPercent(share)));
}

QString methodText(const ShownRun& run) {
    const RunRecord& record = run.outcome->run;
    const QString method = record.optimizer.empty() ? QStringLiteral("given plan") : qs(record.optimizer);
    if (run.start != nullptr && record.id == 0)
        return QStringLiteral("%1, edited").arg(method);
    if (run.goesOn)
        return QStringLiteral("%1, best so far").arg(method);
    if (run.preview)
        return QStringLiteral("%1, preview").arg(method);
    return record.id > 0 ? QStringLiteral("%1, run %2").arg(method).arg(record.id) : method;
}

QString opTip(const OpenedGraph& opened, const ShownRun* run, OpId op) {
    const Graph& graph = *opened.graph;
    QStringList lines{seen(elide(graph.op(op).name, 80)), seen(graph.op(op).type)};
    if (const QString shapes = outputText(graph, op); !shapes.isEmpty())
        lines.last() += QStringLiteral(" → ") + shapes;
    if (run == nullptr)
        return lines.join(u'\n');
    const OpRun& times = run->outcome->schedule.ops[op.index()];
    lines << QStringLiteral("%1 on %2").arg(time(run->opNs(op)), deviceText(run->cluster(), run->deviceOf(op)));
    lines << QStringLiteral("%1 to %2").arg(time(times.startNs), time(times.endNs));
    if (run->problem().pin(op).valid())
        lines << QStringLiteral("Pinned to its device");
    if (run->onCritical[op.index()] != 0)
        lines << QStringLiteral("On the critical path");
    if (const QString wait = waitText(*run, op); !wait.isEmpty())
        lines << wait;
    return lines.join(u'\n');
}

QString scopeTip(const OpenedGraph& opened, const ShownRun* run, ScopeId scope) {
    const ScopeTree& tree = *opened.scopes;
    QStringList lines{seen(elide(tree.path(scope), 80)), countedText(tree.scope(scope).opsBelow, "op")};
    if (run != nullptr) {
        const ScopeTotal& total = run->scopes[scope.index()];
        lines << QStringLiteral("%1 of op time, %2%3")
                     .arg(time(total.timeNs),
                          total.mixed ? QStringLiteral("most of it on ") : QStringLiteral("all on "),
                          deviceText(run->cluster(), total.device));
        const auto pinned =
            run->problem().pins.empty() ? 0 : std::ranges::count_if(tree.opsBelow(scope), [run](OpId op) {
                return run->problem().pin(op).valid();
            });
        if (pinned > 0)
            lines << QStringLiteral("%1 of them pinned to their devices").arg(qs(formatCount(pinned)));
    }
    lines << QStringLiteral("Double-click to open or close");
    return lines.join(u'\n');
}

QString transferTip(const ShownRun& run, std::size_t index) {
    const Transfer& transfer = run.outcome->schedule.transfers[index];
    QStringList lines{transferName(run, transfer)};
    lines << QStringLiteral("%1 from %2 to %3")
                 .arg(qs(formatBytes(transfer.bytes)), deviceText(run.cluster(), transfer.from),
                      deviceText(run.cluster(), transfer.to));
    lines << QStringLiteral("%1 to %2, %3")
                 .arg(time(transfer.startNs), time(transfer.endNs), time(transfer.endNs - transfer.startNs));
    if (const QString wait = waitText(run, index); !wait.isEmpty())
        lines << wait;
    return lines.join(u'\n');
}

QString waitText(const ShownRun& run, OpId op) {
    const QStringList lines = explained(
        run, [op](const CriticalSegment& s) { return s.kind != CriticalSegment::Kind::ChannelWait && s.op == op; });
    if (!lines.isEmpty())
        return lines.join(u'\n');
    const OpRun& times = run.outcome->schedule.ops[op.index()];
    if (times.startNs <= times.readyNs)
        return {};
    return QStringLiteral("Ready at %1, waited %2 for its device")
        .arg(time(times.readyNs), time(times.startNs - times.readyNs));
}

QString waitText(const ShownRun& run, std::size_t index) {
    const QStringList lines = explained(run, [index](const CriticalSegment& s) {
        return s.kind == CriticalSegment::Kind::ChannelWait && s.transfer == index;
    });
    if (!lines.isEmpty())
        return lines.join(u'\n');
    const Transfer& transfer = run.outcome->schedule.transfers[index];
    if (transfer.startNs <= transfer.readyNs)
        return {};
    return QStringLiteral("Ready at %1, waited %2 for its channel")
        .arg(time(transfer.readyNs), time(transfer.startNs - transfer.readyNs));
}

} // namespace opscape
