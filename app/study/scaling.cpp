// SPDX-License-Identifier: MIT
#include "scaling.h"

#include <opscape/base/guarded_call.h>
#include <opscape/rl/engine.h>
#include <opscape/rl/pretrain/free_port.h>

#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <locale>
#include <numeric>
#include <sstream>

namespace opscape {
namespace {

constexpr std::chrono::hours kLimit(24);
constexpr double kWordsOfSums = 40; ///< bytes of what is agreed on before an update, and told after it

struct Crewed {
    const Registry& registry;
    const ScalingRequest& request;
    std::uint16_t port;
    std::filesystem::path model;

    /// Seconds at the end of each update, or "!" and why there are none.
    [[nodiscard]] std::string train(int rank, int processes) const {
        for (const auto& [name, value] :
             {std::pair("RANK", std::to_string(rank)), std::pair("WORLD_SIZE", std::to_string(processes)),
              std::pair("MASTER_ADDR", std::string("127.0.0.1")), std::pair("MASTER_PORT", std::to_string(port))})
            ::setenv(name, value.c_str(), 1); // NOLINT: of a process with one thread
        TrainingRequest training = request.training;
        training.options.slots = processes;
        const auto engine = trainingEngine();
        if (!engine)
            return "!" + engine.error().message;
        std::vector<double> ends;
        TrainingWatcher watcher;
        watcher.begins = [](const LessonSet&) {};
        watcher.learned = [&ends](const rl::PretrainPoint& point) {
            if (static_cast<std::int64_t>(ends.size()) < point.update)
                ends.push_back(point.seconds);
        };
        const auto trained = trainModel(registry, training, model, *engine, watcher, {});
        if (!trained)
            return "!" + trained.error().message;
        if (rank > 0)
            return {};
        const auto learned = rl::openEngine();
        const auto kept = learned ? (*learned)->readModel(model) : Result<rl::Model>(fail(learned.error()));
        if (!kept)
            return "!" + kept.error().message;
        return fmt::format("{} {}", kept->parameters.size(), fmt::join(ends, " "));
    }

    [[nodiscard]] std::string trainTogether(int processes) const {
        std::vector<pid_t> others;
        for (int rank = 1; rank < processes; ++rank) {
            others.push_back(::fork());
            if (others.back() == 0)
                ::_exit(train(rank, processes).empty() ? 0 : 1);
        }
        std::string said = train(0, processes);
        for (const pid_t other : others)
            ::waitpid(other, nullptr, 0);
        return said;
    }
};

/// Lasts of the second half.
std::vector<double> timesOf(const std::vector<double>& ends) {
    std::vector<double> times;
    for (std::size_t i = std::max<std::size_t>(1, ends.size() / 2); i < ends.size(); ++i)
        times.push_back(ends[i] - ends[i - 1]);
    return times;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

double expectedMaximum(std::vector<double> values, int count) {
    std::ranges::sort(values);
    const auto size = static_cast<double>(values.size());
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto rank = static_cast<double>(i);
        sum += values[i] * (std::pow((rank + 1) / size, count) - std::pow(rank / size, count));
    }
    return sum;
}

double ringSumS(int processes, double bytes, double bytesPerS, double latencyS) {
    return 2.0 * (processes - 1) * (latencyS + bytes / processes / bytesPerS);
}

Result<Scaling> measureScaling(const Registry& registry, const ScalingRequest& request,
                               const std::function<void(const std::string&)>& begins, const std::stop_token& stop) {
    const rl::PretrainOptions& options = request.training.options;
    Scaling made{0, options.samples, options.epochs, 0, {}};
    std::vector<double> lessons;
    for (const int processes : request.measured) {
        begins(fmt::format("{} {}, {} updates", processes, processes == 1 ? "process" : "processes", options.updates));
        const Crewed crew{registry, request, rl::freePort(),
                          std::filesystem::temp_directory_path() / fmt::format("opscape-scaling-{}", ::getpid())};
        const auto said = guardedCall([&] { return crew.trainTogether(processes); }, kLimit, stop);
        std::error_code ec;
        std::filesystem::remove(crew.model, ec);
        if (!said)
            return fail("training by {} processes: {}.", processes, said.error().message);
        if (said->starts_with('!'))
            return fail("training by {} processes: {}", processes, said->substr(1));
        std::istringstream numbers(*said);
        numbers.imbue(std::locale::classic());
        numbers >> made.weights;
        std::vector<double> ends;
        for (double end = 0; numbers >> end;)
            ends.push_back(end);
        const std::vector<double> times = timesOf(ends);
        if (times.empty())
            return fail("training by {} processes made too few updates to time; ask for more.", processes);
        if (lessons.empty()) {
            lessons = times;
            made.lessonS = mean(times);
        }
        made.rows.push_back({processes, mean(times)});
    }
    for (const int processes : request.modelled)
        made.rows.push_back({processes});
    for (ScalingRow& row : made.rows) {
        const auto sum = [&](double bytes) {
            return ringSumS(row.processes, bytes, request.bytesPerS, request.latencyS);
        };
        row.sumS = options.epochs * sum(4.0 * static_cast<double>(made.weights)) + 2 * sum(kWordsOfSums);
        row.modelS = expectedMaximum(lessons, row.processes) + row.sumS;
    }
    return made;
}

} // namespace opscape
