// SPDX-License-Identifier: MIT
#include "command_train.h"

#include "commands.h"
#include "interrupt.h"
#include "progress_line.h"
#include "report.h"
#include "study/graph_families.h"
#include "study/model_trainings.h"

#include <opscape/base/paths.h>
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/rl/model/model_shelf.h>
#include <opscape/zoo/random_graphs.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <thread>

namespace opscape {
namespace {

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
        text += fmt::format("On {} that {} kept out, step time to that of the best simple plan: greedy {:.3f}, "
                            "best of 64 {:.3f}\n",
                            counted(static_cast<std::int64_t>(result.heldOut->lessons), "lesson"),
                            result.heldOut->lessons == 1 ? "was" : "were", result.heldOut->greedy,
                            result.heldOut->bestOf64);
    std::string use = "model=MODEL";
    for (const Protocol& protocol : protocols()) {
        if (const auto said = args.words.find("protocol"); said != args.words.end() && protocol.name == said->second)
            use = protocol.use;
    }
    for (std::size_t at = 0; (at = use.find(',', at)) != std::string::npos;)
        use.replace(at, 1, " --set ");
    use.replace(use.find("MODEL"), 5, args.name.empty() ? args.output.string() : args.name);
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
        m_path = path;
        m_last = std::numeric_limits<std::int64_t>::max(); // what is there may reach further than the state does
        m_file.open(path, isNew ? std::ios::trunc : std::ios::app);
        if (isNew)
            m_file << kTrainingColumns << std::endl;
        if (!m_file)
            return fail("{}: the curve cannot be written there; name a file in a folder that exists.", path.string());
        return {};
    }
    void add(const rl::PretrainPoint& point) {
        if (!m_file.is_open())
            return;
        const bool isLastLook = point.update == m_last;
        if (point.update <= m_last && !isLastLook)
            cut(point.update);
        m_last = point.update;
        m_file << curveLine(point) << std::endl;
    }
    [[nodiscard]] bool isWhole() const { return !m_isLost && (!m_file.is_open() || m_file.good()); }

private:
    /// Leaves the points before an update, which is made again.
    void cut(std::int64_t update) {
        const std::string text = readFile(m_path).value_or("");
        std::string kept;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
            std::int64_t its = 0; // of the title there is none
            std::from_chars(text.data() + at, text.data() + end, its);
            if (its < update)
                kept.append(text, at, end - at);
            at = end;
        }
        if (kept == text)
            return;
        m_file.close();
        m_isLost = !writeFile(m_path, kept);
        if (!m_isLost)
            m_file.open(m_path, std::ios::app);
    }

    std::filesystem::path m_path;
    std::ofstream m_file;
    std::int64_t m_last = 0;
    bool m_isLost = false;
};

/// While one exists it is noted of a training with a name whether it is paused.
class PauseNote {
public:
    PauseNote(std::string name, std::shared_ptr<RunPause> pause) {
        if (name.empty())
            return;
        m_watcher = std::jthread([name = std::move(name), pause = std::move(pause)](const std::stop_token& done) {
            for (bool noted = false; !done.stop_requested(); std::this_thread::sleep_for(kLookEvery)) {
                if (pause->isSet() != noted && markPaused(name, !noted))
                    noted = !noted;
            }
        });
    }

private:
    static constexpr auto kLookEvery = std::chrono::milliseconds(50);
    std::jthread m_watcher;
};

/// Files of a training that is kept under a name.
Result<TrainArgs> placed(TrainArgs args) {
    if (args.name.empty())
        return args;
    if (auto begun = beginTraining(args.name, args.words); !begun)
        return fail(begun.error());
    const TrainingFiles files(args.name);
    args.output = *rl::userModelFile(args.name);
    args.save = files.state;
    args.curve = files.curve;
    std::error_code ec;
    if (std::filesystem::exists(files.state, ec))
        args.resume = files.state;
    return args;
}

Result<int> train(const GlobalArgs& global, const TrainArgs& args, TrainingRequest request,
                  const Interrupt& interrupt) {
    const Workbench workbench(global.database);
    request.elastic = args.elastic;
    request.options.save = args.save;
    request.options.load = args.resume;
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
    watcher.regrouped = [&line](int left) {
        line.clear();
        printError(fmt::format("another process of the training is gone; {} from its last state.",
                               left == 1 ? "this one goes on alone" : fmt::format("{} go on", left)));
    };
    RunContext context;
    context.stop = interrupt.token();
    context.pause = interrupt.pause();
    context.progress = [&line](const Progress& progress) { line.show(progress); };
    const auto trained = [&] {
        const PauseNote note(args.name, interrupt.pause());
        return trainModel(workbench.registry(), request, args.output, *engine, watcher, context);
    }();
    line.clear();
    if (!trained)
        return interrupt.failed(trained.error());
    if (interrupt.stopped())
        printError("stopped; this is the model so far.");
    if (!curve.isWhole())
        printError(fmt::format("{}: the curve could not be written to its end.", args.curve.string()));
    const int status = interrupt.stopped() ? kStopped : kFine;
    if (!trained->writes)
        return status;
    if (!global.json) {
        fmt::print("{}", resultText(args, trained->result));
        return status;
    }
    json["updates"] = trained->result.updates;
    json["simulations"] = trained->result.simulations;
    json["seconds"] = trained->result.seconds;
    if (trained->result.heldOut)
        json["held_out"] = heldOutJson(*trained->result.heldOut);
    json["model"] = args.output.string();
    printJson(json);
    return status;
}

} // namespace

Result<int> trainCommand(const GlobalArgs& global, const TrainArgs& args) {
    const Interrupt interrupt;
    auto request = trainingRequest(args.words);
    if (!request)
        return fail(request.error());
    const auto files = placed(args);
    if (!files)
        return fail(files.error());
    auto status = train(global, *files, std::move(*request), interrupt);
    if (args.name.empty())
        return status;
    if (status && *status == kFine)
        removeTraining(args.name);
    else if (auto noted = endTraining(args.name, status ? TrainingState::Stopped : TrainingState::Failed,
                                      status ? "" : status.error().message);
             !noted)
        printError(noted.error().message);
    return status;
}

} // namespace opscape
