// SPDX-License-Identifier: MIT
#include "commands.h"
#include "report.h"
#include "service/times_import.h"

#include <opscape/io/opscape_json.h>

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
    if (auto written = writeGraph(*imported->opened->graph, args.output); !written)
        return fail(written.error());
    if (global.json)
        printJson({{"said", imported->sentence},
                   {"output", args.output.string()},
                   {"problems", problemsJson(imported->opened->diagnostics)}});
    else
        printText(fmt::format("{}\nWritten to {}\n{}", imported->sentence, args.output.string(),
                              problemsText(imported->opened->diagnostics)));
    return kFine;
}

} // namespace opscape
