// SPDX-License-Identifier: MIT
// Simulated steps of well-known networks on one device beside the throughput that others measured and published
// (data/reference/throughput.json). Nothing is fitted to those figures.
#pragma once

#include <opscape/base/result.h>

#include <filesystem>
#include <string>
#include <vector>

namespace opscape {

struct SanityRow {
    std::string model, device, precision, source; ///< as in the file; the source's short name
    std::string graph;                            ///< "zoo:resnet50,paper,batch=64"; empty: not in the zoo
    std::string unit;                             ///< "images", "sentences", "tokens"
    double published = 0;                         ///< units per second
    double simulated = 0;                         ///< units per second; 0 where there is no graph
    std::int64_t stepNs = 0, peakBytes = 0;
    bool feasible = true; ///< fits the device's memory
};

/// All on one device, first come first served, nothing fused.
[[nodiscard]] Result<std::vector<SanityRow>> sanityTable(const std::filesystem::path& file);

} // namespace opscape
