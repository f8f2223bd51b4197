// SPDX-License-Identifier: MIT
#include <opscape/base/hash.h>
#include <opscape/rl/features/decision_graph.h>
#include <opscape/rl/model/identity.h>

namespace opscape::rl {

std::map<std::string, std::string> networkText(const NetworkOptions& network, std::span<const TaskShape> tasks) {
    const NetworkOptions& n = network;
    std::map<std::string, std::string> text{
        {"shape", n.shape == Shape::Grouped ? "grouped" : "paper"},
        {"hidden", std::to_string(n.hidden)},
        {"head", std::to_string(n.headHidden)},
        {"sage", std::to_string(n.sage ? n.sageLayers : 0)},
        {"segment", std::to_string(n.segment)},
        {"heads", std::to_string(n.attention ? n.heads : 0)},
        {"modulation", n.modulation ? "on" : "off"},
        {"features", fmt::format("{} of revision {}", DecisionGraph::featureCount(), DecisionGraph::kFeatureRevision)}};
    for (const TaskShape& task : tasks)
        text["task " + task.id] =
            fmt::format("{} actions, {} features", task.features > 0 ? 0 : task.actionCount, task.features);
    return text;
}

std::map<std::string, int> revisionsOf(std::span<const DecisionTask* const> tasks) {
    std::map<std::string, int> revisions;
    for (const DecisionTask* task : tasks)
        revisions[task->info().id] = task->info().revision;
    return revisions;
}

std::string settingHash(const Plan& start, std::span<const DeviceId> pins, const DecisionUnits& units) {
    Hasher hash;
    const auto addIds = [&hash](std::span<const DeviceId> ids) {
        hash.value(ids.size());
        for (const DeviceId id : ids)
            hash.value(id.value);
    };
    const auto addNumbers = [&hash](const auto& numbers) {
        hash.value(numbers.size());
        for (const auto number : numbers)
            hash.value(number);
    };
    addIds(start.device);
    hash.value(start.policy);
    addNumbers(start.priority);
    addNumbers(start.fusionGroup);
    addIds(pins);
    addNumbers(units.unitOf);
    return hash.hex();
}

} // namespace opscape::rl
