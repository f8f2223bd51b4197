// SPDX-License-Identifier: MIT
#include "commands.h"
#include "interrupt.h"
#include "progress_line.h"
#include "report.h"
#include "service/run_again.h"
#include "service/run_file.h"

#include <charconv>

namespace opscape {
namespace {

std::filesystem::path databaseOf(const GlobalArgs& global) {
    return global.database.empty() ? RunStore::defaultFile() : global.database;
}

} // namespace

Result<int> exportRunsCommand(const GlobalArgs& global, const RunsArgs& args) {
    const auto bytes = exportRuns(databaseOf(global), args.runs, args.file);
    if (!bytes)
        return fail(bytes.error());
    if (global.json)
        printJson({{"runs", args.runs}, {"file", args.file.string()}, {"bytes", *bytes}});
    else
        fmt::print("{} {} in {}.\n", args.runs.size(), args.runs.size() == 1 ? "run is" : "runs are",
                   args.file.string());
    return kFine;
}

Result<int> importRunsCommand(const GlobalArgs& global, const RunsArgs& args) {
    const auto runs = importRuns(databaseOf(global), args.file);
    if (!runs)
        return fail(runs.error());
    if (!global.json) {
        fmt::print("{}\n", importReport(*runs));
        return kFine;
    }
    Json json{{"runs", Json::array()}};
    for (const BundledRun& run : *runs)
        json["runs"].push_back({{"run_id", run.id}, {"known", run.known}, {"was_deleted", run.wasInBin}});
    printJson(json);
    return kFine;
}

Result<int> runAgainCommand(const GlobalArgs& global, const RunsArgs& args) {
    const Interrupt interrupt;
    const Workbench workbench(global.database);
    auto again = runAgain(workbench, args.run());
    if (!again)
        return fail(again.error());
    OptimizeRequest& request = again->request;
    for (const std::string& pair : args.options) {
        const std::size_t sign = pair.find('=');
        if (sign == std::string::npos || sign == 0) {
            printError(fmt::format("an option is name=value, not \"{}\".", pair));
            return kWrongUsage;
        }
        request.options[pair.substr(0, sign)] = pair.substr(sign + 1);
    }
    if (!args.seed.empty()) {
        const char* end = args.seed.data() + args.seed.size();
        if (std::from_chars(args.seed.data(), end, request.seed).ec != std::errc()) {
            printError(fmt::format("the seed {} is larger than 64 bits.", args.seed));
            return kWrongUsage;
        }
    }
    ProgressLine line(request.optimizer);
    RunContext context;
    context.stop = interrupt.token();
    context.progress = [&line](const Progress& progress) { line.show(progress); };
    const auto outcome = workbench.optimize(again->opened, again->cluster, request, context);
    line.clear();
    if (!outcome)
        return fail(outcome.error());
    if (interrupt.stopped())
        printError("stopped; this is the best plan so far.");
    warnIfNotKept(*outcome);
    if (global.json)
        printJson(outcomeJson(*outcome));
    else
        fmt::print("{}", outcomeText(*outcome, ""));
    return kFine;
}

} // namespace opscape
