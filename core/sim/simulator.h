// SPDX-License-Identifier: MIT
// The judge of every plan: a discrete-event simulation of one step, a pure function of (problem, plan). Integer
// nanoseconds, every tie broken by id, the same bits on any thread.
#pragma once

#include <memory>
#include <opscape/base/result.h>
#include <opscape/plan/problem.h>
#include <opscape/sim/schedule.h>

namespace opscape {

/// Full fills everything in the Schedule. Makespan fills the makespan, feasibility and peaks only, for search.
enum class Detail { Makespan, Full };

/// Holds what does not change between plans of one problem, and scratch memory reused from run to run. One per thread.
class Simulator {
public:
    explicit Simulator(const Problem& problem);
    ~Simulator();
    Simulator(Simulator&&) noexcept;
    Simulator& operator=(Simulator&&) noexcept;

    /// The plan must be valid (checkPlan). Out of memory is reported in the Schedule, not an error. Fails only when an
    /// Order plan deadlocks, naming the ops that wait for each other.
    [[nodiscard]] Result<Schedule> run(const Plan& plan, Detail detail = Detail::Full);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Checks the plan, then simulates it in full.
[[nodiscard]] Result<Schedule> simulate(const Problem& problem, const Plan& plan);

} // namespace opscape
