// SPDX-License-Identifier: MIT
// A training is one JSON file in its folder, replaced as a whole whenever something becomes of it:
// {"opscape_training": 1, "options": {...}, "started_ms": ..., "process": {"pid", "started", "boot"}, "paused": false,
// "ended": {"how": "stopped", "why": ""}}, the last where it has ended.
#include "model_trainings.h"

#include "service/models.h"
#include "service/run_files.h"
#include "service/run_process.h"
#include "service/unix_time.h"

#include <opscape/base/paths.h>
#include <opscape/store/process_mark.h>

#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kFolderExtension = ".training";
constexpr std::array<std::string_view, 5> kStates{"training", "paused", "stopped", "failed", "died"};

struct About {
    ModelTraining training;
    ProcessMark process;
    bool paused = false;
    std::string how, why; ///< it ended
};

Result<> write(const About& about) {
    Json json{
        {"opscape_training", 1},
        {"options", about.training.words},
        {"started_ms", about.training.startedMs},
        {"process", {{"pid", about.process.pid}, {"started", about.process.started}, {"boot", about.process.boot}}},
        {"paused", about.paused}};
    if (!about.how.empty())
        json["ended"] = {{"how", about.how}, {"why", about.why}};
    return writeFile(TrainingFiles(about.training.name).about,
                     json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

/// None where there is no such training, or its file cannot be understood.
std::optional<About> read(const std::string& name) {
    const TrainingFiles files(name);
    std::error_code ec;
    if (!fs::exists(files.about, ec))
        return std::nullopt;
    const auto text = readFile(files.about);
    if (!text)
        return std::nullopt;
    About about;
    try {
        const Json json = Json::parse(*text);
        about.training.name = name;
        about.training.words = json.at("options").get<TrainingWords>();
        about.training.startedMs = json.at("started_ms").get<std::int64_t>();
        const Json& process = json.at("process");
        about.process = {process.at("pid").get<std::int64_t>(), process.at("started").get<std::int64_t>(),
                         process.at("boot").get<std::string>()};
        about.paused = json.at("paused").get<bool>();
        if (json.contains("ended")) {
            about.how = json["ended"].at("how").get<std::string>();
            about.why = json["ended"].at("why").get<std::string>();
        }
    } catch (const Json::exception&) {
        return std::nullopt;
    }
    ModelTraining& t = about.training;
    t.why = about.why;
    if (const auto known = std::ranges::find(kStates, about.how); known != kStates.end()) {
        t.state = static_cast<TrainingState>(known - kStates.begin());
    } else if (about.process.alive()) {
        t.state = about.paused ? TrainingState::Paused : TrainingState::Running;
        t.process = about.process.pid;
    } else {
        t.state = TrainingState::Died;
        const std::string said = lastWordsIn(files.log);
        t.why = said.empty() ? "Its process is gone." : fmt::format("Its process is gone; it said last: {}", said);
    }
    return about;
}

std::string sentence(std::string text) { return text.ends_with('.') ? text : text + "."; }

Result<> noTraining(const std::string& name) {
    return fail("no training of a model {} is known; see opscape-cli models.", name);
}

} // namespace

std::string_view toString(TrainingState state) { return kStates[static_cast<std::size_t>(state)]; }

TrainingFiles::TrainingFiles(const std::string& name)
    : folder(rl::userModelFolder() / (name + kFolderExtension)),
      about(folder / "training.json"),
      state(folder / "state"),
      curve(folder / "curve.csv"),
      log(folder / "log") {}

std::vector<ModelTraining> listTrainings() {
    std::vector<ModelTraining> trainings;
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(rl::userModelFolder(), ec)) {
        if (entry.path().extension() != kFolderExtension)
            continue;
        if (auto about = read(entry.path().stem().string()))
            trainings.push_back(std::move(about->training));
    }
    std::ranges::sort(trainings, {}, &ModelTraining::name);
    return trainings;
}

std::optional<ModelTraining> findTraining(const std::string& name) {
    auto about = read(name);
    return about ? std::optional(std::move(about->training)) : std::nullopt;
}

Result<> beginTraining(const std::string& name, const TrainingWords& words) {
    const auto model = rl::userModelFile(name);
    if (!model)
        return fail(model.error());
    const TrainingFiles files(name);
    auto about = read(name);
    std::error_code ec;
    if (about) {
        const ModelTraining& t = about->training;
        if (t.goesOn() && t.process != ::getppid() && t.process != ::getpid())
            return fail("{} is being trained by process {}; wait for it, stop it, or take another name.", name,
                        t.process);
        if (t.words != canonical(words))
            return fail("a training of {} was begun with other options; go on with it by opscape-cli models resume {}, "
                        "delete it, or take another name.",
                        name, name);
    } else {
        if (fs::exists(*model, ec))
            return fail("there is a model {} already; take another name, or delete it.", name);
        about.emplace();
        about->training.name = name;
        about->training.words = canonical(words);
        about->training.startedMs = unixMs();
        fs::create_directories(files.folder, ec); // writing there tells
    }
    about->process = ProcessMark::ours();
    about->paused = false;
    about->how = about->why = "";
    return write(*about);
}

Result<> markPaused(const std::string& name, bool paused) {
    auto about = read(name);
    if (!about)
        return noTraining(name);
    about->paused = paused;
    return write(*about);
}

Result<> endTraining(const std::string& name, TrainingState how, const std::string& why) {
    auto about = read(name);
    if (!about)
        return noTraining(name);
    about->how = toString(how);
    about->why = why;
    return write(*about);
}

void removeTraining(const std::string& name) {
    std::error_code ec;
    fs::remove_all(TrainingFiles(name).folder, ec);
}

Result<> askTraining(const std::string& name, RunWish wish) {
    const auto training = findTraining(name);
    if (!training)
        return noTraining(name);
    if (!training->goesOn())
        return fail("the training of {} does not go on: it {}; go on with it by opscape-cli models resume {}.", name,
                    training->state == TrainingState::Stopped  ? "was stopped"
                    : training->state == TrainingState::Failed ? "failed"
                                                               : "died",
                    name);
    return askProcess(training->process, wish, fmt::format("the model {}", name));
}

Result<> discardTraining(const std::string& name) {
    const auto training = findTraining(name);
    if (training && training->goesOn())
        return fail("{} is being trained by process {}; stop that first.", name, training->process);
    removeTraining(name);
    return {};
}

Result<std::int64_t> startTraining(const fs::path& runner, const std::string& name, const TrainingWords& words) {
    if (const auto sound = trainingRequest(words); !sound)
        return fail(sound.error());
    if (auto begun = beginTraining(name, words); !begun) // until its process says so itself
        return fail(begun.error());
    std::vector<std::string> arguments{"train", "--name", name};
    std::ranges::move(asArguments(canonical(words)), std::back_inserter(arguments));
    auto process = startProgram(runner, std::move(arguments), TrainingFiles(name).log);
    if (!process)
        std::ignore = endTraining(name, TrainingState::Failed, process.error().message);
    return process;
}

bool endedTraining(std::int64_t process, const std::string& name) {
    int status = 0;
    if (::waitpid(static_cast<pid_t>(process), &status, WNOHANG) != static_cast<pid_t>(process))
        return false;
    const auto about = read(name);
    if (about && about->how.empty()) {
        const std::string why = sentence("Its" + endText(status, lastWordsIn(TrainingFiles(name).log)));
        std::ignore = endTraining(name, WIFSIGNALED(status) ? TrainingState::Died : TrainingState::Failed, why);
    }
    return true;
}

} // namespace opscape
