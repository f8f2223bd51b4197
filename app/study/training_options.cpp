// SPDX-License-Identifier: MIT
#include "training_options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace opscape {
namespace {

constexpr double kSecondsPerHour = 3600;

constexpr std::array kLists{
    TrainingList{"set", "What to learn from: all, families or super-families of the zoo, or a recipe file (JSON)",
                 true},
    TrainingList{"hold-out", "Families or super-families to keep out"},
    TrainingList{"validation", "Families to keep out and watch, to choose settings by; none: learn from all (default: "
                               "one of a super-family of which nothing is held out)"},
};

std::vector<std::string> protocolNames() {
    std::vector<std::string> names{std::string(kNoProtocol)};
    for (const Protocol& protocol : protocols())
        names.emplace_back(protocol.name);
    return names;
}

/// "go-batch: ...; go-generalization+finetune: ..."
std::string protocolsHelp() {
    std::vector<std::string> lines;
    for (const Protocol& protocol : protocols())
        lines.push_back(fmt::format("{}: {}", protocol.name, protocol.summary));
    return fmt::format("{}", fmt::join(lines, "; "));
}

std::vector<OptionSpec> declared() {
    const rl::PretrainOptions defaults;
    std::vector<OptionSpec> specs;
    std::string group = "Length";
    const auto add = [&](OptionSpec spec) { specs.push_back(std::move(spec).in(group)); };
    add(OptionSpec::real("hours", "How long to learn, over all sessions. 0: by updates.", 0, 0, 1e4, "h"));
    add(OptionSpec::integer("updates", "How many updates, in place of hours. 0: by hours.", 0, 0, 1'000'000'000));
    add(OptionSpec::integer("seed", "Of the training, and of the lessons unless a recipe has its own.", 1, 0,
                            std::int64_t{1} << 53));
    group = "Lessons";
    add(OptionSpec::integer("lessons", "How many graphs on clusters to learn from.",
                            static_cast<std::int64_t>(LessonRecipe().lessons), 0, 100'000));
    add(OptionSpec::choice("protocol",
                           "Sets lessons, draw and curriculum as GO was published. " + protocolsHelp() + ".",
                           std::string(kNoProtocol), protocolNames()));
    std::vector<std::string> draws;
    for (const auto draw : {rl::LessonDraw::ByFamily, rl::LessonDraw::Uniform, rl::LessonDraw::InTurn})
        draws.emplace_back(toString(draw));
    add(OptionSpec::choice("draw",
                           "How a lesson is drawn: family: first a family, each alike; uniform: each lesson alike; "
                           "in-turn: one after the other.",
                           std::string(toString(defaults.draw)), draws));
    add(OptionSpec::real("curriculum",
                         "Share of the training over which larger lessons join, smallest first; 0: all at once.",
                         defaults.curriculum, 0, 1));
    group = "Learning";
    add(OptionSpec::integer("slots", "Lessons of an update; several processes share them.", defaults.slots, 1, 1024));
    add(OptionSpec::integer("samples", "Plans per lesson and update.", defaults.samples, 1, 10'000));
    add(OptionSpec::real("rate", "Learning rate, falling to a fifth.", defaults.learningRate, 0, 1));
    add(OptionSpec::integer("hidden", "Width of the network.", defaults.network.hidden, 8, 1024));
    add(OptionSpec::flag("sage", "Embed the graph around every group (GraphSAGE).", defaults.network.sage));
    add(OptionSpec::integer("threads", "Threads for simulations; the result is the same for any number.", 1, 1, 256));
    add(OptionSpec::real("evaluate-every", "Between looks at what is kept out.", defaults.evaluateEvery, .1, 1e6, "s"));
    return specs;
}

/// A recipe file, or families.
Result<LessonRecipe> recipeOf(const TrainingWords& words, const Options& options) {
    const auto list = [&words](const char* name) {
        const auto said = words.find(name);
        return said == words.end() ? std::vector<std::string>() : partsOf(said->second);
    };
    const std::vector<std::string> set = list("set"), holdOut = list("hold-out"), validation = list("validation");
    if (set.empty())
        return fail("nothing is named to learn from; name families, or all.");
    std::error_code ec;
    LessonRecipe recipe;
    if (set.size() == 1 && (set[0].ends_with(".json") || std::filesystem::is_regular_file(set[0], ec))) {
        auto loaded = loadRecipe(set[0]);
        if (!loaded)
            return loaded;
        recipe = std::move(*loaded);
    } else {
        recipe.families = set;
        recipe.seed = static_cast<std::uint64_t>(options.integer("seed"));
    }
    if (!holdOut.empty())
        recipe.holdOut = holdOut;
    if (validation == std::vector<std::string>{"none"})
        recipe.validation.emplace();
    else if (!validation.empty())
        recipe.validation = validation;
    return recipe;
}

} // namespace

std::span<const TrainingList> trainingLists() { return kLists; }

const std::vector<OptionSpec>& trainingOptions() {
    static const std::vector<OptionSpec> kSpecs = declared();
    return kSpecs;
}

std::vector<std::string> partsOf(std::string_view list) {
    std::vector<std::string> parts;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        std::string_view part = list.substr(0, comma);
        list.remove_prefix(std::min(comma + 1, list.size()));
        while (part.starts_with(' '))
            part.remove_prefix(1);
        while (part.ends_with(' '))
            part.remove_suffix(1);
        if (!part.empty())
            parts.emplace_back(part);
    }
    return parts;
}

std::vector<std::string> asArguments(const TrainingWords& words) {
    std::vector<std::string> arguments;
    const auto& specs = trainingOptions();
    for (const auto& [name, value] : words) {
        const auto spec = std::ranges::find(specs, name, &OptionSpec::name);
        if (spec != specs.end() && spec->type == OptionSpec::Type::Bool)
            arguments.push_back((value == "true" ? "--" : "--no-") + name);
        else
            arguments.insert(arguments.end(), {"--" + name, value});
    }
    return arguments;
}

TrainingWords canonical(TrainingWords words) {
    Options options(trainingOptions());
    for (auto& [name, value] : words) {
        if (std::ranges::count(kLists, name, &TrainingList::name) > 0)
            value = fmt::format("{}", fmt::join(partsOf(value), ","));
        else if (options.set(name, value))
            value = toString(options.value(name));
    }
    return words;
}

Result<TrainingRequest> trainingRequest(const TrainingWords& words) {
    Options options(trainingOptions());
    for (const auto& [name, value] : words) {
        if (std::ranges::count(kLists, name, &TrainingList::name) > 0)
            continue;
        if (auto set = options.set(name, value); !set)
            return fail(set.error());
    }
    const bool hasHours = options.real("hours") > 0, hasUpdates = options.integer("updates") > 0;
    if (hasHours == hasUpdates)
        return fail("a training takes either hours or updates; say one of them.");
    auto recipe = recipeOf(words, options);
    if (!recipe)
        return fail(recipe.error());
    TrainingRequest request{std::move(*recipe), {}, static_cast<std::uint64_t>(options.integer("seed"))};
    if (options.choice("protocol") != kNoProtocol) {
        if (auto applied = applyProtocol(options.choice("protocol"), request); !applied)
            return fail(applied.error());
    }
    rl::PretrainOptions& o = request.options;
    if (words.contains("lessons"))
        request.recipe.lessons = static_cast<std::size_t>(options.integer("lessons"));
    if (words.contains("draw"))
        o.draw = *parseLessonDraw(options.choice("draw"));
    if (words.contains("curriculum"))
        o.curriculum = options.real("curriculum");
    o.updates = options.integer("updates");
    if (hasHours)
        o.seconds = options.real("hours") * kSecondsPerHour;
    o.slots = static_cast<int>(options.integer("slots"));
    o.samples = static_cast<int>(options.integer("samples"));
    o.learningRate = options.real("rate");
    o.lastLearningRate = o.learningRate / 5;
    o.network.hidden = static_cast<int>(options.integer("hidden"));
    o.network.sage = options.flag("sage");
    o.threads = static_cast<int>(options.integer("threads"));
    o.evaluateEvery = options.real("evaluate-every");
    return request;
}

double trainingShare(const TrainingWords& words, const rl::PretrainPoint& last) {
    const auto said = [&words](const char* name) {
        double value = 0;
        if (const auto it = words.find(name); it != words.end())
            std::from_chars(it->second.data(), it->second.data() + it->second.size(), value);
        return value;
    };
    const double updates = said("updates"), hours = said("hours");
    const double share = updates > 0 ? static_cast<double>(last.update) / updates
                         : hours > 0 ? last.seconds / (hours * kSecondsPerHour)
                                     : 0;
    return std::clamp(share, 0., 1.);
}

} // namespace opscape
