// SPDX-License-Identifier: MIT
// What the parts of a report share: its pictures, painted when they are needed, and its words as HTML.
#pragma once

#include "report.h"

#include <QPainter>
#include <QSize>
#include <QString>

#include <functional>

namespace opscape {

struct ReportPicture {
    QString section; ///< heading; empty: as the picture before
    QString caption;
    QSize size;
    std::function<void(QPainter&)> paint; ///< owns or shares what it draws
};

/// Tells how far the report is; false when it is to end.
using ReportWatch = std::function<bool(double fraction, const char* stage)>;

/// Lays out the graph. Empty when stopped.
[[nodiscard]] std::vector<ReportPicture> reportPictures(const ReportRequest& request, const RunContext& context,
                                                        const ReportWatch& watch);

/// Everything but the pictures: `pictures` is put where they belong. `compact`: for a reader that knows little of
/// style sheets. Empty when stopped.
[[nodiscard]] QString reportText(const ReportRequest& request, const QString& pictures, bool compact,
                                 const ReportWatch& watch);

/// Any bytes as text of HTML: escaped, what is no UTF-8 or no character of XML replaced.
[[nodiscard]] QString escaped(std::string_view text);

} // namespace opscape
