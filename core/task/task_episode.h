// SPDX-License-Identifier: MIT
// One walk over the decision units of a problem, taking one action for each. The episode knows which actions are legal
// for the unit at hand and describes each of them by a few numbers, given all decisions before it; so a policy that
// reads those numbers need not know what an action is, and treats actions alike that are alike (identical devices).
// Used again and again by one thread.
#pragma once

#include <opscape/base/result.h>
#include <opscape/plan/problem.h>
#include <opscape/task/decision_units.h>

#include <span>

namespace opscape {

class DecisionTask;

class TaskEpisode {
public:
    virtual ~TaskEpisode() = default;

    [[nodiscard]] virtual int actionCount() const = 0;
    /// Numbers per action; 0: an action is known by its index alone.
    [[nodiscard]] virtual int featureCount() const = 0;
    /// From the next restart on, decisions may fill about this share of a memory: what would take more is illegal while
    /// something else is not. 0: whatever is decided is tried. Nothing happens where a task uses no memory.
    virtual void setRoom(double /*share*/) {}
    /// Back to the first unit. `soFar` holds what the tasks before this one in the chain have decided, and is valid
    /// until the next call.
    virtual void restart(const Plan& soFar) = 0;
    /// The unit at hand: 1 for every legal action (at least one is), and [action][feature], about -5 to 5.
    virtual void look(std::span<std::uint8_t> mask, std::span<float> features) = 0;
    /// Decides the unit at hand; the next one is at hand then.
    virtual void take(int action) = 0;
    /// Once all units are decided: writes this task's part of the plan, as DecisionTask::apply() would.
    [[nodiscard]] virtual Result<> write(Plan& plan) = 0;
};

/// An episode of any task, from legal() and apply() alone. An action is legal for a unit when it is for one of its ops
/// that have a choice; an op for which it is not takes the lowest that is.
class PlainEpisode : public TaskEpisode {
public:
    /// `legalIsFixed`: which actions are legal does not depend on what the tasks before have decided. All must outlive
    /// it.
    PlainEpisode(const DecisionTask& task, const Problem& problem, const DecisionUnits& units,
                 bool legalIsFixed = false);

    [[nodiscard]] int actionCount() const override { return m_actionCount; }
    [[nodiscard]] int featureCount() const override { return 0; }
    void restart(const Plan& soFar) override;
    void look(std::span<std::uint8_t> mask, std::span<float> features) override;
    void take(int action) override;
    [[nodiscard]] Result<> write(Plan& plan) override;

protected:
    [[nodiscard]] const Problem& problem() const { return m_problem; }
    [[nodiscard]] const DecisionUnits& units() const { return m_units; }
    /// The unit at hand.
    [[nodiscard]] std::uint32_t at() const { return m_at; }
    /// Of a unit decided already.
    [[nodiscard]] int taken(std::uint32_t unit) const { return m_taken[unit]; }
    /// One action per op, from one per unit.
    [[nodiscard]] std::span<const int> perOp();

private:
    void findLegal(const Plan& soFar);

    const DecisionTask& m_task;
    const Problem& m_problem;
    const DecisionUnits& m_units;
    int m_actionCount;
    bool m_legalIsFixed, m_knowsLegal = false;
    std::vector<std::uint8_t> m_unitMask; ///< [unit][action]
    std::vector<std::uint8_t> m_opMask;   ///< [op][action]
    std::vector<int> m_taken;             ///< per unit
    std::vector<int> m_perOp;
    std::uint32_t m_at = 0;
};

} // namespace opscape
