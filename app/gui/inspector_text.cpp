// SPDX-License-Identifier: MIT
#include "gui/inspector_text.h"

#include "gui/shown_text.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <map>

namespace opscape {
namespace {

constexpr std::size_t kMostListed = 40;

/// Collects sections of rows and writes them as tables of one width.
class Page {
public:
    explicit Page(const Look& look) : m_dim(look.theme().dimText.name()), m_look(look) {}

    void title(const QString& main, const QString& below) {
        m_html += QStringLiteral("<p style='margin:2px 0 0 0; font-size:large'><b>%1</b></p>").arg(breakable(main));
        if (!below.isEmpty())
            m_html += QStringLiteral("<p style='margin:0; color:%1'>%2</p>").arg(m_dim, below.toHtmlEscaped());
    }
    void section(const QString& name) {
        closeTable();
        m_html +=
            QStringLiteral("<p style='margin:12px 0 2px 0; color:%1'><b>%2</b></p>").arg(m_dim, name.toHtmlEscaped());
    }
    void row(const QString& name, const QString& value) { rowHtml(name, value.toHtmlEscaped()); }
    void rowHtml(const QString& name, const QString& html) {
        openTable();
        m_html += QStringLiteral("<tr><td width='42%' style='padding:1px 10px 1px 0; color:%1'>%2</td><td "
                                 "style='padding:1px 0'>%3</td></tr>")
                      .arg(m_dim, name.toHtmlEscaped(), html);
    }
    void line(const QString& html) {
        closeTable();
        m_html += QStringLiteral("<p style='margin:1px 0'>%1</p>").arg(html);
    }
    [[nodiscard]] QString dim(const QString& text) const {
        return QStringLiteral("<span style='color:%1'>%2</span>").arg(m_dim, text.toHtmlEscaped());
    }
    [[nodiscard]] QString chip(const Cluster& cluster, DeviceId device) const {
        const QColor color = m_look.theme().device(device);
        return QStringLiteral("<span style='background-color:%1; color:%2'>&nbsp;%3&nbsp;</span> %4")
            .arg(color.name(), Theme::textOn(color).name(), Theme::deviceLetter(device),
                 qs(cluster.device(device).name).toHtmlEscaped());
    }
    /// Long names may wrap after a separator, so that the pane need not scroll sideways.
    [[nodiscard]] static QString breakable(const QString& text) {
        QString html = text.toHtmlEscaped();
        for (const QChar c : {u'/', u'_', u'.', u':'})
            html.replace(c, QString(c) + QChar(0x200B));
        return html;
    }
    QString finished() {
        closeTable();
        return std::move(m_html);
    }

private:
    void openTable() {
        if (!std::exchange(m_inTable, true))
            m_html += QStringLiteral("<table cellspacing='0' cellpadding='0' width='100%'>");
    }
    void closeTable() {
        if (std::exchange(m_inTable, false))
            m_html += QStringLiteral("</table>");
    }

    QString m_html, m_dim;
    const Look& m_look;
    bool m_inTable = false;
};

QString opLink(const Graph& graph, OpId op) {
    return QStringLiteral("<a href='op:%1' style='text-decoration:none'>%2</a>")
        .arg(op.value)
        .arg(Page::breakable(seen(graph.op(op).name)));
}

QString attributeText(const AttributeValue& value) {
    const auto list = [](const auto& numbers) {
        QStringList texts;
        for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 12); ++i)
            texts << QString::number(numbers[i]);
        if (numbers.size() > 12)
            texts << QStringLiteral("… (%1)").arg(numbers.size());
        return texts.join(QStringLiteral(", "));
    };
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return QString::number(*whole);
    if (const auto* real = std::get_if<double>(&value))
        return QString::number(*real);
    if (const auto* text = std::get_if<std::string>(&value))
        return qs(elide(*text, 120));
    if (const auto* wholes = std::get_if<std::vector<std::int64_t>>(&value))
        return list(*wholes);
    return list(std::get<std::vector<double>>(value));
}

template <class Items, class Write>
void listed(Page& page, const Items& items, Write write) {
    std::size_t n = 0;
    for (const auto& item : items) {
        if (n++ == kMostListed) {
            page.line(page.dim(QStringLiteral("and %1 more").arg(items.size() - kMostListed)));
            return;
        }
        write(item);
    }
}

