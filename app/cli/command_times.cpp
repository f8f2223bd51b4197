// SPDX-License-Identifier: MIT
#include "commands.h"
#include "report.h"
#include "service/times_import.h"

#include <opscape/io/format.h>

namespace opscape {

Result<int> importTimesCommand(const GlobalArgs& global, const ImportTimesArgs& args) {
    if (auto sound = checkOutput(args.output); !sound)
        return fail(sound.error());
    const auto opened = Workbench::openGraph(args.file);
    if (!opened)
        return fail(opened.error());
    const auto imported = importTimes(**opened, args.times);
    if (!imported)
        return fail(imported.error());
    const auto lost = writeGraph(*imported->opened->graph, args.output);
    if (!lost)
        return fail(lost.error());
    Diagnostics problems = imported->opened->diagnostics;
    problems.merge(*lost);
    if (global.json)
        printJson({{"said", imported->sentence},
                   {"output", args.output.string()},
                   {"problems", problemsJson(problems)}});
    else
        printText(fmt::format("{}\nWritten to {}\n{}", imported->sentence, args.output.string(),
                              problemsText(problems)));
    return kFine;
}

} // namespace opscape
