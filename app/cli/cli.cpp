// SPDX-License-Identifier: MIT
#include "cli.h"

#include "cli_checks.h"
#include "cli_runs.h"
#include "command_models.h"
#include "command_train.h"
#include "commands.h"
#include "report.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/query/fields.h>
#include <opscape/zoo/zoo.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace opscape {
namespace {

/// Everything the command line can say, and what is to be done.
struct Arguments {
    GlobalArgs global;
    InfoArgs info;
    ImportTimesArgs times;
    ZooWriteArgs zoo;
    OptimizeArgs optimize;
    SimulateArgs simulate;
    CompareArgs compare;
    RenderArgs render;
    ConvertArgs convert;
    RunsArgs runs;
    std::vector<BenchArgs> bench; ///< one per study
    TrainArgs train;
    TransferArgs transfer;
    ScalingArgs scaling;
    ModelsArgs models;
    std::string size;
    std::function<Result<int>()> action;
};

CLI::Validator oneOf(std::vector<std::string> words) {
    const std::string all = fmt::format("{}", fmt::join(words, ", "));
    const auto check = [words = std::move(words), all](const std::string& text) {
        return std::ranges::count(words, text) > 0 ? std::string() : fmt::format("\"{}\" is none of {}", text, all);
    };
    return {check, all};
}

CLI::Validator between(double least, double most) {
    const auto check = [least, most](const std::string& text) {
        double number = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool sound = read.ec == std::errc() && read.ptr == text.data() + text.size();
        return sound && number >= least && number <= most
                   ? std::string()
                   : fmt::format("\"{}\" is not a number from {} to {}", text, least, most);
    };
    return {check, fmt::format("{} to {}", least, most)};
}

/// "A graph: ONNX model, Opscape JSON; or a model of the zoo, such as zoo:rnnlm4,paper"
std::string graphHelp() {
    std::vector<std::string_view> titles;
    for (const GraphFormat& format : graphFormats())
        titles.push_back(format.title);
    return fmt::format("A graph: {}; or a model of the zoo, such as zoo:rnnlm4,paper", fmt::join(titles, ", "));
}

void addCluster(CLI::App& command, ClusterArgs& args) {
    command.add_option("--cluster", args.name,
                       "A bundled cluster or a cluster file (default: the graph's own, else " +
                           std::string(kDefaultCluster) + ")");
    command
        .add_option("--link-model", args.linkModel,
                    "How transfers share a link, in place of what the cluster file says")
        ->check(oneOf({"none", "fifo", "fair"}));
}

void addObjective(CLI::App& command, std::string& objective) {
    command
        .add_option("--objective", objective,
                    "What is to be short: the step, or the time between results of a pipeline (default: the "
                    "optimizer's own)")
        ->check(oneOf({std::string(toString(Objective::StepTime)), std::string(toString(Objective::Pipeline))}));
}

/// "fifo: in the order ...; rank: ..." and the ids, from a list of schedulers or fusers.
void addChoice(CLI::App& command, const std::string& name, std::string& value, const std::string& what,
               const auto& list) {
    std::vector<std::string> ids, lines;
    for (const auto& info : list) {
        ids.emplace_back(info.id);
        lines.push_back(fmt::format("{}: {}", info.id, info.summary));
    }
    command
        .add_option(name, value, fmt::format("{} ({}; default: as the optimizer has it)", what, fmt::join(lines, "; ")))
        ->check(oneOf(ids));
}

void addFinish(CLI::App& command, FinishArgs& args) {
    addChoice(command, "--scheduler", args.scheduler, "How ops are ordered once they are placed and fused",
              schedulers());
    addChoice(command, "--fuser", args.fuser, "Which ops are fused once they are placed", fusers());
}

void addInfo(CLI::App& app, Arguments& args) {
    CLI::App* info = addCommand(app, "info", "What is in a graph: ops, edges, work, parameters, problems");
    info->add_option("FILE", args.info.file, graphHelp())->required();
    CLI::Option* find = info->add_option(
        "--find", args.info.find,
        fmt::format("List the ops that fit instead. Words and /expressions/ are looked for in names; fields are {}; "
                    "and, or, not and brackets combine, as in: type:MatMul time>2ms not (critical or name:embed)",
                    queryFieldNames()));
    addCluster(*info, args.info.cluster);
    info->add_option("--plan", args.info.plan, "A plan, for fields that are known of a plan only, such as device")
        ->needs(find);
    for (const char* option : {"--cluster", "--link-model"})
        info->get_option(option)->needs(find);
    info->callback([&args, find] {
        const bool finds = find->count() > 0;
        args.action = [&args, finds] {
            return finds ? findCommand(args.global, args.info) : infoCommand(args.global, args.info);
        };
    });

    CLI::App* times = addCommand(app, "import-times", "Give a graph the times that its ops were measured to take");
    times->add_option("FILE", args.times.file, graphHelp())->required();
    times
        ->add_option("TIMES", args.times.times,
                     "TensorFlow StepStats or RunMetadata, a Chrome or Kineto trace (.json, .json.gz), or a table that "
                     "begins with op,device,time_us")
        ->required();
    times->add_option("-o,--output", args.times.output, "The graph with the times; as .json nothing of it is lost")
        ->required();
    times->callback([&args] { args.action = [&args] { return importTimesCommand(args.global, args.times); }; });

    CLI::App* tasks = addCommand(app, "tasks", "The decisions and optimizers there are, with their options");
    tasks->callback([&args] { args.action = [&args] { return tasksCommand(args.global); }; });

    CLI::App* clusters = addCommand(app, "clusters", "The bundled clusters");
    clusters->callback([&args] { args.action = [&args] { return clustersCommand(args.global); }; });
}

void addZoo(CLI::App& app, Arguments& args) {
    ZooWriteArgs& z = args.zoo;
    CLI::App* zoo = addCommand(app, "zoo", "Training steps of well-known networks, made by calculation");
    zoo->require_subcommand(1);
    CLI::App* list = addCommand(*zoo, "list", "The models, with their parameters");
    list->callback([&args] { args.action = [&args] { return listZooCommand(args.global); }; });
    CLI::App* write = addCommand(*zoo, "write", "Write the graph of a model to a file");
    write->add_option("MODEL", z.model, "See zoo list")->required();
    write->add_option("--preset", z.preset, "small: 500 to 3,000 ops; paper: the published size (default: small)")
        ->check(oneOf({std::begin(kZooPresets), std::end(kZooPresets)}));
    write->add_option("--set", z.settings, "A parameter of the model, name=value; may be repeated")
        ->allow_extra_args(false);
    write->add_option("-o,--output", z.output, "The graph, in the format of the extension, as convert writes it")
        ->required();
    write->callback([&args] { args.action = [&args] { return writeZooCommand(args.global, args.zoo); }; });
}

void addOptimize(CLI::App& app, Arguments& args) {
    OptimizeArgs& o = args.optimize;
    CLI::App* optimize = addCommand(app, "optimize", "Find a plan, simulate it and keep it as a run");
    optimize->add_option("FILE", o.file, graphHelp())->required();
    addCluster(*optimize, o.cluster);
    optimize->add_option("--optimizer", o.optimizer, "See the command tasks")->required();
    optimize->add_option("--set", o.options, "An option of the optimizer, name=value; may be repeated")
        ->allow_extra_args(false);
    addFinish(*optimize, o.finish);
    optimize->add_option("--seed", o.seed, "The same seed gives the same plan")
        ->check(wholeNumber())
        ->capture_default_str();
    addObjective(*optimize, o.objective);
    optimize->add_option("-o,--output", o.output, "Write the plan to this file");
    optimize->callback([&args] { args.action = [&args] { return optimizeCommand(args.global, args.optimize); }; });

    SimulateArgs& s = args.simulate;
    CLI::App* simulate = addCommand(app, "simulate", "Simulate a plan and keep it as a run");
    simulate->add_option("FILE", s.file, graphHelp())->required();
    addCluster(*simulate, s.cluster);
    simulate->add_option(
        "--plan", s.plan,
        "A plan, as optimize -o writes it (default: what the file itself says of fusion, order and devices)");
    simulate->callback([&args] { args.action = [&args] { return simulateCommand(args.global, args.simulate); }; });

    CompareArgs& c = args.compare;
    CLI::App* compare = addCommand(
        app, "compare", "Run several optimizers on one graph, or take kept runs, and show them in one table");
    compare->add_option("FILE", c.file, graphHelp() + "; not needed with --runs");
    addCluster(*compare, c.cluster);
    CLI::Option* optimizers =
        compare->add_option("--optimizers", c.optimizers, "Their names, separated by commas")->delimiter(',');
    compare->add_option("--runs", c.runs, "Kept runs of one graph in place of optimizers, separated by commas")
        ->delimiter(',')
        ->check(CLI::PositiveNumber)
        ->excludes(optimizers)
        ->excludes(compare->get_option("FILE"))
        ->excludes(compare->get_option("--cluster"))
        ->excludes(compare->get_option("--link-model"));
    addFinish(*compare, c.finish);
    compare->add_option("--seed", c.seed, "For all of them")->check(wholeNumber())->capture_default_str();
    addObjective(*compare, c.objective);
    compare
        ->add_flag("--reuse", c.reuse,
                   "Take a kept run of an optimizer on this graph, cluster and link model, with its default options, "
                   "where there is one")
        ->needs(optimizers)
        ->excludes("--scheduler")
        ->excludes("--fuser")
        ->excludes("--seed")
        ->excludes("--objective");
    compare->add_option("--report", c.report,
                        "Write a report on the first four: .html or .pdf, with tables, pictures and where it all comes "
                        "from");
    compare->callback([&args] {
        if (args.compare.runs.empty() && args.compare.file.empty())
            throw CLI::RequiredError("FILE or --runs");
        if (args.compare.runs.empty() && args.compare.optimizers.empty())
            throw CLI::RequiredError("--optimizers or --runs");
        args.action = [&args] { return compareCommand(args.global, args.compare); };
    });
}

/// What can only be checked with all of the options of `render` at hand.
void completeRender(Arguments& args) {
    RenderArgs& render = args.render;
    if (!args.size.empty()) {
        constexpr int kLeast = 16, kMost = 30000;
        const char* end = args.size.data() + args.size.size();
        const auto width = std::from_chars(args.size.data(), end, render.width);
        const bool split = width.ec == std::errc() && width.ptr < end && *width.ptr == 'x';
        const auto height = split ? std::from_chars(width.ptr + 1, end, render.height) : width;
        const auto [small, large] = std::minmax(render.width, render.height);
        if (!split || height.ec != std::errc() || height.ptr != end || small < kLeast || large > kMost)
            throw CLI::ValidationError(
                "--size", fmt::format("\"{}\" is not like 1600x900, from {} to {} pixels", args.size, kLeast, kMost));
    }
    if (render.file.empty() && render.run == 0)
        throw CLI::RequiredError("FILE or --run");
    const bool isColoured = !render.colourBy.empty() || !render.values.empty() || !render.attribute.empty();
    if (isColoured && render.what.empty() && !render.writesTable() && !render.writesTrace())
        render.what = "graph";
    if ((render.writesTable() || render.writesTrace()) && render.what == "graph")
        throw CLI::ValidationError("--output", "a table or a trace is of a schedule, not of a graph");
    if (render.what == "gantt" && render.run == 0 && render.plan.empty())
        throw CLI::RequiredError("for a gantt, --plan or --run");
}

void addRender(CLI::App& app, Arguments& args) {
    RenderArgs& r = args.render;
    CLI::App* render = addCommand(app, "render", "Draw a graph or a schedule to a file");
    render->add_option("FILE", r.file, "A graph; not needed with --run");
    addCluster(*render, r.cluster);
    CLI::Option* plan = render->add_option("--plan", r.plan, "A plan: ops are coloured by device");
    render->add_option("--run", r.run, "A kept run in place of a plan and a cluster")
        ->check(runNumber())
        ->excludes(plan)
        ->excludes(render->get_option("--cluster"))
        ->excludes(render->get_option("--link-model"));
    render->add_option("--what", r.what, "graph or gantt (default: gantt where there is a plan)")
        ->check(oneOf({"graph", "gantt"}));
    render->add_option("--size", args.size, "WIDTHxHEIGHT in pixels (default: as large as the picture needs)");
    render->add_option("--theme", r.theme, "light or dark")->capture_default_str()->check(oneOf({"light", "dark"}));
    render->add_option("--boxes", r.boxes, "Open scopes of the graph until that many boxes are seen")
        ->capture_default_str()
        ->check(wholeNumber());
    CLI::Option* by = render->add_option("--colour-by", r.colourBy, "What the colours stand for (default: device)")
                          ->check(oneOf({"device", "time", "memory", "priority", "fusion", "type"}));
    CLI::Option* values =
        render->add_option("--values", r.values, "Colour the ops by the numbers of a CSV file, one name,value a line")
            ->excludes(by);
    render->add_option("--attribute", r.attribute, "Colour the ops by one of their attributes that is a number")
        ->excludes(by)
        ->excludes(values);
    render
        ->add_option("-o,--output", r.output,
                     "The picture: .png, .svg or .pdf; a graph also as .dot; a schedule also as table, .csv, or as "
                     "Chrome trace, .json")
        ->required();
    render->callback([&args] {
        completeRender(args);
        args.action = [&args] { return renderCommand(args.global, args.render); };
    });
}

void addConvert(CLI::App& app, Arguments& args) {
    ConvertArgs& c = args.convert;
    std::vector<std::string> ids, lines;
    for (const GraphFormat& format : graphFormats()) {
        if (format.write == nullptr)
            continue;
        ids.emplace_back(format.id);
        lines.push_back(fmt::format("{} ({}, .{})", format.id, format.title, format.extensions));
    }
    CLI::App* convert = addCommand(app, "convert", "Write a graph, its plan or its schedule in another format");
    convert->add_option("FILE", c.file, graphHelp() + "; not needed with --run");
    convert->add_option("-o,--output", c.output, "The file; its extension chooses the format")->required();
    convert
        ->add_option(
            "--format", c.format,
            fmt::format("One of {} (default: the first with the extension of the file)", fmt::join(lines, ", ")))
        ->check(oneOf(ids));
    addCluster(*convert, c.cluster);
    CLI::Option* plan = convert->add_option("--plan", c.plan, "A plan: its devices, times and schedule");
    CLI::Option* run = convert->add_option("--run", c.run, "A kept run in place of a plan and a cluster")
                           ->check(runNumber())
                           ->excludes(plan)
                           ->excludes(convert->get_option("--cluster"))
                           ->excludes(convert->get_option("--link-model"));
    CLI::Option* optimizer = convert->add_option("--optimizer", c.optimizer, "Makes the plan; see the command tasks")
                                 ->excludes(plan)
                                 ->excludes(run);
    convert->add_option("--seed", c.seed, "Of the optimizer")
        ->check(wholeNumber())
        ->capture_default_str()
        ->needs(optimizer);
    convert->callback([&args] {
        if (args.convert.file.empty() && args.convert.run == 0)
            throw CLI::RequiredError("FILE or --run");
        args.action = [&args] { return convertCommand(args.global, args.convert); };
    });
}

void addRuns(CLI::App& app, Arguments& args) {
    addRunCommands(*addCommand(app, "runs", "The kept runs: find, show, tag, delete, take elsewhere, make again"),
                   args.global, args.runs, args.action);
}

void addStudy(CLI::App& bench, const StudyKind& kind, Arguments& args, BenchArgs& b) {
    b.request = kind.request;
    b.seed = kind.request.seeds.front();
    b.seeds = kind.request.seeds.size();
    CLI::App* command = addCommand(bench, kind.id, kind.summary);
    command
        ->add_option("--workloads", b.request.workloads,
                     "Models of the zoo, separated by commas (default: " +
                         fmt::format("{})", fmt::join(kind.request.workloads, ",")))
        ->delimiter(',');
    command->add_option("--preset,--presets", b.request.presets, "small, paper or both")
        ->delimiter(',')
        ->capture_default_str()
        ->check(oneOf({std::begin(kZooPresets), std::end(kZooPresets)}));
    command
        ->add_option("--methods,--optimizers", b.methods,
                     "Optimizers or what the tables know by a name, separated by commas (default: " +
                         fmt::format("{})", fmt::join(kind.request.methods, ",")))
        ->delimiter(',');
    command->add_option("--budget", b.request.budgetsS, "Seconds for each method that searches; several: one by one")
        ->delimiter(',')
        ->check(between(0.01, 86'400))
        ->capture_default_str();
    command->add_option("--seed", b.seed, "The first, and the only one of methods that do not search")
        ->check(wholeNumber())
        ->capture_default_str();
    command->add_option("--seeds", b.seeds, "How many, for each method that searches")
        ->check(wholeNumber())
        ->check(between(1, 1000))
        ->capture_default_str();
    command->add_flag("--report", b.onlyReport, "Only say what the table has; nothing is computed");
    command->add_flag("--no-runs", b.onlyTable, "Only the table: plans and curves are not kept as runs");
    command->add_option("-o,--output", b.output, "The table, as CSV; rows that it has already are not made again")
        ->required();
    command->footer("Searches run one at a time; keep the machine otherwise quiet, since they are given equal time.");
    command->callback(
        [&args, &kind, &b] { args.action = [&args, &kind, &b] { return benchStudyCommand(args.global, kind, b); }; });
}

void addBench(CLI::App& app, Arguments& args) {
    CLI::App* bench = addCommand(app, "bench", "Tables of results over many workloads; go on where they were stopped");
    bench->require_subcommand(1);
    args.bench.resize(studyKinds().size());
    for (std::size_t i = 0; i < args.bench.size(); ++i)
        addStudy(*bench, studyKinds()[i], args, args.bench[i]);
    addTransfer(*bench, args.global, args.transfer, args.action);
    addScaling(*bench, args.global, args.scaling, args.action);
    addCommand(*bench, "sanity", "Simulated steps on one device beside the throughput that others published")
        ->callback([&args] { args.action = [&args] { return benchSanityCommand(args.global); }; });
}

/// The library only says that a command is missing, or that a word was not expected: name it, and what there is.
std::string aboutCommands(const CLI::App& parent, const std::vector<std::string>& unread) {
    std::vector<std::string> names;
    for (const CLI::App* command : parent.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    const std::string there = fmt::format("the commands are {}", fmt::join(names, ", "));
    if (unread.empty())
        return "no command is given; " + there;
    return fmt::format("there is no {} \"{}\"; {}", unread[0].starts_with('-') ? "option" : "command", unread[0],
                       there);
}

/// Nor do its words on several that were not expected follow the order in which they were typed.
std::string aboutWords(const std::vector<std::string>& unread) {
    const auto option = std::ranges::find_if(unread, [](const std::string& word) { return word.starts_with('-'); });
    return option != unread.end() ? fmt::format("there is no option \"{}\" here", *option)
                                  : fmt::format("\"{}\" is one word too many", unread.front());
}

int wrongUsage(const CLI::App& app, const CLI::ParseError& error) {
    std::string what = error.what();
    what = what.substr(0, what.find('\n'));
    while (!what.empty() && what.back() == '.')
        what.pop_back();
    std::string command;
    const CLI::App* last = &app;
    while (!last->get_subcommands().empty()) {
        last = last->get_subcommands().front();
        command += " " + last->get_name();
    }
    const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
    if (code == CLI::ExitCodes::ArgumentMismatch && what.ends_with(" missing"))
        what = what.substr(0, what.find(':')) + " needs a value";
    const bool hasCommands = !last->get_subcommands([](const CLI::App*) { return true; }).empty();
    if (hasCommands && (code == CLI::ExitCodes::RequiredError || code == CLI::ExitCodes::ExtrasError))
        what = aboutCommands(*last, app.remaining(true));
    else if (code == CLI::ExitCodes::ExtrasError)
        what = aboutWords(app.remaining(true));
    printError(fmt::format("{}; see opscape-cli{} --help.", what, command));
    return kWrongUsage;
}

} // namespace

int runCli(int argc, const char* const* argv) {
    Arguments args;
    CLI::App app("Places the ops of ML computation graphs on devices, simulates the step and keeps the runs.",
                 "opscape-cli");
    app.require_subcommand(1);
    app.add_flag("--json", args.global.json, "Print JSON, for programs");
    app.add_option("--db", args.global.database,
                   "The file that runs are kept in (default: runs.sqlite in the user's data folder)")
        ->take_last();
    app.set_version_flag("--version", "opscape-cli " OPSCAPE_VERSION);
    app.footer("Exit status: 0 done, 1 it could not be done, 2 wrong usage, 3 stopped before its end (Ctrl+C, "
               "SIGTERM, runs stop), with what there was by then printed and kept.");
    addInfo(app, args);
    addZoo(app, args);
    addOptimize(app, args);
    addRender(app, args);
    addConvert(app, args);
    addRuns(app, args);
    addBench(app, args);
    addTrain(app, args.global, args.train, args.action);
    addModels(app, args.global, args.models, args.action);
    std::string typed = "opscape-cli";
    for (int i = 1; i < argc; ++i)
        typed += std::string(" ") + argv[i];
    for (BenchArgs& bench : args.bench)
        bench.typed = typed;
    args.compare.typed = typed;
    args.transfer.typed = typed;
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& wish) { // help and version
        return app.exit(wish);
    } catch (const CLI::ParseError& error) {
        return wrongUsage(app, error);
    }
    auto status = args.action();
    if (status && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0))
        status = fail("the output cannot be written: {}.", std::strerror(errno));
    if (status)
        return *status;
    printError(status.error().message);
    return kCouldNot;
}

} // namespace opscape
