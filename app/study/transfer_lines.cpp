// SPDX-License-Identifier: MIT
#include "transfer_lines.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace opscape {
namespace {

/// Best step time by seed.
using BySeed = std::map<std::uint64_t, std::int64_t>;

double meanOf(const BySeed& times) {
    double sum = 0;
    for (const auto& [seed, ns] : times)
        sum += std::log(static_cast<double>(ns));
    return times.empty() ? 0 : std::exp(sum / static_cast<double>(times.size()));
}

/// "go-zero-shot", at any budget.
BySeed timesOf(std::span<const TransferRow> rows, const TransferLine& line, std::string_view method,
               const std::string& model) {
    BySeed best;
    for (const TransferRow& row : rows) {
        const bool isPolicys = row.heldOut != TransferRow::kNothing;
        if (!row.feasible || row.workload != line.workload || row.devices != line.devices || row.optimizer != method ||
            (isPolicys && (row.heldOut != line.heldOut || (!model.empty() && row.model != model))))
            continue;
        const auto [its, isNew] = best.try_emplace(row.seed, row.stepTimeNs);
        its->second = std::min(its->second, row.stepTimeNs);
    }
    return best;
}

} // namespace

std::vector<TransferLine> transferLines(std::span<const TransferRow> rows, const std::string& model) {
    std::vector<TransferLine> lines;
    for (const TransferRow& row : rows) {
        if (row.heldOut == TransferRow::kNothing || (!model.empty() && row.model != model))
            continue;
        const bool isThere = std::ranges::any_of(lines, [&row](const TransferLine& line) {
            return line.heldOut == row.heldOut && line.workload == row.workload && line.devices == row.devices;
        });
        if (!isThere)
            lines.push_back({row.heldOut, row.workload, row.devices});
    }
    for (TransferLine& line : lines) {
        line.greedyNs = meanOf(timesOf(rows, line, "go-zero-shot", model));
        line.bestOf64Ns = meanOf(timesOf(rows, line, "go-best-of-64", model));
        line.fineTunedNs = meanOf(timesOf(rows, line, "go-fine-tuned", model));
        line.expertNs = meanOf(timesOf(rows, line, "expert", model));
    }
    return lines;
}

} // namespace opscape
