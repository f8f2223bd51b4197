// SPDX-License-Identifier: MIT
#include "gui/graph_export.h"

#include "gui/words.h"

#include <opscape/base/paths.h>

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace opscape {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("GraphExport", text); }

QStringList extensionsOf(const GraphFormat& format) { return qs(format.extensions).split(u' ', Qt::SkipEmptyParts); }

QString entryOf(const GraphFormat& format) {
    QStringList patterns;
    for (const QString& extension : extensionsOf(format))
        patterns << QStringLiteral("*.%1").arg(extension);
    return QStringLiteral("%1 (%2)").arg(qs(format.title), patterns.join(u' '));
}

/// ": Ops whose phase is not written (3), ..."; empty when nothing is lost.
QString lossText(const Diagnostics& lost) {
    constexpr std::size_t kNamed = 3;
    QStringList named;
    for (const Diagnostic& d : lost.entries()) {
        if (static_cast<std::size_t>(named.size()) < kNamed)
            named << QStringLiteral("%1 (%2)").arg(qs(d.summary)).arg(d.count);
    }
    if (lost.entries().size() > kNamed)
        named << tr("%1 more kinds").arg(lost.entries().size() - kNamed);
    return named.join(QStringLiteral("; "));
}

} // namespace

QString graphExportFilter(bool hasPlan) {
    QStringList entries;
    for (const GraphFormat& format : graphFormats()) {
        if (format.write != nullptr && (hasPlan || format.needs == WriteNeeds::Graph))
            entries << entryOf(format);
    }
    return entries.join(QStringLiteral(";;"));
}

Result<const GraphFormat*> graphExportFormat(QString& path, const QString& filter) {
    const auto formats = graphFormats();
    const auto chosen = std::ranges::find_if(
        formats, [&](const GraphFormat& format) { return format.write != nullptr && entryOf(format) == filter; });
    const QString extension = QFileInfo(path).suffix().toLower();
    if (chosen != formats.end() && extension.isEmpty())
        path += u'.' + extensionsOf(*chosen).front();
    else if (chosen == formats.end() || !extensionsOf(*chosen).contains(extension))
        return formatToWrite(path.toStdString());
    return &*chosen;
}

Result<QString> writeGraphExport(const OpenedGraph& opened, const Outcome* outcome, const GraphFormat& format,
                                 const QString& path) {
    GraphToWrite what{*opened.graph};
    if (outcome != nullptr) {
        what.problem = &outcome->problem;
        what.plan = &outcome->plan;
        what.schedule = &outcome->schedule;
    }
    const auto written = writeGraph(what, format, path.toStdString());
    if (!written)
        return fail(written.error());
    if (auto done = writeFile(path.toStdString(), written->bytes); !done)
        return fail(done.error());
    if (written->lost.empty())
        return tr("Written to %1.").arg(path);
    return tr("Written to %1, but for what it cannot express: %2.").arg(path, lossText(written->lost));
}

} // namespace opscape
