// SPDX-License-Identifier: MIT
#include "commands.h"
#include "report.h"
#include "table.h"

#include <opscape/base/units.h>

#include <map>

namespace opscape {
namespace {

Json optionJson(const OptionSpec& option) {
    Json json{{"name", option.name}, {"summary", option.summary}};
    std::visit([&json](const auto& value) { json["default"] = value; }, option.value);
    json["allowed"] = option.domain();
    if (!option.unit.empty())
        json["unit"] = option.unit;
    return json;
}

Json tasksJson(const Workbench& workbench) {
    Json json{{"tasks", Json::array()}, {"optimizers", Json::array()}, {"plugins", Json::array()}};
    for (const DecisionTask* task : workbench.registry().tasks())
        json["tasks"].push_back(
            {{"id", task->info().id}, {"title", task->info().title}, {"summary", task->info().summary}});
    for (const OptimizerInfo* info : workbench.registry().optimizers()) {
        Json optimizer{{"id", info->id},
                       {"title", info->title},
                       {"summary", info->summary},
                       {"revision", info->revision},
                       {"decides", info->decides},
                       {"honours_pins", info->honoursPins},
                       {"objectives", Json::array()},
                       {"options", Json::array()}};
        for (const Objective objective : info->objectives)
            optimizer["objectives"].push_back(toString(objective));
        for (const OptionSpec& option : info->options)
            optimizer["options"].push_back(optionJson(option));
        json["optimizers"].push_back(std::move(optimizer));
    }
    for (const PluginStatus& plugin : workbench.plugins()) {
        Json status{{"file", plugin.file.string()},
                    {"id", plugin.id},
                    {"version", plugin.version},
                    {"loaded", plugin.loaded()}};
        if (!plugin.loaded())
            status["error"] = plugin.error;
        json["plugins"].push_back(std::move(status));
    }
    return json;
}

std::string tasksText(const Workbench& workbench) {
    std::string text = "Decisions\n";
    Table tasks({{"id"}, {"title"}, {"what is decided"}});
    for (const DecisionTask* task : workbench.registry().tasks())
        tasks.row({task->info().id, task->info().title, task->info().summary});
    text += tasks.empty() ? "  none is loaded\n" : tasks.text(2);

    text += "\nOptimizers\n";
    if (workbench.registry().optimizers().empty())
        text += "  none is loaded\n";
    for (const OptimizerInfo* info : workbench.registry().optimizers()) {
        std::vector<std::string_view> objectives;
        for (const Objective objective : info->objectives)
            objectives.push_back(toString(objective));
        text += fmt::format("  {}  {}, decides {} for {}\n      {}\n", info->id, info->title,
                            fmt::join(info->decides, ", "), fmt::join(objectives, " or "), info->summary);
        Table options({{}, {}, {}});
        for (const OptionSpec& option : info->options)
            options.row(
                {fmt::format("--set {}={}", option.name, toString(option.value)), option.domain(), option.summary});
        text += options.text(6);
    }

    Table broken({{}, {}});
    for (const PluginStatus& plugin : workbench.plugins()) {
        if (!plugin.loaded())
            broken.row({plugin.file.string(), plugin.error});
    }
    if (!broken.empty())
        text += "\nPlugins that could not be loaded\n" + broken.text(2);
    return text;
}

/// "4 x P100" or "1 x CPU, 2 x GTX"
std::string devicesOf(const Cluster& cluster) {
    std::vector<std::size_t> counts(cluster.kindCount(), 0);
    for (std::size_t d = 0; d < cluster.deviceCount(); ++d)
        ++counts[cluster.device(DeviceId(d)).kind.index()];
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < counts.size(); ++k)
        parts.push_back(fmt::format("{} x {}", counts[k], cluster.kind(KindId(k)).name));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::int64_t memoryOf(const Cluster& cluster) {
    std::int64_t bytes = 0;
    for (std::size_t d = 0; d < cluster.deviceCount(); ++d)
        bytes += cluster.kindOf(DeviceId(d)).memoryBytes;
    return bytes;
}

} // namespace

Result<int> tasksCommand(const GlobalArgs& global) {
    const Workbench workbench(global.database);
    if (global.json)
        printJson(tasksJson(workbench));
    else
        printText(tasksText(workbench));
    return kFine;
}

Result<int> clustersCommand(const GlobalArgs& global) {
    Json json{{"clusters", Json::array()}};
    Table table({{"cluster"}, {"devices"}, {"memory", true}, {"links"}, {"title"}});
    for (const std::string& name : Cluster::bundled()) {
        const auto cluster = Cluster::load(name);
        if (!cluster) { // one damaged file does not hide the others
            printError(cluster.error().message);
            continue;
        }
        const std::string isDefault = name == kDefaultCluster ? " (the default)" : "";
        table.row({name + isDefault, devicesOf(*cluster), formatBytes(memoryOf(*cluster)),
                   std::string(toString(cluster->linkModel())), cluster->title()});
        json["clusters"].push_back({{"id", name},
                                    {"title", cluster->title()},
                                    {"devices", cluster->deviceCount()},
                                    {"kinds", devicesOf(*cluster)},
                                    {"memory_bytes", memoryOf(*cluster)},
                                    {"link_model", toString(cluster->linkModel())},
                                    {"default", name == kDefaultCluster}});
    }
    if (table.empty())
        return fail("no cluster is bundled with this program; give a cluster file with --cluster.");
    if (global.json)
        printJson(json);
    else
        printText(table.text());
    return kFine;
}

} // namespace opscape
