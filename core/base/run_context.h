// SPDX-License-Identifier: MIT
// What a long computation borrows from whoever started it: the seed, the wish to stop or to pause, a clock that stands
// still meanwhile, and where to report progress.
#pragma once

#include <opscape/base/run_pause.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace opscape {

struct Plan;

struct Progress {
    double fraction = -1;         ///< 0 to 1, or negative when the end is not known
    std::int64_t bestNs = -1;     ///< makespan of the best plan so far, ns; negative when there is none yet
    std::int64_t simulations = 0; ///< plans simulated so far
    std::string stage;            ///< what is being done, in a few words
    bool feasible = true;         ///< false: the best plan so far does not fit in memory
    std::string verdict{};        ///< in the last report: what is known of the result, where there is more to say
};

/// How learning goes, after each update of a policy.
struct CurvePoint {
    std::int64_t update = 0; ///< from 1
    double seconds = 0;      ///< since the run began
    std::int64_t simulations = 0;
    double reward = 0;        ///< mean over the samples of the update
    std::int64_t bestNs = -1; ///< step time of the best plan so far, ns; negative when there is none yet
    double entropy = 0;       ///< of one decision, mean, nats
    double kl = 0;            ///< from the policy before the update, nats per decision
    double clipFraction = 0;  ///< of decisions whose change was cut off
    double valueBaseline = 0; ///< what the reward was compared with
    // What the update made smaller; not a number where there is no such part.
    double policyLoss = std::numeric_limits<double>::quiet_NaN();    ///< with the entropy bonus
    double imitationLoss = std::numeric_limits<double>::quiet_NaN(); ///< of the best plans so far, nats per decision
};

/// What a learning run is to be compared with, e.g. {"layers in turn", 75'300'000}.
struct NamedTime {
    std::string name;
    std::int64_t ns = 0;
};

/// What a learning run found in the file that it goes on from.
struct Resumed {
    std::int64_t updates = 0, simulations = 0; ///< of training so far; the curve ends there
    double seconds = 0;                        ///< that it took
    std::int64_t bestNs = -1;                  ///< negative: none yet
    bool onlyNetwork = false; ///< it was about another graph, cluster or start plan: all else begins anew
};

struct RunContext {
    std::uint64_t seed = 1;
    std::stop_token stop;            ///< polled at least every 50 ms by whoever computes
    std::shared_ptr<RunPause> pause; ///< where the run can be held up; may be empty
    bool goesOn = false; ///< the same run as the file it is resumed from: of its budget, too, that took a part
    std::function<void(const Progress&)> progress; ///< called at most 20 times a second; may be empty
    // Told beside progress, all but `improved` only by an optimizer that learns; each may be empty.
    std::function<void(const Resumed&)> resumed;                    ///< first, where it goes on from a file
    std::function<void(const CurvePoint&)> curve;                   ///< after every update
    std::function<void(const std::vector<NamedTime>&)> baselines;   ///< once, before the first update
    std::function<void(const Plan&, std::int64_t bestNs)> improved; ///< a better plan, at most 20 times a second

    /// Waits first while the run is paused.
    [[nodiscard]] bool stopRequested() const {
        if (pause)
            pause->hold(stop);
        return stop.stop_requested();
    }
    /// The clock for budgets: steady, but for pauses, in which it stands still.
    [[nodiscard]] RunPause::Clock::time_point now() const {
        const auto now = RunPause::Clock::now();
        return pause ? now - pause->lost() : now;
    }
    void report(const Progress& p) const {
        if (progress)
            progress(p);
    }
};

} // namespace opscape
