// SPDX-License-Identifier: MIT
// What a long computation borrows from whoever started it: the seed, the wish to stop, and where to report progress.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace opscape {

struct Progress {
    double fraction = -1;         ///< 0 to 1, or negative when the end is not known
    std::int64_t bestNs = -1;     ///< makespan of the best plan so far, ns; negative when there is none yet
    std::int64_t simulations = 0; ///< plans simulated so far
    std::string stage;            ///< what is being done, in a few words
    bool feasible = true;         ///< false: the best plan so far does not fit in memory
    std::string verdict{};        ///< in the last report: what is known of the result, where there is more to say
};

struct RunContext {
    std::uint64_t seed = 1;
    std::stop_token stop;                          ///< polled at least every 50 ms by whoever computes
    std::function<void(const Progress&)> progress; ///< called at most 20 times a second; may be empty

    [[nodiscard]] bool stopRequested() const { return stop.stop_requested(); }
    void report(const Progress& p) const {
        if (progress)
            progress(p);
    }
};

} // namespace opscape
