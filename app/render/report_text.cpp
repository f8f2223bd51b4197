// SPDX-License-Identifier: MIT
// The words and tables of a report. Written as XML, so that any reader of it agrees on where a name ends.
#include "report_parts.h"
#include "service/comparison_ops.h"
#include "service/file_plan.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <numeric>

namespace opscape {
namespace {

QString qtext(std::string_view text) { return escaped(text); }

/// Rows of cells, all of them escaped already.
class HtmlTable {
public:
    explicit HtmlTable(bool compact) : m_compact(compact) {}
    void head(const QStringList& cells) { m_rows += row(QStringLiteral("th"), cells); }
    void row(const QStringList& cells) { m_rows += row(QStringLiteral("td"), cells); }
    [[nodiscard]] QString html() const {
        // A reader that knows little of style sheets takes lines and room from attributes.
        const QString look =
            m_compact ? QStringLiteral(" border='1' cellspacing='0' cellpadding='3' style='border-style:solid'")
                      : QString();
        return QStringLiteral("<table%1>%2</table>\n").arg(look, m_rows);
    }

private:
    static QString row(const QString& kind, const QStringList& cells) {
        QString text;
        for (const QString& cell : cells)
            text += u'<' + kind + u'>' + cell + QStringLiteral("</") + kind + u'>';
        return QStringLiteral("<tr>%1</tr>\n").arg(text);
    }

