// SPDX-License-Identifier: MIT
// Spans are sorted and do not overlap, so one pass from left to right meets every column once. A span that fills whole
// columns is told as one run; what is left at its two ends is added to the columns there.
#include "lane_columns.h"

#include "gantt_picture.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace opscape {
namespace {

class ColumnMerger {
public:
    explicit ColumnMerger(const std::function<void(const ColumnRun&)>& tell) : m_tell(tell) {}

    void add(std::size_t column, int of, double share) {
        if (column != m_column)
            finish();
        m_column = column;
        auto part = m_parts.begin(); // nearly always the first
        while (part != m_parts.end() && part->of < of)
            ++part;
        if (part != m_parts.end() && part->of == of)
            part->share += share;
        else
            m_parts.insert(part, {of, share});
    }
    void fill(std::size_t from, std::size_t to, int of) {
        if (from >= to)
            return;
        finish();
        const ColumnPart whole{of, 1};
        m_tell({from, to, 1, {&whole, 1}});
    }
    void finish() {
        if (m_parts.empty())
            return;
        double busy = 0;
        for (const ColumnPart& part : m_parts)
            busy += part.share;
        m_tell({m_column, m_column + 1, std::min(1.0, busy), m_parts});
        m_parts.clear();
    }

private:
    const std::function<void(const ColumnRun&)>& m_tell;
    std::size_t m_column = 0;
    std::vector<ColumnPart> m_parts; ///< of the column at hand, by class
};

} // namespace

void mergeSpans(const std::vector<GanttData::Span>& spans, const ColumnRequest& request, const OpColours* colours,
                const std::function<void(const ColumnRun&)>& tell) {
    const auto all = static_cast<double>(request.columns);
    ColumnMerger merger(tell);
    auto span = std::ranges::upper_bound(spans, request.startNs, {},
                                         [](const GanttData::Span& s) { return static_cast<double>(s.endNs); });
    for (; span != spans.end(); ++span) {
        const double from = (static_cast<double>(span->startNs) - request.startNs) / request.nsPerColumn;
        if (from >= all)
            break;
        if (request.leaveOutNs > 0 && static_cast<double>(span->endNs - span->startNs) >= request.leaveOutNs)
            continue;
        const double to = (static_cast<double>(span->endNs) - request.startNs) / request.nsPerColumn;
        const double left = std::max(from, 0.0), right = std::min(to, all);
        const auto first = static_cast<std::size_t>(left), last = static_cast<std::size_t>(right);
        const int of = classOf(*span, colours);
        if (first == last) {
            merger.add(first, of, right - left);
            continue;
        }
        const bool fillsFirst = left == static_cast<double>(first);
        if (!fillsFirst)
            merger.add(first, of, static_cast<double>(first) + 1 - left);
        merger.fill(fillsFirst ? first : first + 1, last, of);
        if (right > static_cast<double>(last))
            merger.add(last, of, right - static_cast<double>(last));
    }
    merger.finish();
}

std::vector<MemoryColumn> mergeMemory(const std::vector<MemoryStep>& steps, const GanttCamera& camera, double left,
                                      double right) {
    std::vector<MemoryColumn> columns;
    const auto time = [](const MemoryStep& step) { return static_cast<double>(step.timeNs); };
    auto step = std::ranges::upper_bound(steps, camera.toNs(left), {}, time);
    double now = step == steps.begin() ? 0 : static_cast<double>(std::prev(step)->bytes);
    for (double x = std::floor(left); x < right;) {
        const double next = step == steps.end() ? right : std::min(right, camera.toX(time(*step)));
        MemoryColumn column{x, x + std::max(1.0, std::floor(next - x)), now, now};
        for (const double stopNs = camera.toNs(column.right); step != steps.end() && time(*step) < stopNs; ++step) {
            now = static_cast<double>(step->bytes);
            column.least = std::min(column.least, now);
            column.most = std::max(column.most, now);
        }
        column.right = std::min(column.right, right);
        columns.push_back(column);
        x = std::floor(column.right);
        if (column.right >= right)
            break;
    }
    return columns;
}

} // namespace opscape
