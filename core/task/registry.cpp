// SPDX-License-Identifier: MIT
#include <opscape/task/registry.h>

#include <algorithm>

namespace opscape {
namespace {

std::string joined(const auto& items, auto idOf) {
    std::vector<std::string> ids;
    for (const auto& item : items)
        ids.push_back(idOf(item));
    return ids.empty() ? "none is loaded" : fmt::format("there are: {}", fmt::join(ids, ", "));
}

} // namespace

Result<> Registry::addOptimizer(OptimizerInfo info, OptimizerFactory factory) {
    if (info.id.empty() || info.decides.empty() || info.objectives.empty() || !factory)
        return fail("optimizer \"{}\" is declared without an id, a decision, an objective or a factory.", info.id);
    Options probe(info.options);
    for (const OptionSpec& spec : info.options) {
        if (auto set = probe.set(spec.name, toString(spec.value)); !set)
            return fail("optimizer {}: the default of {}", info.id, set.error().message);
    }
    const auto at = std::ranges::lower_bound(
        m_optimizers, info.id, {}, [](const auto& e) -> auto& { return e->info.id; });
    if (at != m_optimizers.end() && (*at)->info.id == info.id)
        return fail("an optimizer \"{}\" is registered already.", info.id);
    m_optimizers.insert(at, std::make_unique<Entry>(Entry{std::move(info), std::move(factory)}));
    return {};
}

Result<> Registry::addTask(std::unique_ptr<DecisionTask> task) {
    if (!task || task->info().id.empty())
        return fail("a decision task is declared without an id.");
    const std::string& id = task->info().id;
    if (std::ranges::any_of(m_tasks, [&id](const auto& other) { return other->info().id == id; }))
        return fail("a decision task \"{}\" is registered already.", id);
    const auto at =
        std::ranges::upper_bound(m_tasks, task->info().chain, {}, [](const auto& t) { return t->info().chain; });
    m_tasks.insert(at, std::move(task));
    return {};
}

std::vector<const OptimizerInfo*> Registry::optimizers() const {
    std::vector<const OptimizerInfo*> infos;
    for (const auto& entry : m_optimizers)
        infos.push_back(&entry->info);
    return infos;
}

std::vector<const DecisionTask*> Registry::tasks() const {
    std::vector<const DecisionTask*> tasks;
    for (const auto& task : m_tasks)
        tasks.push_back(task.get());
    return tasks;
}

Result<const OptimizerInfo*> Registry::optimizer(std::string_view id) const {
    for (const auto& entry : m_optimizers) {
        if (entry->info.id == id)
            return &entry->info;
    }
    return fail("there is no optimizer \"{}\"; {}.", id,
                joined(m_optimizers, [](const auto& e) { return e->info.id; }));
}

Result<const DecisionTask*> Registry::task(std::string_view id) const {
    for (const auto& task : m_tasks) {
        if (task->info().id == id)
            return task.get();
    }
    return fail("there is no decision task \"{}\"; {}.", id,
                joined(m_tasks, [](const auto& t) { return t->info().id; }));
}

Result<std::unique_ptr<Optimizer>> Registry::makeOptimizer(std::string_view id) const {
    for (const auto& entry : m_optimizers) {
        if (entry->info.id == id) {
            auto made = entry->factory();
            made->m_info = entry->info;
            made->m_tasks = tasks();
            return made;
        }
    }
    return fail(optimizer(id).error());
}

} // namespace opscape
