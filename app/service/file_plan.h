// SPDX-License-Identifier: MIT
// What a file says of how its graph runs: which ops were fused, in which order they run, on which devices. A module as
// a compiler scheduled it, or a graph that was written with its placement, is shown that way first. Qt-free.
#pragma once

#include "workbench.h"

namespace opscape {

/// Of a run whose plan is the file's, in place of the name of an optimizer.
inline constexpr const char* kAsInFile = "as in the file";

/// The part of a plan that a file says, for one cluster.
struct FilePlan {
    std::vector<std::uint32_t> fusionGroup; ///< as in a Plan, named by its first op; empty: nothing is fused
    bool isOrdered = false;                 ///< ops run in the order of their ids
    std::vector<DeviceId> device;           ///< per op, invalid where the file says none; empty: none at all
    /// The file orders the ops and says nothing of devices: a compiler schedules what one device runs. All of `device`
    /// is the fastest.
    bool isOnOneDevice = false;
    Diagnostics diagnostics; ///< what the file says that the cluster cannot keep

    [[nodiscard]] static FilePlan of(const OpenedGraph& opened, const Problem& problem);
    [[nodiscard]] bool empty() const { return fusionGroup.empty() && !isOrdered && device.empty(); }
    [[nodiscard]] bool placesAll() const;

    /// All of a plan. Ops without a device of the file go where `placed` has them; of ops that have to stay together
    /// and are apart there, all go to the device with most of their time, the first of those.
    [[nodiscard]] Result<Plan> completed(const Problem& problem, const Plan& placed) const;
    /// "Fused and ordered as in the file, placed by expert."
    [[nodiscard]] std::string sentence(const std::string& optimizer) const;
};

/// Groups of two or more ops, and the ops in them.
struct FusedCount {
    std::size_t groups = 0, ops = 0;
};
[[nodiscard]] FusedCount countFused(std::span<const std::uint32_t> fusionGroup);

/// The device of the cluster that a file means: by its name; or by type and number at the end of it, in any case and as
/// frameworks write them: "/job:worker/task:0/device:GPU:1", "/gpu:1", "cuda:1"; a type alone is the first of it.
/// Invalid where there is none.
[[nodiscard]] DeviceId deviceMeant(const Cluster& cluster, std::string_view requested);

} // namespace opscape
