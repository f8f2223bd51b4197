// SPDX-License-Identifier: MIT
// The table of `bench transfer` line by line, for people: what policies did on each workload of a kind that they had
// not seen, over seeds.
#pragma once

#include "study/result_table.h"

#include <span>

namespace opscape {

/// Step times under the best scheduler, ns, geometric means over seeds; 0 where there is none that fits in memory.
struct TransferLine {
    std::string heldOut, workload;
    int devices = 0;
    double greedyNs = 0, bestOf64Ns = 0, fineTunedNs = 0, expertNs = 0;
};

/// Of the policy with that hash, or, where it is empty, of all: one line for each workload and what was held out.
[[nodiscard]] std::vector<TransferLine> transferLines(std::span<const TransferRow> rows, const std::string& model);

} // namespace opscape
