// SPDX-License-Identifier: MIT
// What can be said to the commands train, bench transfer and bench scaling.
#include "cli_checks.h"
#include "command_train.h"
#include "study/graph_families.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace opscape {
namespace {

std::string familiesHelp() {
    std::vector<std::string> supers;
    for (const SuperFamily& super : superFamilies())
        supers.push_back(fmt::format("{} ({})", super.name, fmt::join(super.families, ", ")));
    return fmt::format("Families: {}. Super-families: {}", fmt::join(graphFamilies(), ", "), fmt::join(supers, ", "));
}

/// What is said of one option is kept as it was typed, once it is known to be allowed.
void addOption(CLI::App& train, const OptionSpec& spec, TrainingWords& words) {
    const std::string flag = "--" + spec.name;
    if (spec.type == OptionSpec::Type::Bool) {
        const bool isOn = std::get<bool>(spec.value);
        train.add_flag_callback(
            isOn ? "--no-" + spec.name : flag, [&words, &spec, isOn] { words[spec.name] = isOn ? "false" : "true"; },
            (isOn ? "Switches this off: " : "") + spec.summary);
        return;
    }
    const auto check = [&spec](const std::string& text) {
        const auto set = Options(std::span(&spec, 1)).set(spec.name, text);
        return set ? std::string() : fmt::format("\"{}\" is not allowed; it takes {}", text, spec.domain());
    };
    train
        .add_option_function<std::string>(
            flag, [&words, &spec](const std::string& text) { words[spec.name] = text; },
            fmt::format("{} ({}; default: {})", spec.summary, spec.domain(), toString(spec.value)))
        ->check(check);
}

void addWords(CLI::App& train, TrainingWords& words) {
    for (const TrainingList& list : trainingLists()) {
        CLI::Option* option = train
                                  .add_option_function<std::vector<std::string>>(
                                      "--" + std::string(list.name),
                                      [&words, &list](const std::vector<std::string>& parts) {
                                          words[std::string(list.name)] = fmt::format("{}", fmt::join(parts, ","));
                                      },
                                      std::string(list.summary))
                                  ->delimiter(',');
        if (list.required)
            option->required();
    }
    for (const OptionSpec& spec : trainingOptions())
        addOption(train, spec, words);
}

} // namespace

void addTrain(CLI::App& app, const GlobalArgs& global, TrainArgs& args, CommandAction& action) {
    CLI::App* train = app.add_subcommand("train", "Train a policy on many graphs, for GO to begin with");
    train->fallthrough();
    addWords(*train, args.words);
    CLI::Option* output = train->add_option("-o,--output", args.output, "The model");
    CLI::Option* save =
        train->add_option("--save", args.save, "Keeps the state of the training in this file as it goes on");
    CLI::Option* resume = train->add_option("--resume", args.resume,
                                            "Goes on with the training in this file; all else must be as it was");
    CLI::Option* curve = train->add_option("--curve", args.curve, "How it learns, as CSV, a line for every update");
    train
        ->add_option("--name", args.name,
                     "Keeps all of it among your models under this name, in place of files; the same command goes on "
                     "with a training that was stopped or cut off")
        ->excludes(output)
        ->excludes(save)
        ->excludes(resume)
        ->excludes(curve);
    train->add_flag("--elastic", args.elastic,
                    "Where one of several processes is lost, those that are left go on from the last state, which all "
                    "of them have to see; the first process has to stay");
    train->footer(familiesHelp() +
                  ". Ctrl+C ends the training with the model so far. Started several times with RANK, "
                  "WORLD_SIZE, MASTER_ADDR and MASTER_PORT set, as mpirun, Slurm and Kubernetes do, the "
                  "processes train one policy.");
    train->callback([&global, &args, &action] {
        const bool hasHours = args.words.contains("hours"), hasUpdates = args.words.contains("updates");
        if (!hasHours && !hasUpdates)
            throw CLI::RequiredError("--hours or --updates");
        if (hasHours && hasUpdates)
            throw CLI::ExcludesError("--hours", "--updates");
        if (args.output.empty() && args.name.empty())
            throw CLI::RequiredError("--output or --name");
        if (args.elastic && args.save.empty())
            throw CLI::RequiredError("with --elastic, --save");
        action = [&global, &args] { return trainCommand(global, args); };
    });
}

