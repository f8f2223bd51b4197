// SPDX-License-Identifier: MIT
#include "command_models.h"

#include "cli_checks.h"
#include "command_train.h"
#include "report.h"
#include "service/models.h"
#include "study/model_trainings.h"
#include "table.h"

#include <opscape/base/units.h>
#include <opscape/rl/model/identity.h>

#include <algorithm>

namespace opscape {
namespace {

Json judgedJson(const rl::Model& model) {
    Json rows = Json::array();
    for (const rl::JudgedLesson& lesson : model.judged)
        rows.push_back({{"graph", lesson.graph},
                        {"cluster", lesson.cluster},
                        {"family", lesson.family},
                        {"ops", lesson.ops},
                        {"greedy_ns", lesson.greedyNs},
                        {"best_of_64_ns", lesson.bestOf64Ns},
                        {"best_simple_ns", lesson.simpleNs}});
    return rows;
}

/// What a list says of each.
Json entryJson(const ModelEntry& entry) {
    const rl::Model& model = entry.model;
    return {
        {"name", entry.place.name},
        {"file", entry.place.file.string()},
        {"bundled", entry.place.isBundled()},
        {"default", entry.isDefault},
        {"bytes", entry.bytes},
        {"hash", entry.hash},
        {"problem", entry.problem},
        {"version", model.version},
        {"updates", model.updates},
        {"simulations", model.simulations},
        {"seconds", model.seconds},
        {"held_out",
         {{"lessons", model.heldOutLessons}, {"greedy", model.heldOutGreedy}, {"best_of_64", model.heldOutBestOf64}}}};
}

Json cardJson(const ModelEntry& entry) {
    Json json = entryJson(entry);
    Json recipe = Json::parse(entry.model.recipe, nullptr, false);
    json["recipe"] = recipe.is_discarded() ? Json() : std::move(recipe);
    json["network"] = entry.model.network;
    json["revisions"] = entry.model.revisions;
    json["weights"] = entry.model.parameters.size();
    json["held_out"]["rows"] = judgedJson(entry.model);
    return json;
}

/// "0.912" and the like; below 1 is better than the best simple plan.
std::string ratioText(std::int64_t ns, std::int64_t simpleNs) {
    return fmt::format("{:.3f}", static_cast<double>(ns) / static_cast<double>(std::max<std::int64_t>(1, simpleNs)));
}

std::string cardText(const ModelEntry& entry) {
    Table lines({{}, {}});
    for (const CardLine& line : cardOf(entry))
        lines.row({line.title, line.text});
    std::string text = lines.text();
    if (entry.model.judged.empty())
        return text;
    Table rows({{"kept-out graph"},
                {"cluster"},
                {"ops", true},
                {"greedy", true},
                {"best of 64", true},
                {"best simple plan", true},
                {"greedy / simple", true},
                {"best / simple", true}});
    for (const rl::JudgedLesson& lesson : entry.model.judged)
        rows.row({lesson.graph, lesson.cluster, formatCount(lesson.ops), formatTime(lesson.greedyNs),
                  formatTime(lesson.bestOf64Ns), formatTime(lesson.simpleNs),
                  ratioText(lesson.greedyNs, lesson.simpleNs), ratioText(lesson.bestOf64Ns, lesson.simpleNs)});
    return text + "\n" + rows.text();
}

Result<int> list(const GlobalArgs& global) {
    const Workbench workbench(global.database);
    const auto entries = listModels(rl::revisionsOf(workbench.registry().tasks()));
    const auto trainings = listTrainings();
    Json json{{"default", rl::defaultModel()}, {"models", Json::array()}, {"trainings", Json::array()}};
    Table table({{"model"},
                 {"updates", true},
                 {"trained on"},
                 {"kept-out graphs, to the best simple plan"},
                 {"size", true},
                 {}});
    for (const ModelEntry& entry : entries) {
        json["models"].push_back(entryJson(entry));
        table.row({entry.place.name, formatCount(entry.model.updates), trainedOnText(entry.model),
                   heldOutText(entry.model), formatBytes(entry.bytes), entry.isDefault ? "the default" : ""});
    }
    for (const ModelTraining& training : trainings)
        json["trainings"].push_back({{"name", training.name},
                                     {"state", toString(training.state)},
                                     {"process", training.process},
                                     {"why", training.why},
                                     {"options", training.words}});
    if (global.json) {
        printJson(json);
        return kFine;
    }
    std::string text = entries.empty() ? "There is no model yet; opscape-cli train makes one.\n" : table.text();
    for (const ModelEntry& entry : entries) {
        if (!entry.problem.empty())
            text += fmt::format("{} cannot be used: {}\n", entry.place.name, entry.problem);
    }
    for (const ModelTraining& training : trainings)
        text += fmt::format("The training of {}: {}{}\n", training.name, toString(training.state),
                            training.why.empty() ? "" : ". " + training.why);
    printText(text);
    return kFine;
}

Result<int> show(const GlobalArgs& global, const ModelsArgs& args) {
    const auto place = rl::findModel(args.model);
    if (!place)
        return fail(place.error());
    const Workbench workbench(global.database);
    const ModelEntry entry = readEntry(*place, rl::revisionsOf(workbench.registry().tasks()));
    if (entry.model.parameters.empty())
        return fail("{}", entry.problem);
    if (global.json)
        printJson(cardJson(entry));
    else
        printText(cardText(entry));
    return kFine;
}

Result<int> importIt(const GlobalArgs& global, const ModelsArgs& args) {
    const auto name = importModel(args.file, args.name);
    if (!name)
        return fail(name.error());
    if (global.json)
        printJson({{"name", *name}});
    else
        printText(
            fmt::format("Kept as {}. Use it: opscape-cli optimize FILE --optimizer go --set model={}\n", *name, *name));
    return kFine;
}

Result<int> exportIt(const GlobalArgs& global, const ModelsArgs& args) {
    if (auto written = exportModel(args.model, args.file); !written)
        return fail(written.error());
    if (global.json)
        printJson({{"model", args.model}, {"file", args.file.string()}});
    else
        printText(fmt::format("{} is written to {}.\n", args.model, args.file.string()));
    return kFine;
}

Result<int> deleteIt(const GlobalArgs& global, const ModelsArgs& args) {
    const bool isTraining = findTraining(args.model).has_value();
    if (isTraining) {
        if (auto gone = discardTraining(args.model); !gone)
            return fail(gone.error());
    }
    const auto models = rl::shelvedModels();
    if (!isTraining || std::ranges::count(models, args.model, &rl::ShelvedModel::name) > 0) {
        if (auto gone = deleteModel(args.model); !gone)
            return fail(gone.error());
    }
    if (global.json)
        printJson({{"deleted", args.model}});
    else
        printText(fmt::format("{} is deleted.\n", args.model));
    return kFine;
}

/// "bundled": as it comes with the product.
Result<int> chooseDefault(const GlobalArgs& global, const ModelsArgs& args) {
    if (!args.model.empty()) {
        const std::string name = args.model == "bundled" || args.model == rl::kDefaultModel ? "" : args.model;
        if (auto chosen = rl::chooseDefaultModel(name); !chosen)
            return fail(chosen.error());
    }
    const std::string now = rl::defaultModel();
    if (global.json)
        printJson({{"default", now}});
    else
        printText(now == rl::kNoModel ? "No model is the default; go learns from nothing.\n"
                                      : fmt::format("{} is the default; go begins with it.\n", now));
    return kFine;
}

template <RunWish kWish>
Result<int> ask(const GlobalArgs& global, const ModelsArgs& args) {
    constexpr const char* kWord = kWish == RunWish::Pause ? "pause" : kWish == RunWish::Resume ? "go on" : "stop";
    if (auto asked = askTraining(args.model, kWish); !asked)
        return fail(asked.error());
    if (global.json)
        printJson({{"model", args.model}, {"asked", kWord}});
    else
        printText(fmt::format("The training of {} was asked to {}.\n", args.model, kWord));
    return kFine;
}

/// Lets one that is paused go on, or goes on here with one that has ended early.
Result<int> resume(const GlobalArgs& global, const ModelsArgs& args) {
    const auto training = findTraining(args.model);
    if (!training)
        return fail("no training of a model {} is known; see opscape-cli models.", args.model);
    if (training->state == TrainingState::Running)
        return fail("the training of {} is not paused; it goes on in process {}.", args.model, training->process);
    if (training->state == TrainingState::Paused)
        return ask<RunWish::Resume>(global, args);
    TrainArgs again;
    again.name = args.model;
    again.words = training->words;
    return trainCommand(global, again);
}

} // namespace

void addModels(CLI::App& app, const GlobalArgs& global, ModelsArgs& args, std::function<Result<int>()>& action) {
    CLI::App* models = addCommand(app, "models", "Trained policies: list, show, import, export, choose the default");
    models->require_subcommand(0, 1);
    const auto act = [&global, &args, &action](Result<int> (*command)(const GlobalArgs&, const ModelsArgs&)) {
        return [&global, &args, &action, command] {
            action = [&global, &args, command] { return command(global, args); };
        };
    };
    const auto one = [&args](CLI::App* sub, const char* what) {
        return sub->add_option("MODEL", args.model, what)->required();
    };
    const auto lists = [&global, &action] { action = [&global] { return list(global); }; };
    addCommand(*models, "list", "All there are, and which is the default")->callback(lists);
    CLI::App* card = addCommand(*models, "show", "The card of a model: how it was trained, what it reached");
    one(card, "Its name, default, or a file");
    card->callback(act(show));
    CLI::App* in = addCommand(*models, "import", "Keep a model file among your own");
    in->add_option("FILE", args.file, "What train or models export wrote")->required();
    in->add_option("--name", args.name, "Its name here (default: that of the file)");
    in->callback(act(importIt));
    CLI::App* out = addCommand(*models, "export", "Write a model to a file");
    one(out, "Its name, or default");
    out->add_option("-o,--output", args.file, "The file, for models import on any machine")->required();
    out->callback(act(exportIt));
    CLI::App* away = addCommand(*models, "delete", "Delete one of your models for good");
    one(away, "Its name");
    away->callback(act(deleteIt));
    CLI::App* choice = addCommand(*models, "default", "Which model go begins with unless it is told otherwise");
    choice->add_option("MODEL", args.model,
                       "Its name; bundled: the one that comes with Opscape; none: learn from nothing; left out: only "
                       "say which it is");
    choice->callback(act(chooseDefault));
    const auto training = [&](const char* name, const char* summary, auto command) {
        CLI::App* sub = addCommand(*models, name, summary);
        one(sub, "Its name");
        sub->callback(act(command));
    };
    training("pause", "Hold up a training that was begun by train --name or in the window", ask<RunWish::Pause>);
    training("resume", "Let a paused training go on, or go on here with one that was stopped, cut off or killed",
             resume);
    training("stop", "End a training with the model so far", ask<RunWish::Stop>);
    models->callback([models, lists] {
        if (models->get_subcommands().empty())
            lists();
    });
}

} // namespace opscape
