// SPDX-License-Identifier: MIT
#include "commands.h"
#include "report.h"
#include "service/zoo_source.h"
#include "table.h"

#include <opscape/base/text.h>
#include <opscape/io/format.h>

namespace opscape {
namespace {

Json modelJson(const ZooModel& model) {
    Json json{{"id", model.id},
              {"title", model.title},
              {"summary", model.summary},
              {"devices", model.devices},
              {"parameters", Json::array()}};
    for (const ZooParameter& parameter : model.parameters) {
        Json entry{{"name", parameter.name},
                   {"summary", parameter.summary},
                   {"small", parameter.text(parameter.small)},
                   {"paper", parameter.text(parameter.paper)}};
        if (parameter.choices.empty())
            entry.update({{"least", parameter.least}, {"most", parameter.most}});
        else
            entry["choices"] = parameter.choices;
        json["parameters"].push_back(std::move(entry));
    }
    return json;
}

std::string modelText(const ZooModel& model) {
    std::string text =
        fmt::format("{}  {}{}\n    {}\n", model.id, model.title,
                    model.devices > 1 ? fmt::format(", published on {} devices", model.devices) : "", model.summary);
    Table table({{"parameter"}, {"small", true}, {"paper", true}, {"allowed"}, {"what it is"}});
    for (const ZooParameter& p : model.parameters) {
        const std::string allowed = p.choices.empty() ? fmt::format("{} to {}", p.text(p.least), p.text(p.most))
                                                      : fmt::format("{}", fmt::join(p.choices, ", "));
        table.row({p.name, p.text(p.small), p.text(p.paper), allowed, p.summary});
    }
    return text + table.text(4);
}

} // namespace

Result<int> listZooCommand(const GlobalArgs& global) {
    if (global.json) {
        Json json{{"presets", Json::array()}, {"models", Json::array()}};
        for (const std::string_view preset : kZooPresets)
            json["presets"].push_back(preset);
        for (const ZooModel& model : zooModels())
            json["models"].push_back(modelJson(model));
        printJson(json);
        return kFine;
    }
    std::string text;
    for (const ZooModel& model : zooModels())
        text += modelText(model) + "\n";
    printText(fmt::format("{}Open one like a file: opscape-cli info zoo:{},paper\n", text, zooModels().front().id));
    return kFine;
}

Result<int> writeZooCommand(const GlobalArgs& global, const ZooWriteArgs& args) {
    std::string name = ZooSource::isMeant(args.model) ? args.model : "zoo:" + args.model;
    for (const std::string& setting : args.settings)
        name += "," + setting;
    auto source = ZooSource::parse(name);
    if (source && !args.preset.empty())
        source->preset = args.preset;
    const auto graph = source ? source->build() : Result<Graph>(fail(source.error()));
    if (!graph) {
        printError(graph.error().message);
        return kWrongUsage;
    }
    if (auto sound = checkOutput(args.output); !sound)
        return fail(sound.error());
    const auto lost = writeGraph(*graph, args.output);
    if (!lost)
        return fail(lost.error());
    if (global.json)
        printJson({{"model", source->text()},
                   {"ops", graph->opCount()},
                   {"edges", graph->edgeCount()},
                   {"not_written", problemsJson(*lost)}});
    else
        printText(fmt::format("{}: {}, {}, written to {}\n", source->text(),
                              counted(static_cast<std::int64_t>(graph->opCount()), "op"),
                              counted(static_cast<std::int64_t>(graph->edgeCount()), "edge"), args.output.string()) +
                  problemsText(*lost, "Not written"));
    return kFine;
}

} // namespace opscape
