// SPDX-License-Identifier: MIT
#include "cli_runs.h"

#include "cli_checks.h"
#include "service/run_filter.h"

namespace opscape {
namespace {

class RunCommands {
public:
    RunCommands(CLI::App& runs, const GlobalArgs& global, RunsArgs& args, std::function<Result<int>()>& action)
        : m_runs(runs),
          m_global(global),
          m_args(args),
          m_action(action) {}

    CLI::App* add(const char* name, const char* summary, Result<int> (*command)(const GlobalArgs&, const RunsArgs&)) {
        CLI::App* sub = addCommand(m_runs, name, summary);
        sub->callback([this, command] { act(command); });
        return sub;
    }
    void act(Result<int> (*command)(const GlobalArgs&, const RunsArgs&)) {
        m_action = [command, &global = m_global, &args = m_args] { return command(global, args); };
    }
    CLI::Option* one(CLI::App* sub) {
        // Not the list of runs itself: that would take all words that follow.
        return sub
            ->add_option_function<std::int64_t>(
                "RUN", [&runs = m_args.runs](const std::int64_t& run) { runs = {run}; }, "The number of the run")
            ->required()
            ->check(runNumber());
    }
    CLI::Option* several(CLI::App* sub) {
        return sub->add_option("RUN", m_args.runs, "The numbers of the runs")->required()->check(runNumber());
    }
    void tags(CLI::App* sub) {
        sub->add_option("--tag", m_args.tags, "A tag: a word; several: parted by commas, or said again")
            ->required()
            ->allow_extra_args(false);
    }
    void limit(CLI::App* sub) {
        sub->add_option("--limit", m_args.limit, "Show that many; 0 shows all")
            ->check(wholeNumber())
            ->capture_default_str();
    }
    void file(CLI::App* sub, const char* what) { sub->add_option("-o,--output", m_args.file, what)->required(); }
    void list(CLI::App* sub) {
        sub->add_option("FILTER", m_args.filter,
                        fmt::format("Words that are looked for in all that is said of a run; fields are {}; and, or, "
                                    "not and brackets combine, as in: graph:rnnlm 'step<4ms' date:2026-11 not died",
                                    runFieldNames()));
        limit(sub);
        sub->add_option("--sort", m_args.sort, "By one of the fields, the largest first")->capture_default_str();
        sub->add_flag("--ascending", m_args.ascending, "The smallest first");
        sub->add_flag("--csv", m_args.csv, "Print CSV, for programs: every figure of the runs, not rounded");
    }
    void again(CLI::App* sub) {
        one(sub);
        sub->add_option("--set", m_args.options, "An option to change, name=value; may be repeated")
            ->allow_extra_args(false);
        sub->add_option("--seed", m_args.seed, "Another seed")->check(wholeNumber());
    }

private:
    CLI::App& m_runs;
    const GlobalArgs& m_global;
    RunsArgs& m_args;
    std::function<Result<int>()>& m_action;
};

} // namespace

void addRunCommands(CLI::App& runs, const GlobalArgs& global, RunsArgs& args, std::function<Result<int>()>& action) {
    runs.require_subcommand(0, 1);
    const auto commands = std::make_shared<RunCommands>(runs, global, args, action); // the callbacks keep it
    commands->limit(&runs);
    commands->list(commands->add("list", "The newest first, or as --sort says", listRunsCommand));
    commands->one(commands->add("show", "All there is to say of one run", showRunCommand));
    CLI::App* plan = commands->add("plan", "Write the plan of a run to a file", planCommand);
    commands->one(plan);
    commands->file(plan, "The plan, as JSON");
    CLI::App* curve = commands->add("curve", "How a run learned, as CSV; also while it goes on", curveCommand);
    commands->one(curve);
    curve->add_option("-o,--output", args.file,
                      "Write it there: a table (.csv) or, with \"tfevents\" in the name, events for TensorBoard");
    commands->again(
        commands->add("again", "Make a run once more, with the same options and seed or with others", runAgainCommand));
    for (CLI::App* sub : {commands->add("tag", "Give runs a tag", tagCommand),
                          commands->add("untag", "Take a tag from runs", untagCommand)}) {
        commands->several(sub);
        commands->tags(sub);
    }
    CLI::App* note = commands->add("note", "Replace the notes of a run", noteCommand);
    commands->one(note);
    note->add_option("TEXT", args.note, "The notes; empty for none")->required();
    commands->several(commands->add("pin", "Keep runs on top of the list in the window", pinCommand));
    commands->several(commands->add("unpin", "Let them go from there", unpinCommand));
    commands->several(commands->add("delete", "Delete runs; for a week, bring-back undoes it", deleteRunsCommand));
    commands->several(commands->add("bring-back", "Bring deleted runs back", bringBackCommand));
    commands->add("purge", "Delete for good what was deleted", purgeCommand);
    CLI::App* toFile =
        commands->add("export", "Write runs to one file, with graph, cluster, plan and curve", exportRunsCommand);
    commands->several(toFile);
    commands->file(toFile, "The file, for runs import on any machine");
    commands->add("import", "Keep the runs of a file here", importRunsCommand)
        ->add_option("FILE", args.file, "What runs export wrote")
        ->required();
    commands->one(commands->add(
        "pause", "Hold up a run that goes on in opscape-cli or for a window; its budget of time does not go on",
        pauseRunCommand));
    commands->one(commands->add("resume",
                                "Go on with a run that is paused, or here with a training that was stopped, cut off or "
                                "killed, from its last checkpoint",
                                resumeRunCommand));
    commands->one(commands->add("stop", "End a run that goes on; its best plan so far is kept", stopRunCommand));
    runs.callback([&runs, commands] {
        if (runs.get_subcommands().empty())
            commands->act(listRunsCommand);
    });
}

} // namespace opscape
