// SPDX-License-Identifier: MIT
#include "command_train.h"

#include "commands.h"
#include "interrupt.h"
#include "progress_line.h"
#include "report.h"
#include "study/graph_families.h"
#include "study/training.h"

#include <opscape/base/units.h>
#include <opscape/zoo/random_graphs.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

namespace opscape {
namespace {

/// A recipe file, or families.
Result<LessonRecipe> recipeOf(const TrainArgs& args) {
    std::error_code ec;
    const bool isFile =
        args.set.size() == 1 && (args.set[0].ends_with(".json") || std::filesystem::is_regular_file(args.set[0], ec));
    LessonRecipe recipe;
    if (isFile) {
        auto loaded = loadRecipe(args.set[0]);
        if (!loaded)
            return loaded;
        recipe = std::move(*loaded);
    } else {
        recipe.families = args.set;
        recipe.seed = args.seed;
    }
    if (!args.holdOut.empty())
        recipe.holdOut = args.holdOut;
    if (args.validation == std::vector<std::string>{"none"})
        recipe.validation.emplace();
    else if (!args.validation.empty())
        recipe.validation = args.validation;
    if (args.lessons)
        recipe.lessons = *args.lessons;
    return recipe;
}

Result<TrainingRequest> requestOf(const TrainArgs& args) {
    auto recipe = recipeOf(args);
    if (!recipe)
        return fail(recipe.error());
    TrainingRequest request{std::move(*recipe), {}, args.seed};
    if (!args.protocol.empty()) {
        if (auto applied = applyProtocol(args.protocol, request); !applied)
            return fail(applied.error());
    }
    rl::PretrainOptions& options = request.options;
    if (args.lessons)
        request.recipe.lessons = *args.lessons;
    if (const auto draw = parseLessonDraw(args.draw))
        options.draw = *draw;
    if (args.curriculum)
        options.curriculum = *args.curriculum;
    options.updates = args.updates;
    constexpr double kSecondsPerHour = 3600;
    if (args.hours > 0)
        options.seconds = args.hours * kSecondsPerHour;
    options.slots = args.slots;
    options.samples = args.samples;
    options.learningRate = args.rate;
    options.lastLearningRate = args.rate / 5;
    options.network.hidden = args.hidden;
    options.network.sage = !args.noSage;
    options.threads = args.threads;
    options.evaluateEvery = args.evaluateEvery;
    options.save = args.save;
    options.load = args.resume;
    return request;
}

std::string lessonsText(const LessonSet& set) {
    const auto randoms = std::ranges::count_if(
        set.training, [](const rl::Lesson& lesson) { return parseRandomFamily(lesson.family).has_value(); });
    const auto named = [](const std::vector<std::string>& families) {
        return families.empty() ? std::string("none") : fmt::format("{}", fmt::join(families, ", "));
    };
    return fmt::format(
        "{} lessons, {} of them random graphs ({} that fit in memory with no simple plan were left out)\n"
        "  of        {}\n  held out  {}\n  validation {}\n  hash      {}\n",
        set.training.size(), randoms, set.leftOut, named(set.recipe.families), named(set.recipe.holdOut),
        named(*set.recipe.validation), set.hash);
}

Json heldOutJson(const rl::HeldOut& seen) {
    return {{"lessons", seen.lessons}, {"greedy", seen.greedy}, {"best_of_64", seen.bestOf64}};
}

std::string resultText(const TrainArgs& args, const rl::PretrainResult& result) {
    std::string text = fmt::format("{} updates, {} plans, {:.0f} s\n", formatCount(result.updates),
                                   formatCount(result.simulations), result.seconds);
    if (result.heldOut && result.heldOut->lessons > 0)
        text +=
            fmt::format("On {} lessons that were kept out, step time to that of the best simple plan: greedy {:.3f}, "
                        "best of 64 {:.3f}\n",
                        result.heldOut->lessons, result.heldOut->greedy, result.heldOut->bestOf64);
    std::string use = "model=MODEL";
    for (const Protocol& protocol : protocols()) {
        if (protocol.name == args.protocol)
            use = protocol.use;
    }
    for (std::size_t at = 0; (at = use.find(',', at)) != std::string::npos;)
        use.replace(at, 1, " --set ");
    use.replace(use.find("MODEL"), 5, args.output.string());
    return text + fmt::format("Use it: opscape-cli optimize FILE --optimizer go --set {}\n", use);
}

/// Every point a line, at once, so that it can be followed.
class CurveFile {
public:
    /// Goes on with what is there when a training goes on.
    Result<> open(const std::filesystem::path& path, bool goesOn) {
        if (path.empty())
            return {};
        std::error_code ec;
        const bool isNew = !goesOn || std::filesystem::file_size(path, ec) == 0 || ec;
        m_file.open(path, goesOn ? std::ios::app : std::ios::trunc);
        if (isNew)
            m_file << kTrainingColumns << std::endl;
        if (!m_file)
            return fail("{}: the curve cannot be written there; name a file in a folder that exists.", path.string());
        return {};
    }
    void add(const rl::PretrainPoint& point) {
        if (m_file.is_open())
            m_file << curveLine(point) << std::endl;
    }
    [[nodiscard]] bool isWhole() const { return !m_file.is_open() || m_file.good(); }

private:
    std::ofstream m_file;
};

} // namespace

Result<int> trainCommand(const GlobalArgs& global, const TrainArgs& args) {
    const Interrupt interrupt;
    const Workbench workbench(global.database);
    const auto request = requestOf(args);
    if (!request)
        return fail(request.error());
    if (auto writable = checkOutput(args.output); !writable) // before the training rather than after it
        return fail(writable.error());
    const auto engine = trainingEngine();
    if (!engine)
        return fail(engine.error());
    CurveFile curve;
    if (auto opened = curve.open(args.curve, !args.resume.empty()); !opened)
        return fail(opened.error());
    ProgressLine line("train");
    Json json;
    TrainingWatcher watcher;
    watcher.begins = [&](const LessonSet& set) {
        json["lessons"] = set.training.size();
        json["left_out"] = set.leftOut;
        json["lessons_hash"] = set.hash;
        line.clear();
        if (!global.json)
            fmt::print("{}", lessonsText(set));
        std::fflush(stdout);
    };
    watcher.learned = [&curve](const rl::PretrainPoint& point) { curve.add(point); };
    RunContext context;
    context.stop = interrupt.token();
    context.progress = [&line](const Progress& progress) { line.show(progress); };
    const auto trained = trainModel(workbench.registry(), *request, args.output, *engine, watcher, context);
    line.clear();
    if (!trained)
        return fail(trained.error());
    if (interrupt.stopped())
        printError("stopped; this is the model so far.");
    if (!curve.isWhole())
        printError(fmt::format("{}: the curve could not be written to its end.", args.curve.string()));
    if (!trained->writes)
        return kFine;
    if (!global.json) {
        fmt::print("{}", resultText(args, trained->result));
        return kFine;
    }
    json["updates"] = trained->result.updates;
    json["simulations"] = trained->result.simulations;
    json["seconds"] = trained->result.seconds;
    if (trained->result.heldOut)
        json["held_out"] = heldOutJson(*trained->result.heldOut);
    json["model"] = args.output.string();
    printJson(json);
    return kFine;
}

} // namespace opscape