void opTimes(Page& page, const ShownRun& run, OpId op) {
    const OpRun& times = run.outcome->schedule.ops[op.index()];
    page.section(QStringLiteral("Schedule"));
    page.rowHtml(QStringLiteral("Device"), page.chip(run.cluster(), run.deviceOf(op)));
    if (run.problem().pin(op).valid())
        page.row(QStringLiteral("Pinned"), QStringLiteral("to this device"));
    page.row(QStringLiteral("Start"), qs(formatTime(times.startNs)));
    page.row(QStringLiteral("End"), qs(formatTime(times.endNs)));
    page.row(QStringLiteral("Time"), qs(formatTime(times.endNs - times.startNs)));
    if (const QString wait = waitText(run, op); !wait.isEmpty())
        page.row(QStringLiteral("Wait"), wait);
    page.row(QStringLiteral("Critical path"),
             run.onCritical[op.index()] != 0 ? QStringLiteral("yes") : QStringLiteral("no"));
    if (!run.outcome->plan.priority.empty())
        page.row(QStringLiteral("Priority"), qs(formatCount(run.outcome->plan.priority[op.index()])));
    if (const auto& groups = run.outcome->plan.fusionGroup; !groups.empty() && groups[op.index()] != Plan::kNotFused)
        page.row(QStringLiteral("Fused with"),
                 QStringLiteral("%1 others").arg(qs(formatCount(std::ranges::count(groups, groups[op.index()]) - 1))));
}

/// Why the time is what it is: the part of the device's nominal peaks that a kernel of this class and size reaches.
void opReach(Page& page, const ShownRun& run, OpId op) {
    const OpCost& cost = run.problem().cost->cost(op);
    const KindId kind = run.cluster().device(run.deviceOf(op)).kind;
    if (run.problem().cost->isGiven(op, kind)) {
        page.row(QStringLiteral("Time from"), QStringLiteral("the graph"));
        return;
    }
    if (!cost.launches) {
        page.row(QStringLiteral("Kernel"), QStringLiteral("none: a view"));
        return;
    }
    const auto part = [](double most, double work, double half) {
        return qs(formatPercent(most * work / (work + half)));
    };
    const Efficiency& reached = run.cluster().kind(kind).efficiency(cost.opClass, cost.computeType);
    QString text;
    if (cost.flops > 0)
        text = QStringLiteral("%1 of the peak").arg(part(reached.compute, cost.flops, reached.halfFlops));
    if (cost.bytesMoved > 0)
        text += QStringLiteral("%1%2 of the bandwidth")
                    .arg(text.isEmpty() ? QString() : QStringLiteral(", "),
                         part(reached.memory, cost.bytesMoved, reached.halfBytes));
    page.row(QStringLiteral("Kernel"), QString(qs(std::string(toString(cost.opClass)))).replace(u'_', u' '));
    if (!text.isEmpty())
        page.row(QStringLiteral("Can reach"), text);
}

void opWork(Page& page, const ShownRun& run, OpId op) {
    const OpCost& cost = run.problem().cost->cost(op);
    page.section(QStringLiteral("Work"));
    page.row(QStringLiteral("Compute"), qs(formatSi(cost.flops)) + QStringLiteral("FLOP"));
    page.row(QStringLiteral("Memory traffic"), qs(formatBytes(static_cast<std::int64_t>(cost.bytesMoved))));
    if (cost.bytesMoved > 0)
        page.row(QStringLiteral("Intensity"), qs(formatSi(cost.flops / cost.bytesMoved)) + QStringLiteral("FLOP/B"));
    if (cost.workspaceBytes > 0)
        page.row(QStringLiteral("Scratch memory"), qs(formatBytes(cost.workspaceBytes)));
    opReach(page, run, op);
    if (!cost.known)
        page.row(QStringLiteral("Cost rule"), QStringLiteral("none for this type: costed by bytes"));
}