    bool m_compact;
    QString m_rows;
};

QString heading(const QString& title) { return QStringLiteral("<h2>%1</h2>\n").arg(title); }
QString paragraph(const QString& text) { return QStringLiteral("<p>%1</p>\n").arg(text); }
QString count(std::size_t n) { return qtext(formatCount(static_cast<std::int64_t>(n))); }

QString numberedTitle(const ReportRequest& request, std::size_t plan) {
    return QStringLiteral("%1  %2").arg(plan + 1).arg(qtext(request.plans[plan].title));
}

QStringList planHeads(const ReportRequest& request, const QString& first) {
    QStringList heads{first};
    for (std::size_t i = 0; i < request.plans.size(); ++i)
        heads << numberedTitle(request, i);
    return heads;
}

std::vector<OutcomePtr> outcomesOf(const ReportRequest& request) {
    std::vector<OutcomePtr> outcomes;
    for (const ReportPlan& plan : request.plans)
        outcomes.push_back(plan.outcome);
    return outcomes;
}

QString summary(const ReportRequest& request) {
    const auto key = [](const ReportPlan& p) {
        return std::pair(!p.outcome->schedule.feasible, p.outcome->schedule.makespanNs);
    };
    const auto best = std::ranges::min_element(request.plans, {}, key);
    const auto plan = static_cast<std::size_t>(best - request.plans.begin());
    const std::int64_t ns = best->outcome->schedule.makespanNs;
    QString text = QStringLiteral("A step takes %1 under %2").arg(qtext(formatTime(ns)), numberedTitle(request, plan));
    if (request.plans.size() > 1) {
        text = QStringLiteral("The shortest step is that of %1: %2")
                   .arg(numberedTitle(request, plan), qtext(formatTime(ns)));
        for (std::size_t i = 0; i < request.plans.size(); ++i) {
            const std::int64_t other = request.plans[i].outcome->schedule.makespanNs;
            if (i != plan)
                text += QStringLiteral("; %1 takes %2 times as long")
                            .arg(i + 1)
                            .arg(qtext(fmt::format("{:.3f}", static_cast<double>(other) /
                                                                 static_cast<double>(std::max<std::int64_t>(1, ns)))));
        }
    }
    if (!best->outcome->schedule.feasible)
        text += QStringLiteral(". It does not fit in memory");
    return paragraph(text + u'.');
}

QString figures(const ReportRequest& request, bool compact) {
    HtmlTable table(compact);
    table.head(planHeads(request, QStringLiteral("Figure")));
    for (const ComparedRow& row : comparisonTable(outcomesOf(request))) {
        QStringList cells{qtext(row.title)};
        for (std::size_t i = 0; i < row.texts.size(); ++i) {
            QString cell = qtext(row.texts[i]);
            if (row.best[i])
                cell = QStringLiteral("<b>✓ %1</b>").arg(cell);
            if (!row.exact[i].empty())
                cell += QStringLiteral("<br /><small>%1</small>").arg(qtext(row.exact[i]));
            cells << cell;
        }
        table.row(cells);
    }
    return heading(QStringLiteral("Figures")) + table.html() +
           paragraph(QStringLiteral("✓ marks the better value. Times are simulated, never measured, unless the graph "
                                    "brings measured times of its ops."));
}

QString devices(const ReportRequest& request, bool compact) {
    HtmlTable table(compact);
    table.head({QStringLiteral("Plan"), QStringLiteral("Device"), QStringLiteral("Kind"), QStringLiteral("Ops"),
                QStringLiteral("Busy"), QStringLiteral("Idle"), QStringLiteral("Peak memory"),
                QStringLiteral("Capacity")});
    for (std::size_t p = 0; p < request.plans.size(); ++p) {
        const Outcome& o = *request.plans[p].outcome;
        const Cluster& cluster = *o.problem.cluster;
        for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
            const DeviceId id(d);
            const DeviceReport& report = o.schedule.devices[d];
            const std::int64_t capacity = cluster.kindOf(id).memoryBytes;
            table.row({QString::number(p + 1), qtext(deviceTitle(cluster, id)), qtext(cluster.kindOf(id).name),
                       count(static_cast<std::size_t>(std::ranges::count(o.plan.device, id))),
                       qtext(formatTime(report.busyNs)), qtext(formatPercent(idleShare(o.schedule, id))),
                       qtext(formatBytes(report.peakBytes) + (report.overBytes > 0 ? ", too much" : "")),
                       qtext(capacity > 0 ? formatBytes(capacity) : "any")});
        }
    }
    return heading(QStringLiteral("Devices")) + table.html();
}

std::int64_t timeOf(const Outcome& o, OpId op) { return o.problem.opNs(op, o.plan.device[op.index()]); }

QString changeText(const Result<MoveCost>& cost) {
    if (!cost)
        return qtext(cost.error().message);
    const std::string sign = cost->changeNs < 0 ? "-" : cost->changeNs > 0 ? "+" : "";
    return qtext(sign + formatTime(std::abs(cost->changeNs)) + (cost->feasible ? "" : ", does not fit"));
}

/// Groups of ops that differ together, with what it does to the first plan to have them as the other one has.
QString groupTable(const ReportRequest& request, const OutcomePtr& a, const OutcomePtr& b, std::size_t second,
                   const PlanDifferences& found, bool compact, const std::function<bool(double)>& goOn) {
    std::vector<std::int64_t> timeNs;
    for (const auto& group : found.groups)
        timeNs.push_back(std::accumulate(group.begin(), group.end(), std::int64_t{0},
                                         [&a](std::int64_t sum, OpId op) { return sum + timeOf(*a, op); }));
    std::vector<std::size_t> order(found.groups.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t g) { return timeNs[g]; });
    const std::size_t shown = std::min(order.size(), request.mostGroups);
    HtmlTable table(compact);
    table.head({QStringLiteral("Ops that differ together"), QStringLiteral("Ops"), QStringLiteral("Time in 1"),
                QStringLiteral("In 1 on"), QStringLiteral("In %1 on").arg(second + 1),
                QStringLiteral("Step time of 1 if they alone moved")});
    MoveCosts costs(a, b);
    for (std::size_t i = 0; i < shown && goOn(static_cast<double>(i) / static_cast<double>(shown)); ++i) {
        const auto& group = found.groups[order[i]];
        const OpId first = group.front();
        table.row({qtext(elide(a->problem.graph->op(first).name, 80)), count(group.size()),
                   qtext(formatTime(timeNs[order[i]])),
                   qtext(deviceTitle(*a->problem.cluster, a->plan.device[first.index()])),
                   qtext(deviceTitle(*b->problem.cluster, b->plan.device[first.index()])),
                   changeText(costs.of(group))});
    }
    return table.html() +
           (shown < order.size()
                ? paragraph(
                      QStringLiteral("The %1 of %2 groups that take longest.").arg(count(shown), count(order.size())))
                : QString());
}

