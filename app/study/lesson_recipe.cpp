// SPDX-License-Identifier: MIT
// The file format of a recipe.
#include "lesson_set.h"

#include <opscape/base/paths.h>
#include <opscape/device/json_checks.h>

namespace opscape {
namespace {

using namespace json;

constexpr const char* kRoot = "the recipe";
constexpr const char* kAuto = "auto";
constexpr std::int64_t kMostLessons = 100'000, kMostOps = 100'000, kMostDevices = 256;

std::vector<std::string> names(const Json& root, const char* key, std::vector<std::string> otherwise) {
    if (!root.contains(key))
        return otherwise;
    std::vector<std::string> found;
    for (const Json& entry : array(root, kRoot, key)) {
        if (!entry.is_string())
            bad("{} must be a list of names", key);
        found.push_back(entry);
    }
    return found;
}

std::int64_t count(const Json& root, const char* key, std::int64_t otherwise, std::int64_t most) {
    const std::int64_t value = root.contains(key) ? whole(root, kRoot, key, 0) : otherwise;
    if (value > most)
        bad("{} is {}; at most {} are possible", key, value, most);
    return value;
}

/// [least, most]
std::pair<std::int64_t, std::int64_t> bounds(const Json& root, const char* key,
                                             std::pair<std::int64_t, std::int64_t> otherwise, std::int64_t most) {
    if (!root.contains(key))
        return otherwise;
    const Json& pair = array(root, kRoot, key);
    if (pair.size() != 2 || !pair[0].is_number_integer() || !pair[1].is_number_integer())
        bad("{} must be [least, most] in whole numbers", key);
    const std::pair<std::int64_t, std::int64_t> found{pair[0], pair[1]};
    if (found.first < 1 || found.second < found.first || found.second > most)
        bad("{} must be [least, most] with 1 <= least <= most <= {}", key, most);
    return found;
}

LessonRecipe read(const Json& root) {
    knownKeys(root, kRoot,
              {"opscape_recipe", "families", "workloads", "hold_out", "validation", "lessons", "validation_lessons",
               "random_share", "ops", "devices", "seed"});
    if (whole(root, kRoot, "opscape_recipe", 1) != 1)
        bad("opscape_recipe is not 1; the file is of a newer version of the product");
    LessonRecipe recipe;
    recipe.families = names(root, "families", recipe.families);
    recipe.workloads = names(root, "workloads", {});
    recipe.holdOut = names(root, "hold_out", {});
    if (auto validation = names(root, "validation", {kAuto}); validation != std::vector<std::string>{kAuto})
        recipe.validation = std::move(validation);
    const auto asCount = [&root](const char* key, std::size_t otherwise) {
        return static_cast<std::size_t>(count(root, key, static_cast<std::int64_t>(otherwise), kMostLessons));
    };
    recipe.lessons = asCount("lessons", recipe.lessons);
    recipe.validationLessons = asCount("validation_lessons", recipe.validationLessons);
    if (root.contains("random_share"))
        recipe.randomShare = number(root, kRoot, "random_share", 0);
    if (recipe.randomShare > 1)
        bad("random_share must be between 0 and 1");
    const auto [leastOps, mostOps] = bounds(
        root, "ops", {static_cast<std::int64_t>(recipe.leastOps), static_cast<std::int64_t>(recipe.mostOps)}, kMostOps);
    const auto [leastDevices, mostDevices] =
        bounds(root, "devices", {recipe.leastDevices, recipe.mostDevices}, kMostDevices);
    recipe.leastOps = static_cast<std::size_t>(leastOps);
    recipe.mostOps = static_cast<std::size_t>(mostOps);
    recipe.leastDevices = static_cast<int>(leastDevices);
    recipe.mostDevices = static_cast<int>(mostDevices);
    if (recipe.leastDevices < 2)
        bad("devices must be at least 2, since on one there is nothing to place");
    if (root.contains("seed"))
        recipe.seed = static_cast<std::uint64_t>(whole(root, kRoot, "seed", 0));
    return recipe;
}

} // namespace

Result<LessonRecipe> parseRecipe(std::string_view json, std::string_view origin) {
    try {
        return read(parseUnique(json));
    } catch (const BadJson& error) {
        return fail("{}: {}.", origin, error.what());
    } catch (const Json::parse_error& error) {
        return fail("{}: not valid JSON at byte {}.", origin, error.byte);
    } catch (const Json::out_of_range&) {
        return fail("{}: a number in it is too large.", origin);
    }
}

Result<LessonRecipe> loadRecipe(const std::filesystem::path& file) {
    const auto text = readFile(file);
    if (!text)
        return fail(text.error());
    return parseRecipe(*text, file.string());
}

std::string recipeText(const LessonRecipe& recipe) {
    nlohmann::ordered_json json{{"opscape_recipe", 1},
                                {"families", recipe.families},
                                {"workloads", recipe.workloads},
                                {"hold_out", recipe.holdOut},
                                {"validation", recipe.validation.value_or(std::vector<std::string>{kAuto})},
                                {"lessons", recipe.lessons},
                                {"validation_lessons", recipe.validationLessons},
                                {"random_share", recipe.randomShare},
                                {"ops", {recipe.leastOps, recipe.mostOps}},
                                {"devices", {recipe.leastDevices, recipe.mostDevices}},
                                {"seed", recipe.seed}};
    return json.dump(2) + "\n";
}

} // namespace opscape