void opPage(Page& page, const OpenedGraph& opened, const ShownRun* run, OpId op) {
    const Graph& graph = *opened.graph;
    const Op& info = graph.op(op);
    page.title(seen(info.name), QStringLiteral("%1, %2").arg(seen(info.type), qs(toString(info.phase))));
    if (run != nullptr) {
        opTimes(page, *run, op);
        opWork(page, *run, op);
    }
    std::vector<TensorId> reads, state;
    std::int64_t stateBytes = 0;
    for (const TensorId tensor : graph.inputs(op)) {
        if (!tensor.valid())
            continue;
        const bool activation = graph.tensor(tensor).kind == TensorKind::Activation;
        (activation ? reads : state).push_back(tensor);
        stateBytes += activation ? 0 : graph.tensorBytes(tensor);
    }
    page.section(QStringLiteral("Inputs"));
    if (reads.empty())
        page.line(page.dim(QStringLiteral("none from other ops")));
    listed(page, reads, [&](TensorId tensor) {
        page.line(opLink(graph, graph.producer(tensor)) + QStringLiteral("<br>") +
                  page.dim(QStringLiteral("%1, %2").arg(tensorText(graph.tensor(tensor)),
                                                        qs(formatBytes(graph.tensorBytes(tensor))))));
    });
    page.section(QStringLiteral("Outputs"));
    listed(page, graph.outputs(op), [&](TensorId tensor) {
        QString html = page.dim(
            QStringLiteral("%1, %2").arg(tensorText(graph.tensor(tensor)), qs(formatBytes(graph.tensorBytes(tensor)))));
        const auto consumers = graph.consumers(tensor);
        if (consumers.empty())
            html += page.dim(QStringLiteral(", read by no op"));
        for (std::size_t i = 0; i < std::min<std::size_t>(consumers.size(), 12); ++i)
            html += QStringLiteral("<br>") + opLink(graph, consumers[i]);
        if (consumers.size() > 12)
            html += QStringLiteral("<br>") + page.dim(QStringLiteral("and %1 more").arg(consumers.size() - 12));
        page.line(html);
    });
    if (!state.empty()) {
        page.section(QStringLiteral("State, %1").arg(qs(formatBytes(stateBytes))));
        listed(page, state, [&](TensorId id) {
            const Tensor& tensor = graph.tensor(id);
            page.line(Page::breakable(seen(tensor.name)) + QStringLiteral("<br>") +
                      page.dim(QStringLiteral("%1 %2, %3")
                                   .arg(qs(toString(tensor.kind)), tensorText(tensor),
                                        qs(formatBytes(graph.tensorBytes(id))))));
        });
    }
    if (!info.attributes.empty() || !info.colocation.empty() || !info.requestedDevice.empty()) {
        page.section(QStringLiteral("Attributes"));
        if (!info.colocation.empty())
            page.row(QStringLiteral("colocation group"), qs(info.colocation));
        if (!info.requestedDevice.empty())
            page.row(QStringLiteral("device in the file"), qs(info.requestedDevice));
        for (const Attribute& attribute : info.attributes)
            page.row(seen(attribute.name), attributeText(attribute.value));
    }
}

/// Of several ops, or of one group: what they come to together.
void sumPage(Page& page, const OpenedGraph& opened, const ShownRun* run, const Selection& selection) {
    const Graph& graph = *opened.graph;
    std::map<std::string_view, std::int64_t> types;
    std::int64_t outputBytes = 0, critical = 0, time = 0, first = -1, last = 0;
    double flops = 0, traffic = 0;
    std::vector<TensorId> state;
    std::vector<std::pair<std::int64_t, std::int64_t>> devices(run != nullptr ? run->cluster().deviceCount()
                                                                              : 0); // ops, ns
    for (const OpId op : selection.ops) {
        ++types[graph.op(op).type];
        for (const TensorId tensor : graph.outputs(op))
            outputBytes += graph.tensorBytes(tensor);
        for (const TensorId tensor : graph.inputs(op)) {
            if (tensor.valid() && graph.tensor(tensor).kind != TensorKind::Activation)
                state.push_back(tensor);
        }
        if (run == nullptr)
            continue;
        const OpRun& times = run->outcome->schedule.ops[op.index()];
        auto& [ops, ns] = devices[run->deviceOf(op).index()];
        ++ops;
        ns += times.endNs - times.startNs;
        time += times.endNs - times.startNs;
        first = first < 0 ? times.startNs : std::min(first, times.startNs);
        last = std::max(last, times.endNs);
        critical += run->onCritical[op.index()];
        flops += run->problem().cost->cost(op).flops;
        traffic += run->problem().cost->cost(op).bytesMoved;
    }
    std::ranges::sort(state);
    const auto repeated = std::ranges::unique(state);
    state.erase(repeated.begin(), repeated.end());
    std::int64_t stateBytes = 0;
    for (const TensorId tensor : state)
        stateBytes += graph.tensorBytes(tensor);

    const QString count = countedText(selection.ops.size(), "op");
    if (selection.scope.valid()) {
        const Scope& scope = opened.scopes->scope(selection.scope);
        page.title(seen(opened.scopes->path(selection.scope)),
                   count + (scope.fromStructure ? QStringLiteral(", grouped by structure")
                            : scope.series      ? QStringLiteral(", grouped by number")
                                                : QString()));
    } else {
        page.title(count, {});
    }
    if (run != nullptr) {
        page.section(QStringLiteral("Schedule"));
        page.row(QStringLiteral("Op time"), qs(formatTime(time)));
        page.row(QStringLiteral("First start"), qs(formatTime(first)));
        page.row(QStringLiteral("Last end"), qs(formatTime(last)));
        page.row(QStringLiteral("On the critical path"), countedText(critical, "op"));
        const auto pinned =
            std::ranges::count_if(selection.ops, [run](OpId op) { return run->problem().pin(op).valid(); });
        if (pinned > 0)
            page.row(QStringLiteral("Pinned"), countedText(pinned, "op"));
        page.section(QStringLiteral("Devices"));
        for (std::size_t d = 0; d < devices.size(); ++d) {
            if (devices[d].first > 0)
                page.line(page.chip(run->cluster(), DeviceId(d)) +
                          page.dim(QStringLiteral("  %1, %2")
                                       .arg(countedText(devices[d].first, "op"), qs(formatTime(devices[d].second)))));
        }
        page.section(QStringLiteral("Work"));
        page.row(QStringLiteral("Compute"), qs(formatSi(flops)) + QStringLiteral("FLOP"));
        page.row(QStringLiteral("Memory traffic"), qs(formatBytes(static_cast<std::int64_t>(traffic))));
    }
    page.section(QStringLiteral("Tensors"));
    page.row(QStringLiteral("Outputs"), qs(formatBytes(outputBytes)));
    page.row(QStringLiteral("State"), qs(formatBytes(stateBytes)));
    std::vector<std::pair<std::int64_t, std::string_view>> byCount;
    for (const auto& [type, n] : types)
        byCount.emplace_back(-n, type);
    std::ranges::sort(byCount);
    page.section(QStringLiteral("Op types"));
    for (std::size_t i = 0; i < std::min<std::size_t>(byCount.size(), 15); ++i)
        page.row(qs(byCount[i].second), qs(formatCount(-byCount[i].first)));
    if (byCount.size() > 15)
        page.line(page.dim(QStringLiteral("and %1 more types").arg(byCount.size() - 15)));
}

