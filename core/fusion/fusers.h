// SPDX-License-Identifier: MIT
// Who decides which ops of a placed plan are fused: nobody, the two defaults that compilers have, or one priority level
// per op. All of them merge neighbouring groups under the rules of FusionGroups and differ only in the order in which
// they try. This is the one list of default fusers; choices and help everywhere follow from it.
#pragma once

#include <opscape/base/result.h>
#include <opscape/fusion/fusion_groups.h>

namespace opscape {

enum class Fuser : std::uint8_t { None, Elementwise, TimeSaved };

struct FuserInfo {
    Fuser fuser;
    std::string_view id;      ///< "time-saved"
    std::string_view summary; ///< one clause, in lower case
};

[[nodiscard]] std::span<const FuserInfo> fusers();
[[nodiscard]] std::string_view toString(Fuser fuser);
/// The error lists the ids there are.
[[nodiscard]] Result<Fuser> parseFuser(std::string_view id);

/// Fusion groups as in Plan; empty when nothing is fused.
using FusionGroupIds = std::vector<std::uint32_t>;

/// Sets the plan's fusion. A fixed order becomes one of groups, in which none comes before what it waits for: of those
/// that wait for none left, the one with the op that came first.
void setFusion(const Graph& graph, Plan& plan, FusionGroupIds groups);

/// Chains of elementwise ops: each is read by the next one alone.
[[nodiscard]] FusionGroupIds fuseChains(const Problem& problem, std::span<const DeviceId> device);

/// How much of a device's work may wait for another device because of what it was fused with.
enum class FusionReach : std::uint8_t {
    Any,  ///< whatever saves time
    Local ///< only where no op sends later, and no op starts later, on account of another device
};
/// By time saved, summed over all consumers.
[[nodiscard]] FusionGroupIds fuseByTimeSaved(const Problem& problem, std::span<const DeviceId> device,
                                             FusionReach reach);

/// One level per op: from the highest level down, a tie by id, each op's group is merged with the neighbouring group
/// with which most time is saved of those with which it may be, a tie by id. Ops at level 0 do not ask; they are merged
/// when another asks for them.
[[nodiscard]] FusionGroupIds fuseByLevel(const Problem& problem, std::span<const DeviceId> device,
                                         std::span<const int> levels);

/// What a default fuser proposes, the most fused first. The best of them has to be found by simulation: time saved on
/// one device may be lost by another that waits longer. For TimeSaved the proposals of the other fusers are among them,
/// so that the best is never slower than theirs.
[[nodiscard]] std::vector<FusionGroupIds> fusionProposals(const Problem& problem, std::span<const DeviceId> device,
                                                          Fuser fuser);

} // namespace opscape
