// SPDX-License-Identifier: MIT
// What can be said to the commands train and bench transfer.
#include "cli_checks.h"
#include "command_train.h"
#include "study/graph_families.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace opscape {
namespace {

std::string familiesHelp() {
    std::vector<std::string> supers;
    for (const SuperFamily& super : superFamilies())
        supers.push_back(fmt::format("{} ({})", super.name, fmt::join(super.families, ", ")));
    return fmt::format("Families: {}. Super-families: {}", fmt::join(graphFamilies(), ", "), fmt::join(supers, ", "));
}

/// "go-batch: ...; go-generalization+finetune: ..."
std::string protocolsHelp() {
    std::vector<std::string> lines;
    for (const Protocol& protocol : protocols())
        lines.push_back(fmt::format("{}: {}", protocol.name, protocol.summary));
    return fmt::format("{}", fmt::join(lines, "; "));
}

std::vector<std::string> protocolNames() {
    std::vector<std::string> names;
    for (const Protocol& protocol : protocols())
        names.emplace_back(protocol.name);
    return names;
}

void addLessons(CLI::App& train, TrainArgs& args) {
    train
        .add_option("--set", args.set,
                    "What to learn from: all, families or super-families of the zoo, or a recipe file (JSON)")
        ->delimiter(',')
        ->required();
    train.add_option("--hold-out", args.holdOut, "Families or super-families to keep out")->delimiter(',');
    train
        .add_option("--validation", args.validation,
                    "Families to keep out and watch, to choose settings by; none: learn from all (default: one of a "
                    "super-family of which nothing is held out)")
        ->delimiter(',');
    train.add_option("--lessons", args.lessons, "How many graphs on clusters to learn from (default: 300)")
        ->check(CLI::Range(0, 100'000));
    train
        .add_option("--protocol", args.protocol,
                    "Sets lessons, draw and curriculum as GO was published. " + protocolsHelp())
        ->check(CLI::IsMember(protocolNames()));
}

void addLearning(CLI::App& train, TrainArgs& args) {
    CLI::Option* hours =
        train.add_option("--hours", args.hours, "How long to learn, over all sessions")->check(CLI::Range(1e-5, 1e4));
    train.add_option("--updates", args.updates, "How many updates, in place of --hours")
        ->check(CLI::Range(1, 1'000'000'000))
        ->excludes(hours);
    std::vector<std::string> draws;
    for (const auto draw : {rl::LessonDraw::ByFamily, rl::LessonDraw::Uniform, rl::LessonDraw::InTurn})
        draws.emplace_back(toString(draw));
    train
        .add_option("--draw", args.draw,
                    "How a lesson is drawn: family: first a family, each alike (the default); uniform: each lesson "
                    "alike; in-turn: one after the other")
        ->check(CLI::IsMember(draws));
    train
        .add_option(
            "--curriculum", args.curriculum,
            "Share of the training over which larger lessons join, smallest first; 0: all at once (default: 0.3)")
        ->check(CLI::Range(0., 1.));
    train.add_option("--seed", args.seed, "Of the training, and of the lessons unless a recipe has its own")
        ->check(wholeNumber())
        ->capture_default_str();
    train.add_option("--slots", args.slots, "Lessons of an update; several processes share them")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    train.add_option("--samples", args.samples, "Plans per lesson and update")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    train.add_option("--rate", args.rate, "Learning rate, falling to a fifth")
        ->check(CLI::Range(0., 1.))
        ->capture_default_str();
    train.add_option("--hidden", args.hidden, "Width of the network")
        ->check(CLI::Range(8, 1024))
        ->capture_default_str();
    train.add_flag("--no-sage", args.noSage, "Do not embed the graph around every group (GraphSAGE)");
    train.add_option("--threads", args.threads, "Threads for simulations; the result is the same for any number")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
}

} // namespace

void addTrain(CLI::App& app, const GlobalArgs& global, TrainArgs& args, CommandAction& action) {
    CLI::App* train = app.add_subcommand("train", "Train a policy on many graphs, for GO to begin with");
    train->fallthrough();
    addLessons(*train, args);
    addLearning(*train, args);
    train->add_option("-o,--output", args.output, "The model")->required();
    train->add_option("--save", args.save, "Keeps the state of the training in this file as it goes on");
    train->add_option("--resume", args.resume, "Goes on with the training in this file; all else must be as it was");
    train->add_option("--curve", args.curve, "How it learns, as CSV, a line for every update");
    train->add_option("--evaluate-every", args.evaluateEvery, "Seconds between looks at what is kept out")
        ->check(CLI::Range(0.1, 1e6))
        ->capture_default_str();
    train->footer(familiesHelp() +
                  ". Ctrl+C ends the training with the model so far. Started several times with RANK, "
                  "WORLD_SIZE, MASTER_ADDR and MASTER_PORT set, as mpirun, Slurm and Kubernetes do, the "
                  "processes train one policy.");
    train->callback([&global, &args, &action] {
        if (args.hours == 0 && args.updates == 0)
            throw CLI::RequiredError("--hours or --updates");
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

} // namespace opscape