void transferPage(Page& page, const ShownRun& run, std::size_t index) {
    const Graph& graph = *run.problem().graph;
    const Transfer& transfer = run.outcome->schedule.transfers[index];
    page.title(transfer.tensor.valid() ? seen(graph.tensor(transfer.tensor).name) : QStringLiteral("control signal"),
               QStringLiteral("transfer"));
    page.section(QStringLiteral("Transfer"));
    page.rowHtml(QStringLiteral("From"), page.chip(run.cluster(), transfer.from));
    page.rowHtml(QStringLiteral("To"), page.chip(run.cluster(), transfer.to));
    page.row(QStringLiteral("Size"), qs(formatBytes(transfer.bytes)));
    page.row(QStringLiteral("Ready"), qs(formatTime(transfer.readyNs)));
    page.row(QStringLiteral("Start"), qs(formatTime(transfer.startNs)));
    page.row(QStringLiteral("End"), qs(formatTime(transfer.endNs)));
    page.row(QStringLiteral("Time"), qs(formatTime(transfer.endNs - transfer.startNs)));
    if (const QString wait = waitText(run, index); !wait.isEmpty())
        page.row(QStringLiteral("Wait"), wait);
    QStringList channels;
    for (const ChannelId channel : run.cluster().route(transfer.from, transfer.to))
        channels << qs(run.cluster().channel(channel).name);
    page.row(QStringLiteral("Channels"), channels.join(QStringLiteral(", ")));
    page.section(QStringLiteral("Made by"));
    page.line(opLink(graph, transfer.producer));
    if (!transfer.tensor.valid())
        return;
    page.section(QStringLiteral("Read there by"));
    std::vector<OpId> readers;
    for (const OpId op : graph.consumers(transfer.tensor)) {
        if (run.deviceOf(op) == transfer.to)
            readers.push_back(op);
    }
    listed(page, readers, [&](OpId op) { page.line(opLink(graph, op)); });
}

void graphPage(Page& page, const OpenedGraph& opened) {
    const Graph& graph = *opened.graph;
    const auto count = [](std::size_t n) { return qs(formatCount(static_cast<std::int64_t>(n))); };
    page.title(seen(graph.name()), QStringLiteral("Nothing is selected: this is the whole graph."));
    page.section(QStringLiteral("Graph"));
    page.row(QStringLiteral("Ops"), count(graph.opCount()));
    page.row(QStringLiteral("Edges"), count(graph.edgeCount()));
    page.row(QStringLiteral("Tensors"), count(graph.tensorCount()));
    page.section(QStringLiteral("File"));
    if (!opened.path.empty())
        page.rowHtml(QStringLiteral("Path"), Page::breakable(seen(opened.path)));
    page.row(QStringLiteral("Format"), qs(opened.format));
    page.row(QStringLiteral("Nodes"), count(opened.fileNodes));
    page.row(QStringLiteral("Edges"), count(opened.fileEdges));
    page.row(QStringLiteral("Nodes that became state"), count(opened.folded));
}

} // namespace

QString inspectorHtml(const OpenedGraph& opened, const ShownRun* run, const Selection& selection, const Look& look) {
    Page page(look);
    if (selection.transfer >= 0 && run != nullptr)
        transferPage(page, *run, static_cast<std::size_t>(selection.transfer));
    else if (selection.ops.size() == 1 && !selection.scope.valid())
        opPage(page, opened, run, selection.ops.front());
    else if (!selection.ops.empty())
        sumPage(page, opened, run, selection);
    else
        graphPage(page, opened);
    return page.finished();
}

} // namespace opscape