QString opTable(const ReportRequest& request, const Outcome& a, const Outcome& b, std::size_t second,
                const PlanDifferences& found, bool compact) {
    std::vector<OpDifference> ops = found.ops;
    std::ranges::stable_sort(ops, std::greater(), [&a](const OpDifference& d) { return timeOf(a, d.op); });
    const std::size_t shown = std::min(ops.size(), request.mostOps);
    const QString other = QString::number(second + 1);
    HtmlTable table(compact);
    table.head({QStringLiteral("Op"), QStringLiteral("In 1 on"), QStringLiteral("In %1 on").arg(other),
                QStringLiteral("Runs in 1"), QStringLiteral("Runs in %1").arg(other)});
    const auto spanOf = [](const OpRun& run) {
        return qtext(fmt::format("{} to {}", formatTime(run.startNs), formatTime(run.endNs)));
    };
    for (const OpDifference& d : std::span(ops).first(shown))
        table.row({qtext(elide(a.problem.graph->op(d.op).name, 80)), qtext(deviceTitle(*a.problem.cluster, d.a)),
                   qtext(deviceTitle(*b.problem.cluster, d.b)), spanOf(a.schedule.ops[d.op.index()]),
                   spanOf(b.schedule.ops[d.op.index()])});
    return table.html() +
           (shown < ops.size()
                ? paragraph(QStringLiteral("The %1 of %2 ops that take longest.").arg(count(shown), count(ops.size())))
                : QString());
}

QString differences(const ReportRequest& request, bool compact, const ReportWatch& watch) {
    QString html = heading(QStringLiteral("Ops placed differently"));
    for (std::size_t i = 1; i < request.plans.size(); ++i) {
        const OutcomePtr &a = request.plans[0].outcome, &b = request.plans[i].outcome;
        const PlanDifferences found = differencesOf(*a, *b);
        html += QStringLiteral("<h3>%1  against  %2</h3>\n").arg(numberedTitle(request, 0), numberedTitle(request, i));
        html += paragraph(
            QStringLiteral("%1 of %2 ops, in %3 groups.")
                .arg(count(found.ops.size()), count(a->problem.graph->opCount()), count(found.groups.size())));
        if (found.ops.empty())
            continue;
        const auto goOn = [&](double part) {
            const double pairs = static_cast<double>(request.plans.size() - 1);
            return watch(0.5 + 0.4 * (static_cast<double>(i - 1) + part) / pairs, "simulating moved ops");
        };
        html += groupTable(request, a, b, i, found, compact, goOn);
        if (!goOn(1))
            return {};
        html += opTable(request, *a, *b, i, found, compact);
    }
    return html;
}

QString provenance(const ReportRequest& request, bool compact) {
    const Graph& graph = *request.plans[0].outcome->problem.graph;
    HtmlTable about(compact);
    about.row({QStringLiteral("Graph"), qtext(fmt::format("{}, {} ops, {} edges", graph.name(),
                                                          formatCount(static_cast<std::int64_t>(graph.opCount())),
                                                          formatCount(static_cast<std::int64_t>(graph.edgeCount()))))});
    about.row({QStringLiteral("Graph hash"), qtext(graph.hash())});
    if (const std::string& path = request.plans[0].outcome->run.graphPath; !path.empty())
        about.row({QStringLiteral("File"), qtext(path)});
    about.row({QStringLiteral("Made by"), qtext("Opscape " OPSCAPE_VERSION)});
    about.row({QStringLiteral("Made at"), qtext(request.madeAt)});
    about.row({QStringLiteral("Command"), request.commandLine.empty() ? QStringLiteral("File, Report, in the window")
                                                                      : qtext(request.commandLine)});
    HtmlTable runs(compact);
    runs.head(planHeads(request, QStringLiteral("Plan")));
    const auto row = [&](const QString& title, const auto& textOf) {
        QStringList cells{title};
        for (const ReportPlan& plan : request.plans)
            cells << qtext(textOf(*plan.outcome));
        runs.row(cells);
    };
    const auto orDash = [](std::string text) { return text.empty() ? std::string("–") : text; };
    row(QStringLiteral("Run"),
        [](const Outcome& o) { return o.run.id > 0 ? std::to_string(o.run.id) : std::string("not kept"); });
    row(QStringLiteral("Optimizer"), [](const Outcome& o) {
        return o.run.optimizer.empty()        ? std::string("given plan")
               : o.run.optimizer == kAsInFile ? o.run.optimizer
                                              : fmt::format("{}, revision {}", o.run.optimizer, o.run.revision);
    });
    row(QStringLiteral("Objective"), [&](const Outcome& o) { return orDash(o.run.objective); });
    row(QStringLiteral("Options"), [&](const Outcome& o) {
        std::string text;
        for (const auto& [name, value] : o.run.options)
            text += (text.empty() ? "" : " ") + name + "=" + value;
        return orDash(text);
    });
    row(QStringLiteral("Seed"), [](const Outcome& o) { return std::to_string(o.run.seed); });
    row(QStringLiteral("Status"), [](const Outcome& o) { return std::string(toString(o.run.status)); });
    row(QStringLiteral("Version that made it"), [&](const Outcome& o) { return orDash(o.run.version); });
    row(QStringLiteral("Cluster"), [](const Outcome& o) { return clusterTitle(*o.problem.cluster); });
    row(QStringLiteral("Cluster hash"), [](const Outcome& o) { return o.problem.cluster->hash(); });
    row(QStringLiteral("Cluster, in words"), [&](const Outcome& o) { return orDash(o.problem.cluster->title()); });
    row(QStringLiteral("Notes"), [&](const Outcome& o) { return orDash(o.run.notes); });
    return heading(QStringLiteral("Where it comes from")) + about.html() + runs.html();
}

