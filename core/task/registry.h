// SPDX-License-Identifier: MIT
// The decision tasks and optimizers that there are, by id. Filled explicitly, by the plugin loader or by a test.
#pragma once

#include <opscape/task/decision_task.h>
#include <opscape/task/optimizer.h>

#include <functional>
#include <memory>

namespace opscape {

class Registry {
public:
    using OptimizerFactory = std::function<std::unique_ptr<Optimizer>()>;

    /// Fails when the id is taken or the declaration is unsound (an option's default outside its bounds, no id).
    [[nodiscard]] Result<> addOptimizer(OptimizerInfo info, OptimizerFactory factory);
    [[nodiscard]] Result<> addTask(std::unique_ptr<DecisionTask> task);

    /// Sorted by id.
    [[nodiscard]] std::vector<const OptimizerInfo*> optimizers() const;
    /// In the order of the chain.
    [[nodiscard]] std::vector<const DecisionTask*> tasks() const;

    /// The error lists the ids there are.
    [[nodiscard]] Result<const OptimizerInfo*> optimizer(std::string_view id) const;
    [[nodiscard]] Result<const DecisionTask*> task(std::string_view id) const;
    [[nodiscard]] Result<std::unique_ptr<Optimizer>> makeOptimizer(std::string_view id) const;

private:
    struct Entry {
        OptimizerInfo info;
        OptimizerFactory factory;
    };
    std::vector<std::unique_ptr<Entry>> m_optimizers;   ///< sorted by id
    std::vector<std::unique_ptr<DecisionTask>> m_tasks; ///< sorted by chain
};

} // namespace opscape
