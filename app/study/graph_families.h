// SPDX-License-Identifier: MIT
// Families of graphs and their super-families: what is held out as a whole when a policy is to be judged on graphs of a
// kind that it has never seen. The only list of them.
#pragma once

#include <opscape/base/result.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

struct SuperFamily {
    std::string_view name;
    std::vector<std::string_view> families;
};

/// Of the zoo; random graphs (zoo/random_graphs.h) belong to none.
[[nodiscard]] const std::vector<SuperFamily>& superFamilies();
/// All of them, in that order.
[[nodiscard]] std::vector<std::string> graphFamilies();
/// "gnmt" for the workload gnmt8; empty for what is not in the zoo.
[[nodiscard]] std::string familyOf(std::string_view workload);
/// Null for what is not a family.
[[nodiscard]] const SuperFamily* superFamilyOf(std::string_view family);
/// Families, super-families (all of theirs) or "all", each family once and in the order of the list. The error names
/// what is not known, and what is.
[[nodiscard]] Result<std::vector<std::string>> expandFamilies(std::span<const std::string> names);

} // namespace opscape
