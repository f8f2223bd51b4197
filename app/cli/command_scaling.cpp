// SPDX-License-Identifier: MIT
#include "command_train.h"
#include "interrupt.h"
#include "progress_line.h"
#include "report.h"
#include "study/result_table.h"
#include "table.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>

#include <cmath>
#include <optional>

namespace opscape {
namespace {

std::string milliseconds(double seconds) { return formatTime(std::llround(seconds * 1e9)); }

std::string scalingText(const ScalingRequest& request, const Scaling& scaling) {
    Table table({{"processes", true},
                 {"update, measured", true},
                 {"as modelled", true},
                 {"sums in it", true},
                 {"plans a second", true},
                 {"to one process", true},
                 {"of ideal", true}});
    const auto plansPerS = [&scaling](const ScalingRow& row) {
        return scaling.samples * row.processes / row.measuredS.value_or(row.modelS);
    };
    const double one = plansPerS(scaling.rows.front());
    for (const ScalingRow& row : scaling.rows) {
        const double times = plansPerS(row) / one;
        table.row({fmt::format("{}", row.processes), row.measuredS ? milliseconds(*row.measuredS) : "-",
                   milliseconds(row.modelS), milliseconds(row.sumS), fmt::format("{:.0f}", plansPerS(row)),
                   fmt::format("{:.2f}", times), fmt::format("{:.0f}%", 100 * times / row.processes)});
    }
    return fmt::format(
        "Each process has one lesson of every update, {} plans; {} updates, {}\n"
        "An update of one process takes {} in the mean; {} weights are summed {} times, {} each\n"
        "Where none is measured: the slowest of as many lessons, and sums in a ring over links of {} and "
        "{:.0f} us\n{}",
        scaling.samples, formatCount(request.training.options.updates), provenanceOf({}).machine,
        milliseconds(scaling.lessonS), formatCount(scaling.weights), scaling.epochs, formatBytes(4 * scaling.weights),
        formatBytes(std::llround(request.bytesPerS)) + "/s", request.latencyS * 1e6, table.text(2));
}

Json scalingJson(const Scaling& scaling) {
    Json rows = Json::array();
    for (const ScalingRow& row : scaling.rows) {
        rows.push_back({{"processes", row.processes}, {"model_s", row.modelS}, {"sums_s", row.sumS}});
        if (row.measuredS)
            rows.back()["measured_s"] = *row.measuredS;
    }
    return {{"weights", scaling.weights},
            {"samples", scaling.samples},
            {"epochs", scaling.epochs},
            {"lesson_s", scaling.lessonS},
            {"rows", rows}};
}

} // namespace

Result<int> benchScalingCommand(const GlobalArgs& global, const ScalingArgs& args) {
    const Interrupt interrupt;
    const Workbench workbench(global.database);
    std::optional<ProgressLine> line;
    const auto scaling = measureScaling(
        workbench.registry(), args.request, [&line](const std::string& what) { line.emplace(what); },
        interrupt.token());
    line.reset();
    if (!scaling)
        return interrupt.failed(scaling.error());
    if (global.json)
        printJson(scalingJson(*scaling));
    else
        printText(scalingText(args.request, *scaling));
    return kFine;
}

} // namespace opscape
