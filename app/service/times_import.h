// SPDX-License-Identifier: MIT
// Measured times (core/io/times/measured_times.h) given to a graph that is open.
#pragma once

#include "workbench.h"

namespace opscape {

struct ImportedTimes {
    std::shared_ptr<const OpenedGraph> opened; ///< the same graph with the times; its problems say what fitted nothing
    std::string sentence;                      ///< how many ops got a time, and what fitted nothing
};

[[nodiscard]] Result<ImportedTimes> importTimes(const OpenedGraph& opened, const std::filesystem::path& times);

} // namespace opscape