QString style(bool compact) {
    if (compact)
        return QStringLiteral("body, td, th { font-family: 'DejaVu Sans', sans-serif; font-size: 8pt } h1 { font-size: "
                              "15pt } h2 { font-size: 12pt } h3 { font-size: 10pt } small { color: #5b6778 }");
    return QStringLiteral(
        "body { font: 15px/1.5 'DejaVu Sans', 'Noto Sans', sans-serif; color: #171f2b; background: #fbfcfe; max-width: "
        "1240px; margin: 32px auto; padding: 0 20px }\n"
        "h1 { font-size: 26px } h2 { font-size: 20px; margin-top: 40px } h3 { font-size: 16px }\n"
        "table { border-collapse: collapse; margin: 12px 0; font-size: 14px }\n"
        "th, td { border-bottom: 1px solid #dfe5ee; padding: 5px 14px 5px 0; text-align: left; vertical-align: top; "
        "overflow-wrap: anywhere }\n"
        "th { border-bottom: 2px solid #bfc8d6 }\n"
        "small { color: #5b6778 }\n"
        "figure { margin: 18px 0 } figcaption { font-weight: bold; margin-bottom: 6px }\n"
        "img { max-width: 100%; height: auto; border: 1px solid #dfe5ee }");
}

} // namespace

QString escaped(std::string_view text) {
    QString result = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
    for (qsizetype i = 0; i < result.size(); ++i) {
        const char16_t c = result[i].unicode();
        const bool pair = QChar::isHighSurrogate(c) && i + 1 < result.size() && result[i + 1].isLowSurrogate();
        if (pair)
            ++i;
        else if ((c < 0x20 && c != u'\t' && c != u'\n') || QChar::isSurrogate(c) || c == 0xfffe || c == 0xffff)
            result[i] = QChar::ReplacementCharacter;
    }
    return result.replace(u'\'', QStringLiteral("&#39;"));
}

QString reportText(const ReportRequest& request, const QString& pictures, bool compact, const ReportWatch& watch) {
    const QString name = qtext(request.plans[0].outcome->problem.graph->name());
    const QString title = request.plans.size() > 1
                              ? QStringLiteral("%1 plans of %2").arg(request.plans.size()).arg(name)
                              : QStringLiteral("A plan of %1").arg(name);
    QString body = QStringLiteral("<h1>%1</h1>\n").arg(title) + summary(request) + figures(request, compact) + pictures;
    if (request.plans.size() > 1) {
        const QString listed = differences(request, compact, watch);
        if (listed.isEmpty())
            return {};
        body += listed;
    }
    body += devices(request, compact) + provenance(request, compact);
    return QStringLiteral("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta "
                          "charset=\"utf-8\" />\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                          "'none'; img-src data:; style-src 'unsafe-inline'\" />\n<title>") +
           title + QStringLiteral("</title>\n<style>") + style(compact) +
           QStringLiteral("</style>\n</head>\n<body>\n") + body + QStringLiteral("</body>\n</html>\n");
}

} // namespace opscape
