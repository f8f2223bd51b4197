// SPDX-License-Identifier: MIT
// HDP: placement by a hierarchy of two networks, learned by REINFORCE on this one graph (Mirhoseini et al., "A
// Hierarchical Model for Device Placement", ICLR 2018). What GO is measured against, so it is kept as it was published;
// what differs is said in hdp.cpp. Called through rl::Engine (engine.h), like train().
#pragma once

#include <opscape/base/run_context.h>
#include <opscape/plan/problem.h>
#include <opscape/search/search_run.h>

#include <filesystem>

namespace opscape::rl {

struct HdpOptions {
    SearchBudget budget{0, 10};
    std::int64_t updates = 0; ///< the end after so many, and time does not count; 0: by the budget
    int batch = 1;            ///< plans per update
    int groups = 0;           ///< at most; 0: min(256, 20 x devices). Never more than there are units
    int grouperHidden = 64;
    int hidden = 512; ///< of the decoder, the attention and both directions of the encoder together; even
    double learningRate = 1e-4;
    double gradientClip = 1;
    double baselineDecay = .9;
    double failureSeconds = 100;     ///< what a plan counts that runs out of memory or cannot run
    double noise = .5;               ///< standard deviation of the noise on logits, beside their root mean square
    std::int64_t noiseUpdates = 750; ///< at first
    double bound = 5;                ///< logits of devices are bound * tanh(logit / bound)
    bool doublePrecision = false;    ///< for checks of gradients
    std::filesystem::path save;      ///< the training is kept there as it goes on; empty: nowhere
    std::filesystem::path load;      ///< and gone on with from there; empty: it begins
};

/// The best plan that was drawn. Devices only; ops are queued by upward rank unless the problem leaves scheduling as it
/// is. Pins and colocation are kept. Stops within 200 ms when asked to. With a budget by simulations or updates the
/// same seed gives the same plan, also where it was cut off and went on from the file that was kept.
[[nodiscard]] Result<Plan> trainHdp(const Problem& problem, const HdpOptions& options, const RunContext& context);

} // namespace opscape::rl
