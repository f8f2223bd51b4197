// SPDX-License-Identifier: MIT
// One way to find a plan. Constructed per run, never shared between threads.
#pragma once

#include <opscape/base/run_context.h>
#include <opscape/plan/problem.h>
#include <opscape/task/decision_task.h>
#include <opscape/task/option.h>

namespace opscape {

struct OptimizerInfo {
    std::string id;                   ///< e.g. "heft"
    std::string title;                ///< for people
    std::string summary;              ///< one sentence: the method and its source
    int revision = 1;                 ///< changes when the same input may give another plan
    std::vector<std::string> decides; ///< ids of the decision tasks it takes
    bool honoursPins = false;         ///< keeps ops where Problem::pins puts them
    bool learns = false;              ///< tells of a curve; such runs may take hours
    std::vector<OptionSpec> options;
    std::vector<Objective> objectives{Objective::StepTime}; ///< that it takes; its own first
};

class Optimizer {
public:
    virtual ~Optimizer() = default;

    /// Runs the method and checks its plan; refuses an objective that the optimizer does not take. What the problem
    /// does not ask for is taken from its start plan (else the default: one device, FIFO, unfused); fused groups of the
    /// start plan that the new placement splits come apart. Exceptions become errors; an empty graph gives an empty
    /// plan. When stopped early it returns the best plan so far if the method has one. A plan that does not fit in
    /// memory is returned too: the last report then says so.
    [[nodiscard]] Result<Plan> solve(const Problem& problem, const Options& options, const RunContext& context);
    /// The options as they take effect, where some of them overrule others: for the record of a run.
    [[nodiscard]] virtual Options inForce(const Options& options) const { return options; }

protected:
    /// All decision tasks there are, in the order of the chain.
    [[nodiscard]] const std::vector<const DecisionTask*>& tasks() const { return m_tasks; }

private:
    friend class Registry;

    /// The problem has at least one op and one device, fixedDevices() (constraints.h) succeeds and the start plan is
    /// valid but for pins; the options are complete and within their bounds.
    virtual Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) = 0;

    OptimizerInfo m_info; ///< as registered
    std::vector<const DecisionTask*> m_tasks;
};

} // namespace opscape
