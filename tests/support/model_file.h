// SPDX-License-Identifier: MIT
// A model as training writes it, without the training: with the network and the tasks that `go` has by default.
#pragma once

#include <opscape/rl/features/decision_graph.h>
#include <opscape/rl/model/identity.h>
#include <opscape/rl/model/model.h>

namespace opscape::test {

/// Revisions as in the registry of the test.
inline rl::Model sampleModel(const std::map<std::string, int>& revisions) {
    rl::Model model;
    model.version = "1.2.3";
    model.network = rl::networkText(rl::NetworkOptions(), {});
    for (const auto& [task, revision] : revisions)
        model.network["task " + task] = "0 actions, 9 features";
    model.revisions = revisions;
    model.recipe = R"({"lessons_hash": "0d5df716", "lessons": 300, "left_out": 0,
        "recipe": {"families": ["rnnlm", "gnmt"], "hold_out": ["vgg"], "validation": ["gpt2"], "random_share": 0.34,
                   "ops": [100, 2500], "devices": [2, 16], "seed": 1},
        "training": {"seed": 7, "slots": 4, "rate": [0.0015, 0.0003], "draw": "family"}})";
    model.updates = 4968;
    model.simulations = 635'904;
    model.seconds = 5000;
    model.heldOutLessons = 2;
    model.heldOutGreedy = 1.153;
    model.heldOutBestOf64 = 0.95;
    model.judged = {{"gpt2 layers=3", "4 x p100", "gpt2", 812, 2'306'000, 1'900'000, 2'000'000},
                    {"gpt2 layers=5", "2 x v100", "gpt2", 1204, 5'000'000, 4'750'000, 5'000'000}};
    for (std::int64_t update = 1; update <= 40; ++update) {
        model.curve.push_back({.update = update,
                               .seconds = 2. * static_cast<double>(update),
                               .reward = -1.5 + .01 * static_cast<double>(update)});
        if (update % 10 == 0)
            model.curve.back().heldOut = rl::HeldOut{1.4 - .01 * static_cast<double>(update), 1.1, 2};
    }
    model.parameters = {.5F, -1, 2};
    return model;
}

} // namespace opscape::test
