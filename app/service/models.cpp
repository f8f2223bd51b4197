// SPDX-License-Identifier: MIT
#include "models.h"

#include <opscape/base/paths.h>
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/rl/model/identity.h>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace opscape {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Whether `go`, as it is when nobody changes its network, can begin with the model. Of a task, number and meaning of
/// its actions go by its revision.
Result<> fits(const rl::Model& model, const TaskRevisions& tasks, const fs::path& file) {
    auto network = rl::networkText(rl::NetworkOptions(), {});
    TaskRevisions revisions;
    constexpr std::string_view kTask = "task ";
    for (const auto& [name, value] : model.network) {
        if (!name.starts_with(kTask))
            continue;
        if (const auto task = tasks.find(name.substr(kTask.size())); task != tasks.end()) {
            network[name] = value;
            revisions.insert(*task);
        }
    }
    return rl::checkModel(model, network, revisions, file);
}

Json recipeOf(const rl::Model& model) {
    Json json = Json::parse(model.recipe, nullptr, false);
    return json.is_object() ? json : Json::object();
}

std::string listOf(const Json& json, const char* key) {
    std::vector<std::string> names;
    if (json.contains(key) && json[key].is_array()) {
        for (const Json& name : json[key])
            names.push_back(name.is_string() ? name.get<std::string>() : name.dump());
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Six digits of a real number.
std::string valueText(const Json& value) {
    return value.is_string()         ? value.get<std::string>()
           : value.is_number_float() ? fmt::format("{:.6g}", value.get<double>())
                                     : value.dump();
}

/// "seed 1, slots 8, rate 0.0015 to 0.0003"
std::string settingsText(const Json& settings) {
    std::vector<std::string> words;
    for (const auto& [name, value] : settings.items()) {
        std::string text = value.is_array() ? "" : valueText(value);
        if (value.is_array()) {
            for (const Json& part : value)
                text += (text.empty() ? "" : " to ") + valueText(part);
        }
        std::string title = name;
        std::ranges::replace(title, '_', ' ');
        words.push_back(fmt::format("{} {}", title, text));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

/// May throw where the recipe is not what training writes.
void addTraining(std::vector<CardLine>& card, const rl::Model& model) {
    const Json said = recipeOf(model);
    const Json recipe = said.value("recipe", Json::object()), training = said.value("training", Json::object());
    constexpr double kSecondsPerHour = 3600;
    card.push_back(
        {"Trained",
         fmt::format("{}, {}, {}", counted(model.updates, "update"), counted(model.simulations, "plan"),
                     model.seconds < kSecondsPerHour ? fmt::format("{:.0f} s", model.seconds)
                                                     : fmt::format("{:.1f} h", model.seconds / kSecondsPerHour))});
    if (const std::string on = trainedOnText(model); !on.empty())
        card.push_back({"On", on});
    const auto list = [&card, &recipe](const char* title, const char* key, const char* none) {
        if (recipe.contains(key)) {
            const std::string names = listOf(recipe, key);
            card.push_back({title, names.empty() ? none : names});
        }
    };
    list("Families", "families", "random graphs alone");
    list("Held out", "hold_out", "none");
    list("Validation", "validation", "none");
    if (recipe.contains("ops") && recipe.contains("devices"))
        card.push_back(
            {"Sizes", fmt::format("{} to {} ops on {} to {} devices", recipe["ops"][0].dump(), recipe["ops"][1].dump(),
                                  recipe["devices"][0].dump(), recipe["devices"][1].dump())});
    if (recipe.contains("random_share"))
        card.push_back({"Random graphs", fmt::format("{:.0f}%", recipe.value("random_share", 0.) * 100)});
    if (recipe.contains("seed"))
        card.push_back({"Seed of the lessons", recipe["seed"].dump()});
    if (said.contains("lessons_hash"))
        card.push_back({"Hash of the lessons", said.value("lessons_hash", std::string())});
    if (!training.empty())
        card.push_back({"Options", settingsText(training)});
}

std::string revisionsText(const rl::Model& model) {
    std::vector<std::string> tasks;
    for (const auto& [task, revision] : model.revisions)
        tasks.push_back(fmt::format("{} revision {}", task, revision));
    return fmt::format("{}", fmt::join(tasks, ", "));
}

std::string networkSizes(const rl::Model& model) {
    std::vector<std::string> sizes;
    for (const auto& [name, value] : model.network) {
        if (name != "features" && !name.starts_with("task "))
            sizes.push_back(fmt::format("{} {}", name, value));
    }
    return fmt::format("{}; {} weights", fmt::join(sizes, ", "), formatCount(std::ssize(model.parameters)));
}

double number(std::string_view text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::vector<std::string_view> cells(std::string_view line) {
    std::vector<std::string_view> all;
    while (true) {
        const std::size_t comma = line.find(',');
        all.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos)
            return all;
        line.remove_prefix(comma + 1);
    }
}

fs::path curveBeside(fs::path file) { return file.replace_extension(".curve.csv"); }

} // namespace

ModelEntry readEntry(const rl::ShelvedModel& place, const TaskRevisions& tasks) {
    ModelEntry entry;
    entry.place = place;
    entry.isDefault = place.name == rl::defaultModel();
    std::error_code ec;
    const auto bytes = fs::file_size(place.file, ec);
    entry.bytes = ec ? 0 : static_cast<std::int64_t>(bytes);
    auto model = rl::readModel(place.file);
    if (!model) {
        entry.problem = model.error().message;
        return entry;
    }
    entry.model = std::move(*model);
    entry.hash = rl::modelHash(entry.model);
    if (const auto fit = fits(entry.model, tasks, place.file); !fit)
        entry.problem = fit.error().message;
    return entry;
}

std::vector<ModelEntry> listModels(const TaskRevisions& tasks) {
    std::vector<ModelEntry> entries;
    for (const rl::ShelvedModel& place : rl::shelvedModels())
        entries.push_back(readEntry(place, tasks));
    return entries;
}

std::string heldOutText(const rl::Model& model) {
    if (model.heldOutLessons == 0)
        return "-";
    std::vector<std::string> families;
    for (const rl::JudgedLesson& lesson : model.judged) {
        if (std::ranges::count(families, lesson.family) == 0)
            families.push_back(lesson.family);
    }
    const std::string of = families.empty() ? "" : fmt::format("{}, ", fmt::join(families, ", "));
    return fmt::format("{}{}: greedy {:.3f}, best of 64 {:.3f}", of, counted(model.heldOutLessons, "lesson"),
                       model.heldOutGreedy, model.heldOutBestOf64);
}

std::string trainedOnText(const rl::Model& model) try {
    const Json said = recipeOf(model);
    const Json recipe = said.value("recipe", Json::object());
    if (!said.contains("lessons") || !recipe.contains("families"))
        return {};
    std::vector<std::string> of;
    if (const std::size_t families = recipe["families"].size(); families > 0)
        of.push_back(families == 1 ? listOf(recipe, "families") : fmt::format("{} families", families));
    if (recipe.value("random_share", 0.) > 0)
        of.emplace_back("random graphs");
    return fmt::format("{}, {}", fmt::join(of, " and "), counted(said.value("lessons", std::int64_t{0}), "lesson"));
} catch (const Json::exception&) { // a file can say anything
    return {};
}

std::vector<CardLine> cardOf(const ModelEntry& entry) {
    std::vector<CardLine> card{{"Name", entry.place.name + (entry.isDefault ? " (the default)" : "")},
                               {"File", fmt::format("{}, {}", entry.place.file.string(), formatBytes(entry.bytes))}};
    if (!entry.problem.empty())
        card.push_back({"Cannot be used", entry.problem});
    const rl::Model& model = entry.model;
    if (model.parameters.empty())
        return card;
    card.push_back({"Kept-out graphs", heldOutText(model)});
    try {
        addTraining(card, model);
    } catch (const Json::exception&) { // a file can say anything
        card.push_back({"Recipe", "cannot be read"});
    }
    const auto features = model.network.find("features");
    card.push_back({"Features", features == model.network.end() ? "-" : features->second});
    card.push_back({"Tasks", revisionsText(model)});
    card.push_back({"Network", networkSizes(model)});
    card.push_back({"Hash of the weights", entry.hash});
    card.push_back({"Made by", "Opscape " + model.version});
    return card;
}

Result<std::string> importModel(const fs::path& file, const std::string& name) {
    const auto model = rl::readModel(file);
    if (!model)
        return fail(model.error());
    const std::string its = name.empty() ? file.stem().string() : name;
    const auto target = rl::userModelFile(its);
    if (!target)
        return fail("{} Give it another name.", target.error().message);
    std::error_code ec;
    const auto bytes = readFile(file);
    if (!bytes)
        return fail(bytes.error());
    if (fs::exists(*target, ec)) {
        if (const auto there = readFile(*target); there && *there == *bytes)
            return its;
        return fail("another model is kept as {}; import this one under another name.", its);
    }
    fs::create_directories(target->parent_path(), ec); // writing there tells
    if (auto written = writeFile(*target, *bytes); !written)
        return fail(written.error());
    if (const auto curve = curveBeside(file); fs::exists(curve, ec)) {
        const auto text = readFile(curve);
        if (const auto kept = text ? writeFile(curveBeside(*target), *text) : Result<>(fail(text.error())); !kept)
            return fail(kept.error());
    }
    return its;
}

Result<> exportModel(const std::string& said, const fs::path& file) {
    const auto model = rl::findModel(said);
    if (!model)
        return fail(model.error());
    const auto bytes = readFile(model->file);
    return bytes ? writeFile(file, *bytes) : Result<>(fail(bytes.error()));
}

Result<> deleteModel(const std::string& name) {
    const auto model = rl::findModel(name);
    if (!model)
        return fail(model.error());
    if (model->isBundled())
        return fail("{} comes with Opscape and stays; choose another model as the default instead.", name);
    if (const auto file = rl::userModelFile(name); !file || *file != model->file)
        return fail("{}: is a file, not a model that is kept here; delete it where it is.", name);
    const bool wasDefault = rl::defaultModel() == name;
    std::error_code ec;
    fs::remove(model->file, ec);
    if (ec)
        return fail("{}: cannot be deleted ({}).", model->file.string(), ec.message());
    fs::remove(curveBeside(model->file), ec);
    return wasDefault ? rl::chooseDefaultModel({}) : Result<>();
}

std::vector<rl::PretrainPoint> parseTrainingCurve(std::string_view csv) {
    constexpr std::size_t kColumns = 10;
    std::vector<rl::PretrainPoint> points;
    while (!csv.empty()) {
        const std::size_t end = csv.find('\n');
        if (end == std::string_view::npos)
            break; // is being written
        const auto c = cells(csv.substr(0, end));
        csv.remove_prefix(end + 1);
        if (c.size() != kColumns || c[0].empty() || c[0][0] < '0' || c[0][0] > '9')
            continue;
        rl::PretrainPoint point{std::llround(number(c[0])),
                                number(c[1]),
                                std::llround(number(c[2])),
                                number(c[3]),
                                number(c[4]),
                                number(c[5]),
                                number(c[6]),
                                {}};
        if (!c[7].empty())
            point.heldOut = {number(c[7]), number(c[8]), static_cast<std::size_t>(number(c[9]))};
        if (!points.empty() && points.back().update == point.update) // a last look
            points.back().heldOut = point.heldOut;
        else
            points.push_back(point);
    }
    return points;
}

std::vector<rl::PretrainPoint> curveOf(const ModelEntry& entry) {
    if (entry.model.curve.size() > 1)
        return entry.model.curve;
    const fs::path beside = curveBeside(entry.place.file);
    std::error_code ec;
    if (!fs::exists(beside, ec))
        return {};
    return parseTrainingCurve(readFile(beside).value_or(""));
}

} // namespace opscape
