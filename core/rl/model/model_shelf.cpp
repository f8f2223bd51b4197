// SPDX-License-Identifier: MIT
#include <opscape/base/paths.h>
#include <opscape/rl/model/model.h>
#include <opscape/rl/model/model_shelf.h>

#include <fmt/ranges.h>

#include <algorithm>

namespace opscape::rl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBundled = "bundled/";
constexpr std::string_view kShipped = "bundled/default";
constexpr std::size_t kLongestName = 64;

/// A text file with a name, beside a person's models.
fs::path choiceFile() { return userModelFolder() / "default"; }

bool isName(std::string_view name) {
    const auto isFit = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
               c == '-';
    };
    return !name.empty() && name.size() <= kLongestName && name.front() != '.' && name.front() != '-' &&
           std::ranges::all_of(name, isFit) && name != kNoModel && name != kDefaultModel;
}

void add(std::vector<ShelvedModel>& models, const fs::path& folder, std::string_view prefix) {
    std::vector<ShelvedModel> found;
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(folder, ec)) {
        if (entry.path().extension() == kModelExtension && entry.is_regular_file(ec))
            found.push_back({std::string(prefix) + entry.path().stem().string(), entry.path()});
    }
    std::ranges::sort(found, {}, &ShelvedModel::name);
    std::ranges::move(found, std::back_inserter(models));
}

} // namespace

bool ShelvedModel::isBundled() const { return name.starts_with(kBundled); }

fs::path userModelFolder() { return userDataFolder() / "models"; }

Result<fs::path> userModelFile(std::string_view name) {
    if (!isName(name))
        return fail("\"{}\" is no name for a model; take letters, digits, '.', '_' and '-', at most {}, and not {} or "
                    "{}.",
                    name, kLongestName, kDefaultModel, kNoModel);
    return userModelFolder() / (std::string(name) + std::string(kModelExtension));
}

std::vector<ShelvedModel> shelvedModels() {
    std::vector<ShelvedModel> models;
    add(models, dataFolder() / "models", kBundled);
    add(models, userModelFolder(), {});
    return models;
}

Result<ShelvedModel> findModel(std::string_view said) {
    const std::string name = said == kDefaultModel ? defaultModel() : std::string(said);
    if (name == kNoModel)
        return fail("no model is the default; choose one with opscape-cli models default NAME.");
    std::vector<std::string> names;
    for (ShelvedModel& model : shelvedModels()) {
        if (model.name == name)
            return std::move(model);
        names.push_back(std::move(model.name));
    }
    std::error_code ec;
    if (said != kDefaultModel && fs::exists(name, ec))
        return ShelvedModel{name, name};
    return fail("there is no model {}, nor a file of that name; there is {}.", name,
                names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", ")));
}

std::string defaultModel() {
    std::error_code ec;
    if (fs::exists(choiceFile(), ec)) {
        std::string chosen = readFile(choiceFile()).value_or("");
        chosen.erase(std::ranges::find(chosen, '\n'), chosen.end());
        if (isName(chosen) || chosen.starts_with(kBundled) || chosen == kNoModel)
            return chosen;
    }
    const auto models = shelvedModels();
    return std::string(std::ranges::count(models, kShipped, &ShelvedModel::name) > 0 ? kShipped : kNoModel);
}

fs::path defaultModelFile() {
    const std::string name = defaultModel();
    if (name == kNoModel)
        return {};
    for (ShelvedModel& model : shelvedModels()) {
        if (model.name == name)
            return std::move(model.file);
    }
    return userModelFolder() / (name + std::string(kModelExtension));
}

Result<> chooseDefaultModel(std::string_view name) {
    std::error_code ec;
    if (name.empty()) {
        fs::remove(choiceFile(), ec);
        return {};
    }
    if (name != kNoModel) {
        const auto models = shelvedModels();
        if (std::ranges::count(models, name, &ShelvedModel::name) == 0)
            return fail("there is no model {} to be the default; import it first.", name);
    }
    fs::create_directories(userModelFolder(), ec); // writing there tells
    return writeFile(choiceFile(), std::string(name) + "\n");
}

} // namespace opscape::rl
