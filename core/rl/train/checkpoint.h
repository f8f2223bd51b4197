// SPDX-License-Identifier: MIT
// Training on disk: everything that its next update depends on, so that training that goes on from a file gives the
// same bits as training that was never interrupted. Written to a file beside it, flushed and renamed, so that a file is
// whole or not there.
#pragma once

#include <opscape/base/run_context.h>
#include <opscape/rl/network/policy.h>
#include <opscape/rl/train/elites.h>

#include <filesystem>
#include <map>

namespace opscape::rl {

struct Checkpoint {
    std::string version;                        ///< of the product
    std::string graphHash, clusterHash;         ///< what it was trained on
    std::string settingHash;                    ///< of the start plan, the pins and the units that decide as one
    std::map<std::string, std::string> network; ///< what the number and meaning of the weights depends on
    std::map<std::string, int> revisions;       ///< of the decision tasks, by id
    std::uint64_t seed = 1;
    std::int64_t update = 0; ///< updates done; with the seed it gives every random stream
    std::int64_t simulations = 0;
    double seconds = 0;       ///< that training took so far
    bool isFineTuned = false; ///< it began with a policy that was trained before
    PolicyState policy;
    std::vector<Elite> elites;
    std::int64_t referenceNs = 0; ///< what rewards are relative to
    std::vector<NamedTime> baselines;
    std::optional<ScoredPlan> best;
    // Where tasks are learned one after the other: which of them it is, and what came before.
    std::int64_t phase = 0;
    Plan base; ///< the phase began with
    std::int64_t simulationsBefore = 0;
    std::vector<NamedTime> firstBaselines; ///< of the first phase
    std::vector<CurvePoint> tail;          ///< the last of the curve, for one that was not kept to its end
};

[[nodiscard]] Result<> writeCheckpoint(const Checkpoint& checkpoint, const std::filesystem::path& file);
/// The error says whether the file is not a checkpoint, of another version, or damaged.
[[nodiscard]] Result<Checkpoint> readCheckpoint(const std::filesystem::path& file);

} // namespace opscape::rl
