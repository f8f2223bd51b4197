// SPDX-License-Identifier: MIT
// The graph that is open, with what is shown of its plan, as a file for other programs: in every format that can be
// written.
#pragma once

#include "service/workbench.h"

#include <QStringList>

#include <functional>

namespace opscape {

/// Of a file dialog, an entry for each format that can be written of a graph alone, or with a plan.
[[nodiscard]] QString graphExportFilter(bool hasPlan);
/// The format that was meant: that of the filter where the file has an extension of it or none, else by the extension.
/// Gives the file an extension where it has none.
[[nodiscard]] Result<const GraphFormat*> graphExportFormat(QString& path, const QString& filter);

/// Writes the file; a sentence on what was written and what not. May be called on a worker thread. `outcome` may be
/// null.
[[nodiscard]] Result<QString> writeGraphExport(const OpenedGraph& opened, const Outcome* outcome,
                                               const GraphFormat& format, const QString& path);

} // namespace opscape
