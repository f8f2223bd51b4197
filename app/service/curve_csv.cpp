// SPDX-License-Identifier: MIT
#include "curve_csv.h"

#include "run_table.h"

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

} // namespace opscape
