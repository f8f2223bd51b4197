// SPDX-License-Identifier: MIT
// What a policy is trained on: graphs on clusters, made from a recipe. A part are random graphs (zoo/random_graphs.h),
// the rest networks of the zoo with varied depth, width, batch and steps. Whole families are held out, and others kept
// for validation: settings are chosen on these, never on what is held out.
//
// A recipe as a file, every key but the first optional:
//
//     {
//       "opscape_recipe": 1,
//       "families": ["all"],      // families or super-families (graph_families.h) to learn from
//       "workloads": [],          // of the zoo, as published, in the preset small, to learn from as they are
//       "hold_out": ["gnmt"],     // families or super-families to keep out
//       "validation": ["auto"],   // to keep out, too, and watch while training; "auto": one family of a super-family
//                                 // of which nothing is held out; []: none
//       "lessons": 300,           // to learn from, beside the workloads
//       "validation_lessons": 24, // of the validation families, and as many of those that are held out
//       "random_share": 0.34,     // of the lessons to learn from
//       "ops": [100, 2500],       // least and most of a graph; random ones have 140 to 2000 at most
//       "devices": [2, 16],       // least and most of a cluster
//       "seed": 1
//     }
#pragma once

#include <opscape/base/run_context.h>
#include <opscape/rl/pretrain/pretrain.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace opscape {

struct LessonRecipe {
    std::vector<std::string> families{"all"}, workloads{}, holdOut{};
    std::optional<std::vector<std::string>> validation{}; ///< none: chosen
    std::size_t lessons = 300, validationLessons = 24;
    double randomShare = .34;
    std::size_t leastOps = 100, mostOps = 2500;
    int leastDevices = 2, mostDevices = 16;
    std::uint64_t seed = 1;
    friend bool operator==(const LessonRecipe&, const LessonRecipe&) = default;
};

/// `origin` names the text in errors.
[[nodiscard]] Result<LessonRecipe> parseRecipe(std::string_view json, std::string_view origin);
[[nodiscard]] Result<LessonRecipe> loadRecipe(const std::filesystem::path& file);
/// As a file has it, with everything that was left to be chosen.
[[nodiscard]] std::string recipeText(const LessonRecipe& recipe);

struct LessonSet {
    LessonRecipe recipe; ///< families in full, validation chosen
    std::vector<rl::Lesson> training, validation, heldOut;
    std::size_t leftOut = 0; ///< lessons that were made, but fit in memory with no simple plan
    std::string hash;        ///< of all graphs, clusters and names, in order

    /// To watch while training: validation, or where there is none what is held out.
    [[nodiscard]] const std::vector<rl::Lesson>& watched() const { return validation.empty() ? heldOut : validation; }
};

/// The same recipe gives the same lessons. Fails on families that are not known, on a workload of a family that is held
/// out, where nothing is left to learn from, and when stopped.
[[nodiscard]] Result<LessonSet> makeLessons(const LessonRecipe& recipe, const RunContext& context);

} // namespace opscape
