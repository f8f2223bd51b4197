// SPDX-License-Identifier: MIT
// What commands that draw and write are about: a graph and, where one was named, a plan or a kept run.
#pragma once

#include "commands.h"

#include <optional>

namespace opscape {

struct Subject {
    std::shared_ptr<const OpenedGraph> opened;
    std::optional<Outcome> outcome; ///< what became of the graph under the plan
};

/// The file may be empty where there is a run (not 0), the plan where there is none.
[[nodiscard]] Result<Subject> openSubject(const GlobalArgs& global, const std::filesystem::path& file,
                                          const ClusterArgs& cluster, const std::filesystem::path& plan,
                                          std::int64_t run);

} // namespace opscape