void addTransfer(CLI::App& bench, const GlobalArgs& global, TransferArgs& args, CommandAction& action) {
    CLI::App* command =
        bench.add_subcommand("transfer", "Policies trained without a family of graphs, on the graphs of that family");
    command->fallthrough();
    TransferRequest& request = args.request;
    request.training.options.seconds = 120;
    command
        ->add_option("--families", request.heldOut,
                     "Families and super-families to hold out, one after the other (default: each of both, unless "
                     "there are files)")
        ->delimiter(',');
    command->add_option("--graphs", request.graphs, "Files, for policies that were trained on every family")
        ->delimiter(',');
    std::vector<std::string> methods;
    for (const TransferMethod& method : transferMethods()) {
        const std::string line = fmt::format("{}: {}", method.name, method.summary);
        if (method.budgetS != 10)
            methods.push_back(line);
    }
    command
        ->add_option("--methods", request.methods,
                     fmt::format("Those to run (default: all). {}; anneal for 10 s, too", fmt::join(methods, "; ")))
        ->delimiter(',');
    command->add_option("--train-seconds", request.training.options.seconds, "How long to train each policy")
        ->check(CLI::Range(0.1, 1e7))
        ->capture_default_str();
    command
        ->add_option("--train-updates", request.training.options.updates,
                     "How many updates to train each policy, in place of seconds")
        ->check(CLI::Range(1, 1'000'000'000));
    command->add_option("--lessons", request.training.recipe.lessons, "How many graphs on clusters to learn from")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    command->add_option("--budget", request.budgetS, "Seconds for each method that searches")
        ->check(CLI::Range(0.01, 86'400.0))
        ->capture_default_str();
    command->add_option("--seed", args.seed, "The first, and the only one of methods that do not search")
        ->check(wholeNumber())
        ->capture_default_str();
    command->add_option("--seeds", args.seeds, "How many, of policies and searches")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_flag("--report", args.onlyReport, "Only say what the table has; nothing is computed");
    command->add_option("-o,--output", args.output, "The table, as CSV; rows that it has already are not made again")
        ->required();
    command->footer(familiesHelp() + ". The policies are kept beside the table, in TABLE_models. Searches run one at a "
                                     "time; keep the machine otherwise quiet, since they are given equal time.");
    command->callback(
        [&global, &args, &action] { action = [&global, &args] { return benchTransferCommand(global, args); }; });
}

void addScaling(CLI::App& bench, const GlobalArgs& global, ScalingArgs& args, CommandAction& action) {
    CLI::App* command = bench.add_subcommand("scaling", "What several processes are worth in training a policy");
    command->fallthrough();
    ScalingRequest& request = args.request;
    request.training.recipe.lessons = 24;
    request.training.recipe.validation.emplace();
    request.training.options.updates = 120;
    const auto most = std::numeric_limits<int>::max();
    command->add_option("--processes", request.measured, "Numbers of processes to start on this machine, after one")
        ->delimiter(',')
        ->check(CLI::Range(1, 64));
    command->add_option("--model", request.modelled, "Numbers of processes to work out")
        ->delimiter(',')
        ->check(CLI::Range(2, most))
        ->capture_default_str();
    command
        ->add_option("--updates", request.training.options.updates,
                     "How many updates to make with each number of processes; the second half is timed")
        ->check(CLI::Range(4, 1'000'000))
        ->capture_default_str();
    command
        ->add_option("--lessons", request.training.recipe.lessons,
                     "How many graphs on clusters to learn from; a process needs one of its own")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    command->add_option("--gbits", args.gigabits, "Of a link between two processes, in 10^9 bits a second")
        ->check(CLI::Range(1e-3, 1e6))
        ->capture_default_str();
    command->add_option("--latency", args.latencyUs, "Of such a link, in microseconds")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
    command->footer("Keep the machine otherwise quiet.");
    command->callback([&global, &args, &action] {
        std::vector<int>& measured = args.request.measured;
        measured.push_back(1); // what the others are compared with
        std::ranges::sort(measured);
        measured.erase(std::unique(measured.begin(), measured.end()), measured.end());
        const auto lessons = static_cast<int>(args.request.training.recipe.lessons);
        if (std::ranges::max(measured) > lessons)
            throw CLI::ValidationError("--lessons", "as many as processes at least");
        args.request.bytesPerS = args.gigabits * 1e9 / 8;
        args.request.latencyS = args.latencyUs * 1e-6;
        action = [&global, &args] { return benchScalingCommand(global, args); };
    });
}

} // namespace opscape
