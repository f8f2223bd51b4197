// SPDX-License-Identifier: MIT
// The judge of every plan: a discrete-event simulation of one step, a pure function of (problem, plan). Integer
// nanoseconds, every tie broken by id, the same bits on any thread.
//
// Device: runs one op or fused group at a time, without pre-emption, chosen by Plan::policy. A fused group is one unit:
// it starts when all inputs from outside are there, its outputs exist at its end, it has the highest priority of its
// ops, and it takes fusedNs() (fused_cost.h). Transfer: a tensor goes once to each device that reads it elsewhere,
// ready when its producer ends. Link model none: it starts at once. fifo: each channel serves in the order in which
// transfers became ready (at the same moment: by tensor, then by destination), one at a time; a transfer holds all
// channels of its route together, so it starts when it is first in line on every one of them, and nothing overtakes. It
// takes the latencies + bytes / least bandwidth. The signal of a control edge takes the latency alone and does not
// occupy channels. Under blocking_send a device starts nothing while data is being sent, or waits to be sent, from it.
// Memory: weights, constants, inputs and optimizer state lie on every device where an op reads them, all of the time.
// An op takes its outputs and workspace when it starts; workspace goes at its end. A received copy is taken at the
// start of its transfer and goes with its last reader there; the original goes when its last local reader and its last
// send have ended (a tensor that nobody reads: with its producer). What is given back at a moment is there for what
// starts then. An op that moves no bytes and reads nothing but such residents only hands out what lies there: its
// outputs take no memory on its own device, while a copy of them that is sent elsewhere takes and costs all its bytes
// (resident_view.h).
#pragma once

#include <opscape/base/result.h>
#include <opscape/plan/problem.h>
#include <opscape/sim/schedule.h>

#include <memory>

namespace opscape {

/// Full fills everything in the Schedule. Makespan fills the makespan, feasibility and peaks only, for search. Times
/// adds when every op ran.
enum class Detail { Makespan, Times, Full };

/// A wait or a transfer that held up the step: a change of one of its ops can shorten it.
struct Delay {
    enum class Kind : std::uint8_t {
        Device,   ///< `op` was ready but its device ran `by`
        Transfer, ///< `op` got its last input from `by` on another device
        Channel   ///< the transfer that `op` waited for came behind one of the output of `by`, to `to`
    };
    Kind kind;
    OpId op, by;
    DeviceId to; ///< of a transfer
};

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
    /// The same into a schedule that is used again and again, so that a run at Detail::Makespan allocates nothing after
    /// the first. What the detail does not fill is left as it was.
    [[nodiscard]] Result<> run(const Plan& plan, Detail detail, Schedule& schedule);
    /// True when the makespan is at most `limitNs`: then `schedule` is as from run() at Detail::Makespan, to the bit.
    /// If not, the run ends as soon as that is certain and the schedule is left as it was.
    [[nodiscard]] Result<bool> runWithin(const Plan& plan, std::int64_t limitNs, Schedule& schedule);
    /// To be called right after a run at Detail::Times or Full: the delays on the chain that ends with the last op to
    /// end, latest first. Much cheaper than criticalPath(), for search. Fused groups are named by their first op.
    void delays(std::vector<Delay>& found) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Checks the plan, then simulates it in full.
[[nodiscard]] Result<Schedule> simulate(const Problem& problem, const Plan& plan);

} // namespace opscape
