// SPDX-License-Identifier: MIT
#include "gui/models/compare_model.h"

#include "gui/words.h"

#include <opscape/base/units.h>

#include <QFont>

#include <algorithm>

namespace opscape {

void CompareModel::addText(const QString& title, const std::function<QString(const ShownRun&)>& text) {
    Row row{title, {}, std::vector<bool>(m_runs.size())};
    for (const ShownRunPtr& run : m_runs)
        row.texts.push_back(text(*run));
    m_rows.push_back(std::move(row));
}

void CompareModel::addValue(const QString& title, const std::function<double(const ShownRun&)>& value,
                            const std::function<QString(double)>& text) {
    Row row{title, {}, {}};
    std::vector<double> values;
    for (const ShownRunPtr& run : m_runs) {
        values.push_back(value(*run));
        row.texts.push_back(values.back() < 0 ? QStringLiteral("–") : text(values.back()));
    }
    double best = -1, worst = -1;
    for (const double v : values) {
        if (v < 0)
            continue;
        best = best < 0 ? v : std::min(best, v);
        worst = std::max(worst, v);
    }
    for (const double v : values)
        row.best.push_back(best < worst && v == best);
    m_rows.push_back(std::move(row));
}

void CompareModel::setRuns(std::vector<ShownRunPtr> runs) {
    beginResetModel();
    m_runs = std::move(runs);
    m_rows.clear();
    if (!m_runs.empty()) {
        const auto time = [](double ns) { return qs(formatTime(static_cast<std::int64_t>(ns))); };
        const auto bytes = [](double n) { return qs(formatBytes(static_cast<std::int64_t>(n))); };
        const auto percent = [](double share) { return qs(formatPercent(share)); };
        addValue(
            tr("Step time"), [](const ShownRun& r) { return static_cast<double>(r.outcome->schedule.makespanNs); },
            time);
        addText(tr("Lower bound"), [](const ShownRun& r) { return qs(formatTime(r.outcome->bounds.bestNs)); });
        addValue(
            tr("Gap to the bound"),
            [](const ShownRun& r) {
                return r.outcome->bounds.bestNs > 0 ? gap(r.outcome->schedule.makespanNs, r.outcome->bounds.bestNs)
                                                    : -1;
            },
            percent);
        addValue(
            tr("Peak memory"), [](const ShownRun& r) { return static_cast<double>(r.outcome->schedule.peakBytes); },
            bytes);
        addText(tr("Fits"), [](const ShownRun& r) { return r.outcome->schedule.feasible ? tr("yes") : tr("no"); });
        addValue(
            tr("Bytes moved"), [](const ShownRun& r) { return static_cast<double>(r.outcome->schedule.bytesMoved); },
            bytes);
        std::size_t devices = 0;
        for (const ShownRunPtr& run : m_runs)
            devices = std::max(devices, run->outcome->schedule.devices.size());
        for (std::size_t d = 0; d < devices; ++d) {
            addValue(
                tr("Idle share, %1").arg(Theme::deviceLetter(DeviceId(d))),
                [d](const ShownRun& r) {
                    const Schedule& schedule = r.outcome->schedule;
                    if (d >= schedule.devices.size() || schedule.makespanNs == 0)
                        return -1.0;
                    return static_cast<double>(schedule.devices[d].idleNs) / static_cast<double>(schedule.makespanNs);
                },
                percent);
        }
        addText(tr("Ops placed elsewhere"), [this](const ShownRun& r) {
            const auto& first = m_runs.front()->outcome->plan.device;
            const auto& own = r.outcome->plan.device;
            std::int64_t differ = 0;
            for (std::size_t i = 0; i < std::min(first.size(), own.size()); ++i)
                differ += first[i] != own[i] ? 1 : 0;
            return &r == m_runs.front().get() ? QStringLiteral("–") : qs(formatCount(differ));
        });
        addText(tr("Cluster"), [](const ShownRun& r) { return clusterText(r.cluster()); });
    }
    endResetModel();
}

int CompareModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CompareModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

QVariant CompareModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return row.best[column] ? QStringLiteral("✓ ") + row.texts[column] : row.texts[column];
    case BestRole:
        return static_cast<bool>(row.best[column]);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole: {
        QFont font;
        font.setBold(row.best[column]);
        return font;
    }
    default:
        return {};
    }
}

QVariant CompareModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole)
        return int((orientation == Qt::Horizontal ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const auto at = static_cast<std::size_t>(section);
    if (orientation == Qt::Vertical)
        return m_rows[at].title;
    return methodText(*m_runs[at]);
}

} // namespace opscape
