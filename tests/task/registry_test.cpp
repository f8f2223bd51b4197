// SPDX-License-Identifier: MIT
#include <opscape/task/registry.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

class Nothing final : public Optimizer {
    Result<Plan> doSolve(const Problem&, const Options&, const RunContext&) override { return Plan{}; }
};

class Task final : public DecisionTask {
public:
    Task(std::string id, int chain) : m_info{std::move(id), "", "", chain, 1} {}
    [[nodiscard]] const TaskInfo& info() const override { return m_info; }
    [[nodiscard]] int actionCount(const Problem&) const override { return 1; }
    void legal(const Problem&, const Plan&, OpId, std::span<std::uint8_t>) const override {}
    void fallback(const Problem&, std::span<int>) const override {}
    [[nodiscard]] Result<> apply(const Problem&, std::span<const int>, Plan&) const override { return {}; }

private:
    TaskInfo m_info;
};

OptimizerInfo info(std::string id) { return {std::move(id), "", "", 1, {"placement"}, false, {}}; }
std::unique_ptr<Optimizer> make() { return std::make_unique<Nothing>(); }
std::string errorOf(const auto& result) { return result ? "" : result.error().message; }

TEST(Registry, ListsOptimizersByIdAndTasksByTheirPlaceInTheChain) {
    Registry registry;
    ASSERT_TRUE(registry.addOptimizer(info("zebra"), make));
    ASSERT_TRUE(registry.addOptimizer(info("ant"), make));
    ASSERT_TRUE(registry.addTask(std::make_unique<Task>("late", 30)));
    ASSERT_TRUE(registry.addTask(std::make_unique<Task>("early", 10)));
    ASSERT_EQ(registry.optimizers().size(), 2U);
    EXPECT_EQ(registry.optimizers()[0]->id, "ant");
    EXPECT_EQ(registry.tasks()[0]->info().id, "early");
    EXPECT_TRUE(registry.makeOptimizer("zebra").has_value());
    EXPECT_EQ(registry.task("late").value()->info().chain, 30);
}

TEST(Registry, SaysWhatThereIsWhenAskedForWhatThereIsNot) {
    Registry registry;
    EXPECT_EQ(errorOf(registry.optimizer("heft")), "there is no optimizer \"heft\"; none is loaded.");
    ASSERT_TRUE(registry.addOptimizer(info("b"), make));
    ASSERT_TRUE(registry.addOptimizer(info("a"), make));
    EXPECT_EQ(errorOf(registry.makeOptimizer("heft")), "there is no optimizer \"heft\"; there are: a, b.");
    EXPECT_EQ(errorOf(registry.task("fusion")), "there is no decision task \"fusion\"; none is loaded.");
}

TEST(Registry, RefusesATakenId) {
    Registry registry;
    ASSERT_TRUE(registry.addOptimizer(info("a"), make));
    EXPECT_EQ(errorOf(registry.addOptimizer(info("a"), make)), "an optimizer \"a\" is registered already.");
    ASSERT_TRUE(registry.addTask(std::make_unique<Task>("t", 1)));
    EXPECT_EQ(errorOf(registry.addTask(std::make_unique<Task>("t", 2))),
              "a decision task \"t\" is registered already.");
}

TEST(Registry, RefusesUnsoundDeclarations) {
    Registry registry;
    EXPECT_FALSE(registry.addOptimizer(info(""), make));
    EXPECT_FALSE(registry.addOptimizer(info("a"), nullptr));
    OptimizerInfo decidesNothing = info("a");
    decidesNothing.decides.clear();
    EXPECT_FALSE(registry.addOptimizer(decidesNothing, make));
    OptimizerInfo hasNoObjective = info("a");
    hasNoObjective.objectives.clear();
    EXPECT_FALSE(registry.addOptimizer(hasNoObjective, make));
    OptimizerInfo badDefault = info("a");
    badDefault.options = {OptionSpec::integer("budget", "", 0, 1, 9)};
    EXPECT_EQ(errorOf(registry.addOptimizer(badDefault, make)),
              "optimizer a: the default of option budget=0: the value must be integer from 1 to 9.");
    EXPECT_FALSE(registry.addTask(nullptr));
    EXPECT_FALSE(registry.addTask(std::make_unique<Task>("", 1)));
    EXPECT_TRUE(registry.optimizers().empty());
}

} // namespace
} // namespace opscape
