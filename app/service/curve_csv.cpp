// SPDX-License-Identifier: MIT
#include "curve_csv.h"

#include <opscape/base/paths.h>
#include <opscape/io/text.h>
#include <opscape/io/write/tensorboard_writer.h>

#include <cmath>

namespace opscape {
namespace {

/// Empty where it is not a number.
std::string known(double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); }

} // namespace

std::string curveCsv(const RunCurve& curve) {
    std::string text =
        "update,seconds,simulations,reward,best_ns,entropy,kl,clip_fraction,value_baseline,policy_loss,imitation_loss";
    std::string tail;
    for (const NamedTime& baseline : curve.baselines) {
        text += "," + csvField("baseline_ns " + baseline.name);
        tail += fmt::format(",{}", baseline.ns);
    }
    text += '\n';
    for (const CurvePoint& p : curve.points)
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}{}\n", p.update, p.seconds, p.simulations, p.reward,
                            p.bestNs < 0 ? std::string() : std::to_string(p.bestNs), p.entropy, p.kl, p.clipFraction,
                            p.valueBaseline, known(p.policyLoss), known(p.imitationLoss), tail);
    return text;
}

Result<> writeCurve(const RunStore& store, std::int64_t run, const std::filesystem::path& file) {
    const bool isEvents = file.filename().string().find("tfevents") != std::string::npos;
    if (!isEvents && file.extension() != ".csv")
        return fail("{}: a curve is written as table (.csv) or, where \"tfevents\" is in the name, for TensorBoard; name "
                    "the file so.",
                    file.string());
    const auto curve = store.curve(run);
    if (!curve)
        return fail(curve.error());
    if (!isEvents)
        return writeFile(file, curveCsv(*curve));
    const auto record = store.get(run);
    if (!record)
        return fail(record.error());
    return writeFile(file, writeTensorBoard(curve->points, curve->baselines, record->startedMs));
}

} // namespace opscape
