// SPDX-License-Identifier: MIT
// Runs that go on, and that are to go on: pause, resume, stop.
#include "commands.h"
#include "interrupt.h"
#include "progress_line.h"
#include "report.h"
#include "service/run_control.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>

#include <unistd.h>

#include <fstream>

namespace opscape {
namespace {

Result<int> ask(const GlobalArgs& global, std::int64_t run, RunWish wish, const char* word) {
    const auto store = RunStore::open(global.database.empty() ? RunStore::defaultFile() : global.database);
    if (!store)
        return fail(store.error());
    if (auto asked = askRun(*store, run, wish); !asked)
        return fail(asked.error());
    if (global.json)
        printJson({{"run_id", run}, {"asked", word}});
    else
        printText(fmt::format("Run {} was asked to {}.\n", run, word));
    return kFine;
}

} // namespace

void sayResumed(const Resumed& resumed, const std::string& from) {
    const std::string best = resumed.bestNs < 0 ? "" : fmt::format(", best {}", formatTime(resumed.bestNs));
    printError(resumed.onlyNetwork
                   ? fmt::format("{}: is about another graph, cluster or start plan; only the network is taken.", from)
                   : fmt::format("goes on after {}, {} and {:.1f} s{}, from {}.", counted(resumed.updates, "update"),
                                 counted(resumed.simulations, "plan"), resumed.seconds, best, from));
}

Result<int> pauseRunCommand(const GlobalArgs& global, const RunsArgs& args) {
    return ask(global, args.run(), RunWish::Pause, "pause");
}

Result<int> stopRunCommand(const GlobalArgs& global, const RunsArgs& args) {
    return ask(global, args.run(), RunWish::Stop, "stop");
}

Result<int> resumeRunCommand(const GlobalArgs& global, const RunsArgs& args) {
    const Interrupt interrupt;
    const Workbench workbench(global.database);
    const auto store = workbench.openStore();
    if (!store)
        return fail(store.error());
    const auto process = store->process(args.run());
    const auto progress = store->progress(args.run());
    if (!process || !progress)
        return fail(process ? progress.error() : process.error());
    if (*process != 0 && *process != ::getppid()) {
        if (!progress->paused)
            return fail("run {} is not paused; it goes on in process {}.", args.run(), *process);
        return ask(global, args.run(), RunWish::Resume, "go on");
    }
    if (*process != 0) // handed over: for want of memory the system ends this process rather than that of the window
        std::ofstream("/proc/self/oom_score_adj") << 300;
    ProgressLine line(fmt::format("run {}", args.run()));
    RunContext context;
    context.stop = interrupt.token();
    context.pause = interrupt.pause();
    context.progress = [&line](const Progress& now) { line.show(now); };
    context.resumed = [&](const Resumed& resumed) {
        line.clear();
        sayResumed(resumed, "its checkpoint");
    };
    const auto outcome = workbench.resume(args.run(), context);
    line.clear();
    if (!outcome)
        return interrupt.failed(outcome.error());
    const bool isCancelled = outcome->run.status == RunStatus::Cancelled;
    if (isCancelled)
        printError("stopped; this is the best plan so far.");
    warnIfNotKept(*outcome);
    if (global.json)
        printJson(outcomeJson(*outcome));
    else
        printText(outcomeText(*outcome, ""));
    return isCancelled ? kStopped : kFine;
}

} // namespace opscape
