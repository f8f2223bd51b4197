// SPDX-License-Identifier: MIT
// A policy that was trained before, to be used on other graphs: its weights, what they fit, and its card: how it was
// trained and what it reached on graphs that it had not seen.
#pragma once

#include <opscape/base/result.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace opscape::rl {

struct Model {
    std::string version;                        ///< of the product
    std::map<std::string, std::string> network; ///< what number and meaning of the weights depend on
    std::map<std::string, int> revisions;       ///< of the decision tasks, by id
    std::string recipe;                         ///< JSON: what it was trained on and how, seeds, hash of the lessons
    std::int64_t updates = 0, simulations = 0;
    double seconds = 0;
    std::int64_t heldOutLessons = 0; ///< 0: it was not looked at
    double heldOutGreedy = 0, heldOutBestOf64 = 0;
    std::vector<float> parameters;
};

[[nodiscard]] Result<> writeModel(const Model& model, const std::filesystem::path& file);
/// The error says whether the file is not a model, of another version, or damaged.
[[nodiscard]] Result<Model> readModel(const std::filesystem::path& file);
/// Of the weights: the same for the same policy, whatever its card says.
[[nodiscard]] std::string modelHash(const Model& model);

/// Fails with a sentence that names what does not match: network, tasks or revisions of tasks.
[[nodiscard]] Result<> checkModel(const Model& model, const std::map<std::string, std::string>& network,
                                  const std::map<std::string, int>& revisions, const std::filesystem::path& file);

} // namespace opscape::rl
