// SPDX-License-Identifier: MIT
// A policy that was trained before, to be used on other graphs: its weights, what they fit, and its card: how it was
// trained, how it learned, and what it reached on graphs that it had not seen.
#pragma once

#include <opscape/base/result.h>
#include <opscape/rl/pretrain/pretrain.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace opscape::rl {

inline constexpr std::string_view kModelExtension = ".opscape-model";

/// What the policy does on a lesson that it was not trained on. Step times, ns, with the penalty of a plan that does
/// not fit in memory.
struct JudgedLesson {
    std::string graph, cluster; ///< "gnmt layers=3 steps=12", "4 x p100"
    std::string family;
    std::int64_t ops = 0;
    std::int64_t greedyNs = 0, bestOf64Ns = 0, simpleNs = 0; ///< of the best simple plan
    friend bool operator==(const JudgedLesson&, const JudgedLesson&) = default;
};

struct Model {
    std::string version;                        ///< of the product
    std::map<std::string, std::string> network; ///< what number and meaning of the weights depend on
    std::map<std::string, int> revisions;       ///< of the decision tasks, by id
    std::string recipe;                         ///< JSON: what it was trained on and how, seeds, hash of the lessons
    std::int64_t updates = 0, simulations = 0;
    double seconds = 0;
    std::int64_t heldOutLessons = 0; ///< 0: it was not looked at
    double heldOutGreedy = 0, heldOutBestOf64 = 0;
    std::vector<JudgedLesson> judged; ///< the lessons one by one; none in files of the first format
    std::vector<PretrainPoint> curve; ///< thinned out; none in files of the first format
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
